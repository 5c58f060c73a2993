import { existsSync, readdirSync, realpathSync, statSync } from 'node:fs';
import type { Dirent, Stats } from 'node:fs';
import path from 'node:path';
import { openPrepared } from './prepared.ts';
import type { Prepared } from './prepared.ts';
import { describeFile } from './static-file.ts';
import type { StaticFile } from './static-file.ts';
import { isServable } from './static-path.ts';

/** The files of a folder that clients may request. */
export interface FileIndex {
  /** Finds a file by its name, relative to the folder, with `/` between folders. */
  get(name: string): StaticFile | undefined;
}

/** Lists the files of a folder once, so that the path of a request never reaches the disk. Links that lead out of the folder are left out. */
export function listFolder(folder: string): FileIndex {
  const root = realPath(folder);
  const files = new Map<string, StaticFile>();
  if (root === undefined) return files;
  const prepared = openPrepared(folder);

  const add = (entry: Dirent, around: { folder: string; prefix: string; parents: readonly string[] }): void => {
    const name = around.prefix + entry.name;
    if (!isServable(entry.name, around.parents.length - 1)) return;
    const file = path.join(around.folder, entry.name);
    const real = entry.isSymbolicLink() ? realPath(file) : file;
    if (real === undefined || !isInside(root, real)) return;
    const stats = statSync(real);
    if (stats.isFile()) files.set(name, describe(name, { path: real, stats, prepared }));
    // Following a link to a parent folder would never end.
    else if (stats.isDirectory() && !around.parents.includes(real))
      addAll({ folder: real, prefix: `${name}/`, parents: [...around.parents, real] });
  };
  const addAll = (around: Parameters<typeof add>[1]): void => {
    for (const entry of readdirSync(around.folder, { withFileTypes: true })) add(entry, around);
  };
  addAll({ folder: root, prefix: '', parents: [root] });
  return files;
}

/** Looks up each file when it is requested. */
export function watchFolder(folder: string): FileIndex {
  const prepared = openPrepared(folder);
  const known = new Set<string>();
  let isLoose: boolean | undefined;
  /** Only by its exact name, as where the folder is listed: the disks of macOS and Windows ignore letter case. */
  const isNamed = (root: string, name: string): boolean => {
    isLoose ??= ignoresCase(root);
    if (isLoose === false || known.has(name)) return true;
    if (!isListed(root, name)) return false;
    known.add(name);
    return true;
  };
  return {
    get(name) {
      const root = realPath(folder);
      const file = root === undefined ? undefined : realPath(path.join(root, name));
      if (root === undefined || file === undefined || !isInside(root, file)) return undefined;
      if (!isNamed(root, name)) return undefined;
      // The file may have been removed meanwhile.
      const stats = statSync(file, { throwIfNoEntry: false });
      return stats?.isFile() ? describe(name, { path: file, stats, prepared }) : undefined;
    },
  };
}

function describe(name: string, found: { path: string; stats: Stats; prepared: Prepared }): StaticFile {
  const { etag, coded = [] } = found.prepared.find(name, found) ?? {};
  const isImmutable = found.prepared.isImmutable(name);
  return { ...describeFile(name, { ...found, etag, isImmutable }), coded };
}

/** The path without links, or undefined if the file does not exist. */
function realPath(file: string): string | undefined {
  try {
    return realpathSync(file);
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined;
    if (MISSING.has(code)) return undefined;
    throw error;
  }
}

/** Whether a file is found in another letter case. Undefined while the folder has no name to try it with. */
function ignoresCase(folder: string): boolean | undefined {
  const names = new Set(namesIn(folder));
  for (const name of names) {
    const other = name === name.toUpperCase() ? name.toLowerCase() : name.toUpperCase();
    if (!names.has(other)) return existsSync(path.join(folder, other));
  }
  return undefined;
}

/** Whether a file and the folders that it is in are listed by these names. */
function isListed(root: string, name: string): boolean {
  const parts = name.split('/');
  return parts.every((part, depth) => namesIn(path.join(root, ...parts.slice(0, depth)))?.includes(part) ?? true);
}

/** Undefined for a folder that this user may not list, or that has been removed meanwhile. */
function namesIn(folder: string): string[] | undefined {
  try {
    return readdirSync(folder);
  } catch {
    return undefined;
  }
}

const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

function isInside(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}
