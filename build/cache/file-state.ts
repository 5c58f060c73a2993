import { hash } from 'node:crypto';
import { readdirSync, readFileSync, readlinkSync, statSync } from 'node:fs';
import type { Dirent } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';

import { isFile } from '../output/is-file.ts';

/**
 * The files that an export reads, in their state during that export: each is read once, then cached. An input of a
 * bundle is a file that it contains, or a *tree*: the folder of a project or a package. The names of all files in a
 * tree count, because a new file can change what an import means.
 */
export interface FileState {
  /** The hash of a file, or `undefined` when it does not exist. */
  hashFile(file: string): string | undefined;
  /**
   * The hash of everything in and around a folder that decides what an import means: the names of its files, its
   * `package.json` and `tsconfig.json` files, and the packages installed there and in the folders above.
   */
  hashTree(folder: string): string;
  /** Whether everything that was asked for is unchanged, and was not written while this was in use. */
  isUnchanged(): boolean;
}

/** Files that decide what an import means. */
const CONFIG = /^(?:package|[jt]sconfig.*)\.json$/;
/** Folders of a project that no import can lead to: this cache, and exports in progress. */
const IGNORED = /^(?:\.git|\.appkit|\..+-\d+-\w{6})$/;
/** File system clocks are up to a tick behind the process's clock. */
const TICK_MS = 10;

/** Starts to look at files. Folders in `except` are ignored: an export does not read its own output. */
export function createFileState({ except }: { except: readonly string[] }): FileState {
  const startedAt = Date.now() - TICK_MS;
  const files = new Map<string, string | undefined>();
  const trees = new Map<string, string>();
  const surroundings = new Map<string, readonly string[]>();
  const skipped = new Set(except);

  const hashFile = (file: string): string | undefined => remember(files, file, () => readHash(file));
  const hashTree = (folder: string): string => remember(trees, folder, () => readTree(folder, surroundings));

  // Trees lie in the same folders: a hundred packages in one node_modules.
  const readTree = (folder: string, known: Map<string, readonly string[]>): string => {
    const lines: string[] = [];
    addTree(folder, { lines, skipped });
    for (let around = folder; ; around = path.dirname(around)) {
      if (around !== folder && path.basename(around) !== 'node_modules')
        lines.push(...remember(known, around, () => readAround(around)));
      if (around === path.dirname(around)) return toHash(lines.join('\n'));
    }
  };

  return {
    hashFile,
    hashTree,
    isUnchanged() {
      for (const [file, hash] of files) {
        const stats = statSync(file, { throwIfNoEntry: false });
        if ((stats === undefined) !== (hash === undefined)) return false;
        // Not by its content: it may have been changed and changed back while a bundler read it.
        if (stats && stats.ctimeMs >= startedAt) return false;
      }
      const now = new Map<string, readonly string[]>();
      for (const [folder, hash] of trees) if (readTree(folder, now) !== hash) return false;
      return true;
    },
  };
}

/** The hash of a text or of bytes. */
export function toHash(content: string | Buffer): string {
  return hash('sha256', content, 'base64url');
}

/** The content of a file. Many small files are read faster synchronously than concurrently. */
export function readIfThere(file: string): Buffer | undefined {
  try {
    return readFileSync(file);
  } catch {
    return undefined;
  }
}

function listIfThere(folder: string): Dirent[] | undefined {
  try {
    return readdirSync(folder, { withFileTypes: true });
  } catch {
    return undefined;
  }
}

function remember<T>(known: Map<string, T>, key: string, read: () => T): T {
  const found = known.has(key) ? (known.get(key) as T) : read();
  known.set(key, found);
  return found;
}

function readHash(file: string): string | undefined {
  const content = readIfThere(file);
  return content && toHash(content);
}

function addTree(folder: string, { lines, skipped }: { lines: string[]; skipped: ReadonlySet<string> }): void {
  const entries = listIfThere(folder);
  if (!entries) return void lines.push(`${folder} is no folder`);
  const start = path.join(folder, path.sep);
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = start + entry.name;
    if (skipped.has(full)) continue;
    if (entry.name === 'node_modules') addInstalled(full, lines);
    else if (entry.isDirectory() && !IGNORED.test(entry.name)) addTree(full, { lines, skipped });
    else if (entry.isSymbolicLink()) lines.push(`${full} → ${readlinkSync(full)}`);
    else if (entry.isFile() && CONFIG.test(entry.name)) addConfig(full, lines);
    else if (entry.isFile()) lines.push(full);
  }
}

/** What a folder decides for the trees in it. */
function readAround(folder: string): string[] {
  const lines: string[] = [];
  addInstalled(path.join(folder, 'node_modules'), lines);
  for (const name of ['package.json', 'tsconfig.json', '.pnp.cjs']) addConfig(path.join(folder, name), lines);
  return lines;
}

/** Adds the names of the packages installed in a folder, and the targets of links among them. */
function addInstalled(folder: string, lines: string[]): void {
  const entries = listIfThere(folder) ?? [];
  // Names that start with a dot belong to tools.
  for (const entry of entries
    .filter(({ name }) => !name.startsWith('.'))
    .toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const full = path.join(folder, entry.name);
    if (entry.isSymbolicLink()) lines.push(`${full} → ${readlinkSync(full)}`);
    else if (entry.name.startsWith('@')) addInstalled(full, lines);
    else lines.push(full);
  }
}

/** Adds the content of a file, and of the configs that a `tsconfig.json` extends. */
function addConfig(file: string, lines: string[], seen = new Set<string>()): void {
  if (seen.has(file)) return;
  seen.add(file);
  const text = readIfThere(file)?.toString();
  if (text === undefined) return;
  lines.push(`${file} ${toHash(text)}`);
  if (path.basename(file) === 'package.json') return;
  for (const other of findConfigs(text, path.dirname(file))) addConfig(other, lines, seen);
}

/** The configs that one extends. The file may have comments, so it is not parsed: a config too many does no harm. */
function findConfigs(text: string, folder: string): string[] {
  const values = [...text.matchAll(/"(?:extends|path)"\s*:\s*(\[[^\]]*\]|"[^"]*")/g)].map(([, value = '']) => value);
  const names = values.flatMap((value) => [...value.matchAll(/"([^"]*)"/g)].map(([, name = '']) => name));
  const folders = [folder, ...(createRequire(path.join(folder, 'index.js')).resolve.paths('x') ?? [])];
  const candidates = names.flatMap((name) =>
    folders.flatMap((from) => [name, `${name}.json`, `${name}/tsconfig.json`].map((way) => path.resolve(from, way))),
  );
  return candidates.filter(isFile);
}
