import path from 'node:path';

import type { Plugin } from 'vite';

import { ExportError } from '../problem.ts';
import type { Problem } from '../problem.ts';
import { toProjectPath } from '../app/project-path.ts';
import { isPublicVariable } from './client-env.ts';
import { listValues } from './environment-values.ts';
import type { VariableValue } from './environment-values.ts';
import { CODE, findClues, isTelling, listSources, readText } from './find-clues.ts';
import type { Clue, Clues } from './find-clues.ts';
import { createTextFinder } from './text-finder.ts';

/** The output of a client build, and the modules that both sides are made of. */
export interface ClientProof {
  projectRoot: string;
  /** The folder of the client files. */
  clientDir: string;
  /** The bundler's output for the client, relative to `clientDir`. */
  clientFiles: readonly string[];
  /**
   * Other files, with content that the app chose to send: prerendered pages and their data, and the files of `public`.
   * Only the values of environment variables are searched for in them. Relative to `clientDir`, which is next to the
   * server build.
   */
  documents?: readonly string[];
  /** The server modules by absolute path: routes, middleware, pages with their loaders, and everything they import. */
  serverModules: Iterable<string>;
  /** The result of {@link findClues} for them, if it is known already. */
  clues?: Clues;
  /** Search only for the values of variables: an earlier export has searched for the strings. Default: `false`. */
  valuesOnly?: boolean;
  /** The bundled code of every client module, by its id. `recordClientModules` collects it. */
  clientModules: ReadonlyMap<string, string>;
  /** The environment variables of this build. */
  environment: Readonly<Record<string, string | undefined>>;
}

/** A single word of at least this length is not treated as a word: it may be a password. */
const LONGER_THAN_WORDS = 14;
/** The text that Vite itself writes into a client in place of `import.meta.env`. */
const WRITTEN_BY_VITE = 'BASE_URL production development';

/** Records the code of a client's modules for `proveClient`. Workers are bundled separately and use `workerPlugin`. */
export function recordClientModules(): { plugin: Plugin; workerPlugin: Plugin; modules: Map<string, string> } {
  const modules = new Map<string, string>();
  const workerPlugin: Plugin = {
    name: 'appkit:record-client-modules',
    applyToEnvironment: ({ config }) => config.consumer === 'client',
    buildEnd() {
      for (const id of this.getModuleIds()) modules.set(id, this.getModuleInfo(id)?.code ?? '');
    },
    // The bundler's own module is not in the graph.
    generateBundle(_options, bundle) {
      for (const chunk of Object.values(bundle)) {
        if (chunk.type !== 'chunk') continue;
        for (const [id, { code }] of Object.entries(chunk.modules)) if (!modules.has(id)) modules.set(id, code ?? '');
      }
    },
  };
  return { plugin: { ...workerPlugin, buildStart: () => modules.clear() }, workerPlugin, modules };
}

/**
 * Proves that a client contains nothing from the server, by searching the written files, whatever the bundler was told.
 * It searches for the strings of the app's server modules that no client module has, for the values of the environment
 * variables these modules read, and for source maps that name such a module.
 *
 * @throws ExportError naming the client file, the source, and the start of the string, which may be a secret.
 */
export function proveClient({
  projectRoot,
  clientDir,
  clientFiles,
  documents = [],
  serverModules,
  clues: { strings, variables, unnamed } = findClues(serverModules, projectRoot),
  valuesOnly = false,
  clientModules,
  environment,
}: ClientProof): void {
  const sources = listSources(serverModules);
  const values = listValues(projectRoot, environment);
  const clues = new Map<string, Clue>([
    ...(valuesOnly ? [] : strings),
    ...toUnnamedValues(unnamed[0], { values, strings }),
    ...toNamedValues(variables, values),
  ]);
  const find = createTextFinder([...clues.keys()]);
  const serverOnly = sources.filter((id) => !clientModules.has(id)).map((id) => toProjectPath(projectRoot, id));

  /** The first client file in which each text was found. */
  const found = new Map<string, string>();
  const problems: Problem[] = [];
  for (const file of clientFiles) {
    if (clues.size === 0 && !file.endsWith('.map')) continue;
    const text = readText(path.join(clientDir, file));
    if (text === undefined) continue;
    for (const clue of find(toPlain(file, text))) if (!found.has(clue)) found.set(clue, file);
    if (file.endsWith('.map')) problems.push(...findServerSources(file, { text, serverOnly }));
  }
  const hasSecrets = [...clues.keys()].some((text) => isSecret(text, clues));
  for (const file of hasSecrets ? documents : []) {
    const text = readText(path.join(clientDir, file));
    if (text === undefined) continue;
    for (const clue of find(toPlain(file, text))) if (isSecret(clue, clues) && !found.has(clue)) found.set(clue, file);
  }

  const isExcusable = (text: string): boolean => !isSecret(text, clues) || maySayItself(clues.get(text));
  const own = listPublicTexts({ clientFiles, environment });
  for (const text of findOwn([...found.keys()].filter(isExcusable), { clues, own, clientModules })) found.delete(text);
  const leaks = [...found].flatMap(([text, clientFile]) => {
    const clue = clues.get(text);
    return clue ? [{ text, clue, clientFile }] : [];
  });
  problems.push(...leaks.filter(({ clue }) => !clue.isUnnamed).map(toProblem), ...toUnnamedProblems(leaks, unnamed));
  if (problems.length > 0) throw new ExportError(problems);
}

/**
 * Whether a text must not be in documents either. Nothing excuses the value of a variable that code names, unless it is
 * a word such as production.
 */
function isSecret(text: string, clues: ReadonlyMap<string, Clue>): boolean {
  const { variable, isUnnamed = false } = clues.get(text) ?? {};
  return variable !== undefined && (isUnnamed || isTelling(text) || text.length >= LONGER_THAN_WORDS);
}

/**
 * The value of a variable that a client module may contain in its own source: no code shows that the variable itself is
 * read.
 */
function maySayItself({ isUnnamed = false, isFromFile = false }: Partial<Clue> = {}): boolean {
  return isUnnamed || isFromFile;
}

/** Finds which of the few texts found are allowed, because a client module contains them itself. */
function findOwn(
  texts: readonly string[],
  {
    clues,
    own,
    clientModules,
  }: { clues: ReadonlyMap<string, Clue>; own: readonly string[]; clientModules: ReadonlyMap<string, string> },
): Set<string> {
  const found = new Set<string>();
  if (texts.length === 0) return found;
  const find = createTextFinder(texts);
  for (const text of own) for (const clue of find(unescape(text))) found.add(clue);
  for (const [id, code] of clientModules) {
    const inCode = new Set([...find(unescape(id)), ...find(unescape(code))]);
    const file = toFile(id);
    const isVariable = [...inCode].some((text) => maySayItself(clues.get(text)));
    // A style sheet or a drawing is written as it is in its file. Code may contain a variable's value that a plugin has
    // inserted.
    const source = path.isAbsolute(file) && (isVariable || !CODE.test(file)) ? readText(file) : undefined;
    const inSource = source === undefined ? new Set<string>() : find(unescape(source));
    for (const text of inCode) if (!maySayItself(clues.get(text)) || inSource.has(text)) found.add(text);
    if (!CODE.test(file)) for (const text of inSource) found.add(text);
  }
  return found;
}

/** What every client may contain: what Vite writes, the names of its files, and public variables. */
function listPublicTexts({ clientFiles, environment }: Pick<ClientProof, 'clientFiles' | 'environment'>): string[] {
  const names = Object.keys(environment).filter(isPublicVariable);
  return [WRITTEN_BY_VITE, ...clientFiles, ...names.flatMap((name) => environment[name] ?? [])];
}

/** A server text, and the client file that contains it. */
interface Leak {
  text: string;
  clue: Clue;
  clientFile: string;
}

function toProblem({ text, clue, clientFile }: Leak): Problem {
  const { variable } = clue;
  const place = toPosition(clue);
  if (variable !== undefined) {
    const message = `The value of ${variable}, which it reads, is in ${toPlace(clientFile)}.`;
    return {
      ...place,
      message,
      fix: `Keep it on the server. If it may be public, name it APPKIT_PUBLIC_${variable}.`,
    };
  }
  return {
    ...place,
    message: `Its string ${JSON.stringify(`${text.slice(0, 12)}…`)} is in the client file ${clientFile}, and no module of the client has it.`,
    fix: 'Keep that code out of the client. If the string may be public, move it into a module that a page imports.',
  };
}

/** One problem per client file: an environment that leaks as a whole has dozens of variables. */
function toUnnamedProblems(leaks: readonly Leak[], [first, ...others]: readonly Clue[]): Problem[] {
  const byFile = Map.groupBy(
    leaks.filter(({ clue }) => clue.isUnnamed),
    ({ clientFile }) => clientFile,
  );
  const places = others.map(({ file, line }) => `${file}:${line}`);
  const also = places.length === 0 ? '' : ` (as ${places.length === 1 ? 'does' : 'do'} ${places.join(' and ')})`;
  return [...byFile].flatMap(([clientFile, ofFile]): Problem[] => {
    const names = ofFile.flatMap(({ clue }) => clue.variable ?? []).toSorted();
    const values = names.length === 1 ? 'the value of' : 'the values of';
    const message = `It reads variables without naming them${also}, and ${values} ${names.join(', ')} ${names.length === 1 ? 'is' : 'are'} in ${toPlace(clientFile)}.`;
    const fix =
      'Read each variable by its name, as in process.env.NAME, and keep it on the server. Start the names of public variables with APPKIT_PUBLIC_.';
    return first ? [{ ...toPosition(first), message, fix }] : [];
  });
}

function toPosition({ file, line }: Clue): Pick<Problem, 'file' | 'line'> {
  return { file, ...(line === undefined ? {} : { line }) };
}

function toPlace(clientFile: string): string {
  return clientFile.startsWith('../')
    ? `${clientFile.slice('../'.length)}, which clients get`
    : `the client file ${clientFile}`;
}

function toNamedValues(variables: Clues['variables'], values: readonly VariableValue[]): [string, Clue][] {
  const byName = Map.groupBy(values, ({ name }) => name);
  return variables.flatMap(([variable, origin]) =>
    (byName.get(variable) ?? []).map(({ value, isFromFile }): [string, Clue] => [
      value,
      { ...origin, variable, isFromFile },
    ]),
  );
}

function toUnnamedValues(
  place: Clue | undefined,
  { values, strings }: { values: readonly VariableValue[]; strings: Clues['strings'] },
): [string, Clue][] {
  if (!place) return [];
  // A text that a server module contains itself is reported from there, even if some variable has the same value.
  const said = createTextFinder(values.map(({ value }) => value))(strings.map(([text]) => text).join('\n'));
  return values
    .filter(({ value }) => !said.has(value))
    .map(({ name, value }) => [value, { ...place, variable: name, isUnnamed: true }]);
}

/**
 * The files that {@link proveClient} reads besides the client's: what a client module says in another language than
 * code is read from its source.
 */
export function listReadSources(clientModules: ReadonlyMap<string, string>): string[] {
  return [...clientModules.keys()].map(toFile).filter((file) => path.isAbsolute(file) && !CODE.test(file));
}

function toFile(id: string): string {
  return id.replace(/\?.*/, '');
}

/** The text of a client file as its reader gets it. */
function toPlain(file: string, text: string): string {
  if (file.endsWith('.html')) return unescape(decodeEntities(text));
  // HTML in a string.
  if (file.endsWith('.html.js')) return unescape(decodeEntities(unescape(text)));
  // JSON with sources as strings, which contain strings themselves.
  if (file.endsWith('.map')) return unescape(unescape(text));
  // A bundler inlines small files into others.
  const inlined = [...text.matchAll(/;base64,([\w+/]+)/g)].map(([, data = '']) =>
    Buffer.from(data, 'base64').toString(),
  );
  return [unescape(text), ...inlined.map(unescape)].join('\n');
}

function decodeEntities(text: string): string {
  const entities: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', '#39': "'", '#x27': "'" };
  return text.replaceAll(/&(amp|lt|gt|quot|#39|#x27);/g, (_entity, name: string) => entities[name] ?? '');
}

/** Resolves the escapes of string literals: a minifier chooses its own. */
function unescape(text: string): string {
  if (!text.includes('\\')) return text;
  const letters: Record<string, string> = { n: '\n', r: '\r', t: '\t', b: '\b', f: '\f', v: '\v', '0': '\0', '\n': '' };
  return text.replaceAll(
    /\\(?:u\{([\da-f]{1,6})\}|u([\da-f]{4})|x([\da-f]{2})|([\s\S]))/gi,
    (escape: string, point?: string, unit?: string, byte?: string, letter?: string) => {
      const code = point ?? unit ?? byte;
      if (code === undefined) return letter === undefined ? escape : (letters[letter] ?? letter);
      const value = Number.parseInt(code, 16);
      return value > 0x10_ffff ? escape : String.fromCodePoint(value);
    },
  );
}

function findServerSources(
  file: string,
  { text, serverOnly }: { text: string; serverOnly: readonly string[] },
): Problem[] {
  let sources: string[];
  try {
    const map: { sources?: unknown } = JSON.parse(text);
    sources = Array.isArray(map.sources) ? map.sources.map((source) => decodeURI(String(source))) : [];
  } catch {
    // Not a source map, despite its name.
    return [];
  }
  return serverOnly
    .filter((server) => sources.some((source) => source === server || source.endsWith(`/${server}`)))
    .map((server) => ({
      file: server,
      message: `It is a source in the map ${file}, which the client gets.`,
      fix: 'Keep that code out of the client.',
    }));
}
