import type { Stats } from 'node:fs';
import type { Coding } from './accept-encoding.ts';
import { toContentType } from './media-type.ts';

/** A file on the disk, in one of its codings. */
export interface FileForm {
  /** Its absolute path. */
  path: string;
  /** In bytes. */
  size: number;
  /** When it was last changed, in milliseconds. */
  mtimeMs: number;
  /** The same as a header. */
  lastModified: string;
  /** Its entity tag. */
  etag: string;
  /** The content coding. Missing for the file itself. */
  coding?: Coding;
}

/** A file that clients may get, with the headers of each answer. */
export interface StaticFile extends FileForm {
  /** Relative to its folder, with `/` between folders. */
  name: string;
  type: string;
  cacheControl: string;
  /** The same content in other codings, the preferred one first. */
  coded: readonly FileForm[];
}

/** For files that may change under the same name: caches may keep them, but must revalidate each time. */
export const REVALIDATED = 'public, max-age=0, must-revalidate';

/**
 * If nothing else is known, the folder whose files an export names by their content. The app may be mounted below a
 * path.
 */
const IMMUTABLE = /(?:^|\/)_appkit\/assets\//;

/**
 * Describes a file by its name and state.
 *
 * @param file – `etag` is the entity tag of its content. Without it, a weak tag of size and date is used: weak, since
 * two contents may share these. `isImmutable` says that it never changes.
 */
export function describeFile(
  name: string,
  { path, stats, etag, isImmutable = IMMUTABLE.test(name) }: DescribedFile,
): StaticFile {
  return {
    ...describeForm(path, stats, etag),
    name,
    type: toContentType(name),
    cacheControl: isImmutable ? 'public, max-age=31536000, immutable' : REVALIDATED,
    coded: [],
  };
}

interface DescribedFile {
  path: string;
  stats: Stats;
  etag?: string | undefined;
  isImmutable?: boolean | undefined;
}

/** Describes one coding of a file by its state. */
export function describeForm(path: string, { size, mtimeMs }: Stats, etag?: string): FileForm {
  return {
    path,
    size,
    mtimeMs,
    lastModified: new Date(mtimeMs).toUTCString(),
    etag: etag ?? `W/"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"`,
  };
}
