import path from 'node:path';

import type { Plugin } from 'rolldown';
import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

import { isFile } from '../../output/is-file.ts';
import { isInstalled } from '../../packages/package-of.ts';
import { toProjectPath } from '../../app/project-path.ts';
import { toSourcePosition } from '../../app/source-position.ts';
import type { Problem } from '../../problem.ts';

const CODE = /\.[cm]?[jt]sx?$/;
const HINT = /\bimport\.meta\.(?:glob|dirname)\b|\bimport\s*\(|\bcreateRequire\b|\bnew\s+URL\b|\b__dirname\b/;
/** What is relative to a module, or has a meaning only to a bundler. Other names may be of packages or of files of the machine. */
const OF_SOURCES = /^(?:\.{1,2}\/|[@~]\/|#)/;

/**
 * Reports where a module of the app names files of the app so that the bundler cannot follow: they would be missing next to the bundle. In
 * development, which runs the sources, such code works.
 *
 * @param warn – called with the text of a warning, for what need not fail.
 */
export function createLostFilesPlugin(
  projectRoot: string,
  { report, warn }: { report: (problem: Problem) => void; warn: (text: string) => void },
): Plugin {
  return {
    name: 'appkit:lost-files',
    transform: {
      filter: { id: CODE, code: HINT },
      handler(code, id) {
        if (!path.isAbsolute(id) || isInstalled(id)) return;
        for (const { start, message, fix, isCertain } of findLostFiles(id, code)) {
          const problem = { file: toProjectPath(projectRoot, id), ...toSourcePosition(code, start), message, fix };
          if (isCertain) report(problem);
          else warn(`${problem.file}:${problem.line}: ${message} ${fix}`);
        }
      },
    },
  };
}

/** A place that names a file. */
interface Lost extends Pick<Problem, 'message' | 'fix'> {
  start: number;
  /** Whether the code cannot work. */
  isCertain: boolean;
}

function findLostFiles(file: string, code: string): Lost[] {
  const found: Lost[] = [];
  const calls: ESTree.CallExpression[] = [];
  const requires = new Set<string>();
  const isHere = (node: ESTree.Node | undefined): boolean =>
    node !== undefined && HERE.test(code.slice(node.start, node.end));
  const createsRequire = (node: ESTree.Node): boolean =>
    node.type === 'CallExpression' && nameOf(node.callee) === 'createRequire' && isHere(node.arguments[0]);
  const isOwnName = OWN_DIRNAME.test(code);
  const addPath = (start: number, place: FilePath | undefined): void => {
    const folder = path.dirname(file);
    if (place?.from.startsWith('__dirname') && isOwnName) return;
    if (!place || !isFile(path.join(folder, place.path))) return;
    const relative = path.relative(folder, path.join(folder, place.path)).replaceAll('\\', '/');
    const target = relative.startsWith('../') ? relative : `./${relative}`;
    found.push({
      start,
      isCertain: false,
      message: `An export has no ${target} here: ${place.from} the bundled file.`,
      fix: toFix(target),
    });
  };
  new Visitor({
    MemberExpression(node) {
      if (node.object.type !== 'MetaProperty' || nameOf(node) !== 'glob') return;
      found.push({ start: node.start, isCertain: true, message: 'Only Vite can bundle import.meta.glob.', fix: EACH });
    },
    ImportExpression({ source, start }) {
      const beginning = toBeginning(source);
      if (source.type === 'Literal' || beginning === undefined || !OF_SOURCES.test(beginning)) return;
      const message = 'Only Vite can bundle an import() with a variable in its path.';
      found.push({ start, isCertain: true, message, fix: EACH });
    },
    NewExpression({ callee, arguments: [name, base], start }) {
      if (nameOf(callee) !== 'URL' || name?.type !== 'Literal' || !isHere(base)) return;
      const target = toBeginning(name) ?? '';
      if (!target.startsWith('/')) addPath(start, { path: target, from: 'import.meta.url names' });
    },
    BinaryExpression(node) {
      if (node.operator === '+' && toText(node.right)?.startsWith('/'))
        addPath(node.start, toFilePath([node.left, node.right]));
    },
    TemplateLiteral({ quasis: [before, after], expressions, start }) {
      if (before?.value.raw !== '' || expressions.length > 1 || !after?.value.raw.startsWith('/')) return;
      addPath(start, toFilePath([expressions[0], after]));
    },
    VariableDeclarator({ id, init }) {
      if (id.type === 'Identifier' && init && createsRequire(init)) requires.add(id.name);
    },
    CallExpression(node) {
      calls.push(node);
      if (JOINS.has(nameOf(node.callee) ?? '')) addPath(node.start, toFilePath(node.arguments));
    },
  }).visit(parseSync(file, code).program);
  for (const {
    callee,
    arguments: [name],
    start,
  } of calls) {
    const isOwn = callee.type === 'Identifier' ? requires.has(callee.name) : createsRequire(callee);
    if (!isOwn || !OF_SOURCES.test((name && toBeginning(name)) ?? '')) continue;
    const message = 'The bundler does not follow a function of createRequire(), so this file would be missing.';
    found.push({
      start,
      isCertain: true,
      message,
      fix: 'Import it, or call require itself, which ES modules have here.',
    });
  }
  return found.toSorted((a, b) => a.start - b.start);
}

/** A file that is named relative to the folder of the module. */
interface FilePath {
  path: string;
  /** How code knows the folder, for a message. */
  from: string;
}

/** A `__dirname` of the module's own that is another folder. */
const OWN_DIRNAME = /\b(?:const|let|var)\s+__dirname\s*=(?![^;\n]*\bimport\.meta\b)/;

const TEXT = /\.(?:[cm]?[jt]sx?|css|csv|ejs|gql|graphql|hbs|html?|json|md|mustache|pug|sql|svg|txt|xml|ya?ml)$/i;

function toFix(target: string): string {
  return TEXT.test(target)
    ? `Import its text by '${target}?raw'.`
    : `Import it by '${target}?inline', which gives its bytes as a data: URL.`;
}

const JOINS: ReadonlySet<string> = new Set(['join', 'resolve']);

/** The path of parts that are put together, if the first is the folder of the module and the others are texts. */
function toFilePath([folder, ...parts]: readonly (ESTree.Node | undefined)[]): FilePath | undefined {
  const name = toFolderName(folder);
  const texts = parts.map((part) => (part?.type === 'TemplateElement' ? part.value.raw : toText(part)));
  if (name === undefined || texts.length === 0 || texts.includes(undefined)) return undefined;
  return { path: texts.join('/'), from: `${name} is the folder of` };
}

function toFolderName(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'Identifier') return node.name === '__dirname' ? node.name : undefined;
  if (node?.type !== 'MemberExpression' || node.object.type !== 'MetaProperty') return undefined;
  return nameOf(node) === 'dirname' ? 'import.meta.dirname' : undefined;
}

function toText(node: ESTree.Node | undefined): string | undefined {
  if (node?.type === 'TemplateLiteral' && node.expressions.length === 0) return node.quasis[0]?.value.raw;
  return node?.type === 'Literal' && typeof node.value === 'string' ? node.value : undefined;
}

/** The place of the module itself. */
const HERE = /\bimport\.meta\b|\b__(?:file|dir)name\b/;
const EACH = 'Import each module by its path, such as { hi: () => import("./hi.ts") }.';

/** The known beginning of a text. */
function toBeginning(node: ESTree.Node): string | undefined {
  if (node.type === 'Literal') return typeof node.value === 'string' ? node.value : undefined;
  if (node.type === 'TemplateLiteral') return node.quasis[0]?.value.raw;
  return node.type === 'BinaryExpression' ? toBeginning(node.left) : undefined;
}

/** The last part of a name such as `module.createRequire`. */
function nameOf(node: ESTree.Node): string | undefined {
  if (node.type === 'Identifier') return node.name;
  return node.type === 'MemberExpression' && node.property.type === 'Identifier' ? node.property.name : undefined;
}
