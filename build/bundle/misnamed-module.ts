import { readFileSync } from 'node:fs';
import path from 'node:path';

import { toProjectPath } from '../app/project-path.ts';
import { toSourcePosition } from '../app/source-position.ts';
import { findWrittenName } from '../app/written-name.ts';
import type { ListNames } from '../app/written-name.ts';
import { isInstalled } from '../packages/package-of.ts';
import type { Problem } from '../problem.ts';
import { findRequest } from './module-requests.ts';

/** A module of the app that was imported by another name than its disk has. */
export interface Misnamed {
  /** The path by which it was imported. */
  file: string;
  /** Its own name, relative to the project. */
  written: string;
}

/**
 * Finds out whether a module was imported in another letter case than its file has. On macOS and Windows alone it is found,
 * and is another module than the same file by its own name.
 */
export function findMisnamed(
  id: string,
  { projectRoot, list }: { projectRoot: string; list?: ListNames | undefined },
): Misnamed | undefined {
  const file = toFile(id);
  if (!path.isAbsolute(file) || isInstalled(file)) return undefined;
  const written = findWrittenName(projectRoot, file, list);
  return written === undefined ? undefined : { file, written };
}

const FIX =
  'Write the name as the file has it: Linux finds no other, and where another is found, the module is loaded twice.';

/**
 * Says where a module is imported by the wrong name.
 *
 * @param options – `importer`: the id of the module that imports it, if known.
 */
export function toMisnamedProblem(
  { file, written }: Misnamed,
  { importer, projectRoot }: { importer: string | undefined; projectRoot: string },
): Problem {
  const asked = toProjectPath(projectRoot, file);
  const why =
    asked.normalize() === written.normalize()
      ? 'where the name has its accents in the other form of Unicode'
      : `but the file is called ${written}`;
  const from = importer === undefined ? undefined : toFile(importer);
  if (from === undefined || !path.isAbsolute(from)) {
    return { file: written, message: `It is imported as ${asked}, ${why}.`, fix: FIX };
  }
  const stem = toStem(asked);
  const offset = findRequest(from, (specifier) => isAbout(specifier, stem));
  return {
    file: toProjectPath(projectRoot, from),
    ...(offset === undefined ? {} : toSourcePosition(readFileSync(from, 'utf8'), offset)),
    message: `It imports ${asked}, ${why}.`,
    fix: FIX,
  };
}

/** Without the query of a bundler. */
function toFile(id: string): string {
  const [file = id] = id.split('?');
  return path.normalize(file);
}

/** Whether an import may mean a file, by the last parts of its path. The first may be an alias. */
function isAbout(specifier: string, stem: string): boolean {
  const parts = toStem(specifier)
    .split('/')
    .filter((part) => part !== '.' && part !== '..');
  const ends = (some: readonly string[]): boolean => some.length > 0 && `/${stem}`.endsWith(`/${some.join('/')}`);
  return ends(parts) || ends(parts.slice(1));
}

/** A path without what an import may leave out. */
function toStem(file: string): string {
  const [name = file] = file.split('?');
  return name.replace(/\.[^./]+$/, '').replace(/\/index$/, '');
}
