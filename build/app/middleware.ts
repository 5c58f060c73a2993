import path from 'node:path';

import type { ManifestPage } from 'appkit-server/manifest';

import type { Problem } from '../problem.ts';
import { toPatternKey, toRoutePath } from './route-path.ts';

/** A `+middleware` file, or `+instrumentation`, which wraps everything. */
export interface MiddlewareFile {
  /** The source, relative to the project. */
  file: string;
  /** The bundle, relative to `dist/server`. */
  output: string;
  /** The URL path of its folder, as a manifest pattern: `/` at the top and for a group at the top. */
  pattern: string;
  role: MiddlewareRole;
}

/**
 * The scope of middleware: the whole server, everything the config serves from the top of the routes folder, or one
 * folder.
 */
export type MiddlewareRole = 'instrumentation' | 'top' | 'folder';

/** A page as described by the code that writes or serves it. Its middleware is found by its source. */
export interface SourcedPage extends Omit<ManifestPage, 'middleware'> {
  /** Relative to the project. Absent when the page is not one of the app's own files. */
  source?: string;
}

/** Reads the place of a `+middleware` or `+instrumentation` file, or explains why it is wrong. */
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

/** Refuses two files for the same folder. */
export function findSecondMiddleware(files: readonly MiddlewareFile[]): Problem[] {
  const byFolder = Map.groupBy(files, ({ file }) => file.slice(0, -path.posix.extname(file).length));
  return [...byFolder.values()].flatMap(([first, ...others]) => {
    if (!first || others.length === 0) return [];
    const message = `Another file has the same name: ${others.map(({ file }) => file).join(' and ')}.`;
    return [{ file: first.file, message, fix: 'Put everything into one file.' }];
  });
}

/**
 * Finds the middleware for everything in a folder, in the order given: that of the folder and the folders above it, and
 * that of other folders with the same URL. Groups can put a path into several folders, and it must not escape the
 * middleware of one.
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

/**
 * Names the files that may answer paths below a folder with middleware without being guarded by it, because a parameter
 * matches the folder's name.
 */
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
        `${file} may answer paths below ${middleware.pattern} without running ${middleware.file}, since it answers ${pattern}. Guard it itself, or with the ` +
        'middleware at the top.',
    );
  });
}

/** Whether a parameter of a pattern is where the folder has a literal name, and everything else matches. */
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
