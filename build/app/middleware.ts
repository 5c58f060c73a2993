import path from 'node:path';

import type { ManifestPage } from 'appkit-server/manifest';

import type { Problem } from '../problem.ts';
import { toPatternKey, toRoutePath } from './route-path.ts';

/** A `+middleware` file, or `+instrumentation`, which is around everything. */
export interface MiddlewareFile {
  /** The source, relative to the project. */
  file: string;
  /** The bundle, relative to `dist/server`. */
  output: string;
  /** The URL path of its folder, in the grammar of the manifest: `/` at the top, and for a group there. */
  pattern: string;
  role: MiddlewareRole;
}

/** What middleware is for: the whole server, everything that the config leads to from the top of the routes folder, or a folder. */
export type MiddlewareRole = 'instrumentation' | 'top' | 'folder';

/** A page as whoever writes it describes it. Its middleware is found by its source. */
export interface SourcedPage extends Omit<ManifestPage, 'middleware'> {
  /** Relative to the project. Absent when the page is not one of the app's own. */
  source?: string;
}

/** Reads the place of a `+middleware` or `+instrumentation` file, or says what is wrong with it. */
export function placeMiddleware(
  file: Pick<MiddlewareFile, 'file' | 'output'>,
  { stem }: { /** Its path in the routes folder. */ stem: string },
): MiddlewareFile | { message: string; fix: string } {
  const folder = path.posix.dirname(stem);
  if (path.posix.basename(stem) === '+instrumentation') {
    if (folder === '.') return { ...file, pattern: '/', role: 'instrumentation' };
    return {
      message: 'It would never run: +instrumentation is for the whole app.',
      fix: 'Move it to the top of the routes folder.',
    };
  }
  const place = folder === '.' ? { pattern: '/' } : toRoutePath(`${folder}/index`);
  return 'message' in place ? place : { ...file, pattern: place.pattern, role: folder === '.' ? 'top' : 'folder' };
}

/** The outermost first. */
export function sortMiddleware(files: readonly MiddlewareFile[]): MiddlewareFile[] {
  const depthOf = ({ file, pattern, role }: MiddlewareFile): [number, number] => [
    role === 'instrumentation' ? -1 : countSegments(pattern),
    file.split('/').length,
  ];
  return files.toSorted((a, b) => {
    const [[segments, folders], [otherSegments, otherFolders]] = [depthOf(a), depthOf(b)];
    return segments - otherSegments || folders - otherFolders || (a.file < b.file ? -1 : 1);
  });
}

/** Refuses several files for one folder. */
export function findSecondMiddleware(files: readonly MiddlewareFile[]): Problem[] {
  const byFolder = Map.groupBy(files, ({ file }) => file.slice(0, -path.posix.extname(file).length));
  return [...byFolder.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return [];
    const message = `There is another file of its name: ${others.map(({ file }) => file).join(' and ')}.`;
    return [{ file: first.file, message, fix: 'Put all of it into one file.' }];
  });
}

/**
 * Finds the middleware of what is in a folder, in the order given. It is that of the folder and those above, and that of other folders with the
 * same URL: a path may be in several folders, by groups, and must not escape the middleware of one.
 */
export function findMiddleware<File extends MiddlewareFile>(
  files: readonly File[],
  { file, pattern }: { file: string; pattern: string },
): File[] {
  const key = `${toPatternKey(pattern)}/`;
  return files.filter((middleware) => {
    if (middleware.role !== 'folder') return false;
    const isBelow = middleware.pattern !== '/' && key.startsWith(`${toPatternKey(middleware.pattern)}/`);
    return isBelow || file.startsWith(`${path.posix.dirname(middleware.file)}/`);
  });
}

/** Names what may answer paths below a folder with middleware although it is not guarded by that, since a parameter takes the folder's name. */
export function warnOfUnguarded(
  files: readonly MiddlewareFile[],
  answering: readonly { file: string; pattern: string }[],
): string[] {
  return files.flatMap((middleware) => {
    if (middleware.role !== 'folder' || middleware.pattern === '/') return [];
    const unguarded = answering.filter(
      (one) => mayAnswerBelow(one.pattern, middleware.pattern) && !findMiddleware(files, one).includes(middleware),
    );
    return unguarded.map(
      ({ file, pattern }) =>
        `${file} may answer paths below ${middleware.pattern} without ${middleware.file}, since it answers ${pattern}. Guard it itself, or by the ` +
        'middleware at the top.',
    );
  });
}

/** Whether a parameter of a pattern stands where the folder has a name of its own, and all else fits. */
function mayAnswerBelow(pattern: string, folder: string): boolean {
  const segments = pattern.split('/').slice(1);
  let isByParameter = false;
  for (const [index, name] of folder.split('/').slice(1).entries()) {
    const segment = segments[index];
    if (segment === undefined) return false;
    if (segment.startsWith('[...')) return isByParameter || !name.startsWith('[');
    if (segment.startsWith('[')) isByParameter ||= !name.startsWith('[');
    else if (segment !== name) return false;
  }
  return isByParameter;
}

function countSegments(pattern: string): number {
  return pattern.split('/').filter((segment) => segment !== '').length;
}
