import { readdirSync } from 'node:fs';
import path from 'node:path';

import { toFileKey } from './file-key.ts';
import { isInside, toProjectPath } from './project-path.ts';

/** Lists the names in a folder. */
export type ListNames = (folder: string) => ReadonlySet<string>;

/** Lists the names that the disk has. */
export const listNames: ListNames = (folder) => new Set(readdirSync(folder));

/** The same, with each folder listed once. */
export function createNameList(): ListNames {
  const known = new Map<string, ReadonlySet<string>>();
  return (folder) => {
    const names = known.get(folder) ?? listed(folder, listNames);
    known.set(folder, names);
    return names;
  };
}

/**
 * The name of a file as its disk has it, relative to the project, if it was asked for by another: macOS and Windows find a
 * file in any letter case, and macOS however an accent is written. Undefined for any other file.
 */
export function findWrittenName(projectRoot: string, file: string, list: ListNames = listNames): string | undefined {
  if (!isInside(projectRoot, file)) return undefined;
  const asked = toProjectPath(projectRoot, file);
  const written: string[] = [];
  for (const part of asked.split('/')) {
    const name = findName(part, listed(path.join(projectRoot, ...written), list));
    // A module that is not a file.
    if (name === undefined) return undefined;
    written.push(name);
  }
  const found = written.join('/');
  return found === asked ? undefined : found;
}

function findName(part: string, names: ReadonlySet<string>): string | undefined {
  if (names.has(part)) return part;
  let byKey = keysOf.get(names);
  if (!byKey) keysOf.set(names, (byKey = new Map([...names].map((name) => [toFileKey(name), name]))));
  return byKey.get(toFileKey(part));
}

/** Of lists that are used again: in a folder of thousands of routes, each comparison would take a while. */
const keysOf = new WeakMap<ReadonlySet<string>, Map<string, string>>();

function listed(folder: string, list: ListNames): ReadonlySet<string> {
  try {
    return list(folder);
  } catch {
    return new Set();
  }
}
