import { readdirSync, realpathSync, statSync } from 'node:fs';
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
  return {
    get(name) {
      const root = realPath(folder);
      const file = root === undefined ? undefined : realPath(path.join(root, name));
      if (root === undefined || file === undefined || !isInside(root, file)) return undefined;
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

const MISSING = new Set<unknown>(['ENOENT', 'ENOTDIR', 'ENAMETOOLONG', 'ELOOP']);

function isInside(root: string, file: string): boolean {
  return file.startsWith(root.endsWith(path.sep) ? root : root + path.sep);
}
