import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import type { Comment, Statement } from 'oxc-parser';

/** An export of a package, according to its type declarations. */
export interface Declaration {
  name: string;
  /** The file and name of the declaration: the same for every module that re-exports it. */
  origin: string;
  kind: 'class' | 'constant' | 'function' | 'interface' | 'type';
  /** The declaration without comments. */
  code: string;
  /** The comment in front of it, unchanged. */
  comment: string;
  /** The members that have a comment. */
  members: { name: string; comment: string }[];
}

type Node = { type: string; start: number; end: number; [key: string]: unknown };
type Source = { file: string; text: string; comments: Comment[] };

const KINDS: Readonly<Record<string, Declaration['kind']>> = {
  ClassDeclaration: 'class',
  VariableDeclaration: 'constant',
  TSDeclareFunction: 'function',
  TSInterfaceDeclaration: 'interface',
  TSTypeAliasDeclaration: 'type',
};

/**
 * Reads the exports of a module from its `.d.ts`. A function with overloads, or a value and a type with the same name,
 * are several exports.
 */
export function readExports(file: string): Declaration[] {
  const text = readFileSync(file, 'utf8');
  const { program, comments, errors } = parseSync(file, text);
  if (errors[0]) throw new Error(`${file}: ${errors[0].message}`);
  const source = { file, text, comments };
  return program.body.flatMap((statement) => readStatement(statement, source));
}

function readStatement(statement: Statement, source: Source): Declaration[] {
  if (statement.type === 'ExportAllDeclaration') return readExports(resolveFrom(source.file, statement.source.value));
  if (statement.type !== 'ExportNamedDeclaration') return [];
  if (statement.declaration) {
    const declaration = statement.declaration as unknown as Node; // about which no more is known here
    const kind = KINDS[declaration.type];
    return kind === undefined ? [] : [toDeclaration(declaration, { kind, source, start: statement.start })];
  }
  // Declared in another package, which describes it.
  if (!statement.source?.value.startsWith('.')) return [];
  const found = readExports(resolveFrom(source.file, statement.source.value));
  return statement.specifiers.flatMap(({ local, exported }) =>
    found.filter(({ name }) => name === toName(local)).map((one) => ({ ...one, name: toName(exported) })),
  );
}

function resolveFrom(file: string, specifier: string): string {
  return path.resolve(path.dirname(file), specifier.replace(/\.(?:js|tsx?)$/, '.d.ts'));
}

function toName(node: object): string {
  const { name, value } = node as { name?: string; value?: string }; // an identifier, or a string
  return name ?? value ?? '';
}

function toDeclaration(
  node: Node,
  { kind, source, start }: { kind: Declaration['kind']; source: Source; start: number },
): Declaration {
  const named = (kind === 'constant' ? (node['declarations'] as Node[])[0] : node) as Node; // one each in a .d.ts
  const name = toName(named['id'] as object);
  const members = listMembers(named).flatMap((member) => {
    const comment = commentBefore(member.start, source);
    return comment === '' ? [] : [{ name: toMemberName(member), comment }];
  });
  const code = toCode(source.text.slice(node.start, node.end));
  return { name, origin: `${source.file}#${name}`, kind, code, comment: commentBefore(start, source), members };
}

/** The members of a class or an interface, or of the object type of a constant or a type alias. */
function listMembers({ body, id, typeAnnotation }: Node): Node[] {
  const annotated = (typeAnnotation ?? (id as Node)['typeAnnotation']) as Node | undefined;
  const literal = annotated?.type === 'TSTypeAnnotation' ? (annotated['typeAnnotation'] as Node) : annotated;
  const holder = (body ?? literal) as Node | undefined;
  return ((holder?.['body'] ?? holder?.['members'] ?? []) as Node[]).filter(({ type }) => !type.startsWith('Private'));
}

function toMemberName({ key, kind }: Node): string {
  return key === undefined ? 'call' : kind === 'constructor' ? 'constructor' : toName(key as object);
}

function commentBefore(offset: number, { text, comments }: Source): string {
  const comment = comments.findLast(({ end }) => end <= offset);
  if (comment?.type !== 'Block' || !comment.value.startsWith('*')) return '';
  return text.slice(comment.end, offset).trim() === '' ? `/*${comment.value}*/` : '';
}

function toCode(text: string): string {
  return text
    .replaceAll(/^ *\/\*\*[\s\S]*?\*\/\n/gm, '')
    .replaceAll(/^ *(?:#private|private .*);\n/gm, '')
    .replace(/^declare /, '')
    .replaceAll(/^ +/gm, (indent) => ' '.repeat(indent.length / 2));
}
