import { readFileSync } from 'node:fs';
import path from 'node:path';
import { setImmediate } from 'node:timers/promises';

import { parseSync, Visitor } from 'rolldown/utils';
import type { ESTree } from 'rolldown/utils';

import type { BundleCache } from '../cache/bundle-cache.ts';
import { isInstalled } from '../packages/package-of.ts';
import { toProjectPath, toSlashes } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import { findEnvironmentReads } from './environment-reads.ts';

/** Where a server module contains a text that reveals its origin. */
export interface Clue {
  /** Relative to the project. */
  file: string;
  line?: number;
  /** The environment variable with this value. */
  variable?: string;
  /** Whether no code names that variable: the environment is read as a whole there. */
  isUnnamed?: boolean;
  /** Whether the value may be missing from the environment: it comes from an environment file. */
  isFromFile?: boolean;
}

/** What reveals that something comes from the server's modules: their strings, and the variables they read. */
export interface Clues {
  strings: [text: string, clue: Clue][];
  variables: [name: string, clue: Clue][];
  /** Where the environment is read other than by the name of a variable. */
  unnamed: Clue[];
}

/** Code, by file names. */
export const CODE: RegExp = /\.(?:[cm]?[jt]s|[jt]sx)$/;
/** Shorter strings occur everywhere. */
const MIN_LENGTH = 8;

/** The app's own modules among those of the server, as Vite names them. */
export function listSources(serverModules: Iterable<string>): string[] {
  const sources = [...serverModules].filter((id) => path.isAbsolute(id) && !isInstalled(id));
  return [...new Set(sources.map(toSlashes))].toSorted();
}

/** Finds the clues in the server's modules, or takes what earlier exports have found. */
export function findClues(serverModules: Iterable<string>, projectRoot: string, cache?: BundleCache): Clues {
  const [strings, variables] = [new Map<string, Clue>(), new Map<string, Clue>()];
  const unnamed: Clue[] = [];
  for (const id of listSources(serverModules)) {
    const texts = recallTexts(id, cache);
    const file = toProjectPath(projectRoot, id);
    const add = (to: Map<string, Clue>, [key, line]: FoundText): void => {
      if (!to.has(key)) to.set(key, { file, ...(line === undefined ? {} : { line }) });
    };
    for (const text of texts.strings) add(strings, text);
    for (const text of texts.variables) add(variables, text);
    if (texts.unnamed !== undefined) unnamed.push({ file, line: texts.unnamed });
  }
  return { strings: [...strings], variables: [...variables], unnamed };
}

/**
 * Does most of the work of {@link findClues} before all modules are known, one after another, while the export waits
 * for something else. The findings are cached.
 */
export async function readAhead(
  serverModules: Iterable<string>,
  { cache, signal }: { cache: BundleCache; signal: AbortSignal },
): Promise<void> {
  for (const id of listSources(serverModules)) {
    await setImmediate();
    if (signal.aborted) return;
    recallTexts(id, cache);
  }
}

function recallTexts(id: string, cache: BundleCache | undefined): FoundTexts {
  if (!CODE.test(id) && !id.endsWith('.json')) return { strings: [], variables: [] };
  const read = (): FoundTexts => readTexts(id);
  return cache ? cache.recall(['clues', id, cache.hashFile(id)], read) : read();
}

/** A string or the name of a variable, and its first line. */
type FoundText = [text: string, line?: number];
type FoundTexts = Record<'strings' | 'variables', FoundText[]> & {
  /** The line where the environment is read other than by the name of a variable. */
  unnamed?: number;
};

function readTexts(id: string): FoundTexts {
  const source = readText(id);
  if (source === undefined) return { strings: [], variables: [] };
  if (!CODE.test(id)) {
    return {
      strings: findJsonStrings(source)
        .flatMap(toTellingLines)
        .map((text) => [text]),
      variables: [],
    };
  }
  const [strings, variables] = [new Map<string, number>(), new Map<string, number>()];
  const add = (to: Map<string, number>, key: string, offset: number): void => {
    if (!to.has(key)) to.set(key, toSourcePosition(source, offset).line);
  };
  const { program } = parseSync(id, source);
  visitStrings(program, (text, offset) => toTellingLines(text).forEach((line) => add(strings, line, offset)));
  const { names, whole } = findEnvironmentReads(program);
  for (const [name, offset] of names) add(variables, name, offset);
  return {
    strings: [...strings],
    variables: [...variables],
    ...(whole === undefined ? {} : { unnamed: toSourcePosition(source, whole).line }),
  };
}

function visitStrings(program: ESTree.Program, onString: (text: string, offset: number) => void): void {
  const specifiers = new Set<ESTree.Node>();
  const skip = ({ source }: { source: ESTree.Node | null }): void => void (source && specifiers.add(source));
  new Visitor({
    ImportDeclaration: skip,
    ExportNamedDeclaration: skip,
    ExportAllDeclaration: skip,
    ImportExpression: skip,
    // A path to another module, as in an import.
    NewExpression({ callee, arguments: [name, base] }) {
      const isUrl = callee.type === 'Identifier' && callee.name === 'URL';
      const isBeside = base?.type === 'MemberExpression' && base.object.type === 'MetaProperty';
      if (!isUrl || !isBeside || name?.type !== 'Literal') return;
      if (typeof name.value === 'string' && /^\.{1,2}\//.test(name.value)) specifiers.add(name);
    },
    Literal(node) {
      if (typeof node.value === 'string' && !specifiers.has(node)) onString(node.value, node.start);
    },
    TemplateElement: (node) => onString(node.value.cooked ?? node.value.raw, node.start),
    JSXText: (node) => onString(node.value, node.start),
  }).visit(program);
}

function findJsonStrings(source: string): string[] {
  const strings: string[] = [];
  try {
    JSON.parse(source, (_key, value: unknown) => {
      if (typeof value === 'string') strings.push(value);
      return value;
    });
  } catch {
    // The bundler rejects broken JSON.
  }
  return strings;
}

/** JSX joins the lines of a text in its own way, so each line is searched for. */
function toTellingLines(text: string): string[] {
  return text.split(/\r?\n/).flatMap((line) => (isTelling(line.trim()) ? [line.trim()] : []));
}

/** Whether a text reveals its origin: a single word or punctuation does not. */
export function isTelling(text: string): boolean {
  return text.length >= MIN_LENGTH && /[\p{L}\p{N}]{4}/u.test(text) && !/^[A-Z]?[a-z]+$/.test(text);
}

/** The text of a file, or undefined when it is missing or binary. */
export function readText(file: string): string | undefined {
  let content: Buffer;
  try {
    content = readFileSync(file);
  } catch {
    return undefined;
  }
  return content.subarray(0, 8192).includes(0) ? undefined : content.toString('utf8');
}
