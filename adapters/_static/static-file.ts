import type { Stats } from 'node:fs';
import type { Coding } from './accept-encoding.ts';
import { toContentType } from './media-type.ts';

/** A file as it is on the disk, in one of its forms. */
export interface FileForm {
  /** Its absolute path. */
  path: string;
  /** In bytes. */
  size: number;
  /** When it was last changed, in milliseconds. */
  mtimeMs: number;
  /** Its entity tag. */
  etag: string;
  /** The content coding that it stands in. Absent for the file itself. */
  coding?: Coding;
}

/** A file that clients may have, with what each answer says of it. */
export interface StaticFile extends FileForm {
  /** Relative to its folder, with `/` between folders. */
  name: string;
  type: string;
  cacheControl: string;
  /** The same content in other codings, our favourite first. */
  coded: readonly FileForm[];
}

/** For what may change under its name: to be kept, and asked for again each time. */
export const REVALIDATED = 'public, max-age=0, must-revalidate';

/** The folder whose files have a hash in their names: what is there never changes. */
const IMMUTABLE = '_appkit/assets/';

/**
 * Describes a file by its name and state.
 *
 * @param etag – its entity tag, of its content. Without one it is of size and date, and weak: two contents may share these.
 */
export function describeFile(
  name: string,
  { path, stats, etag }: { path: string; stats: Stats; etag?: string },
): StaticFile {
  return {
    ...describeForm(path, stats, etag),
    name,
    type: toContentType(name),
    cacheControl: name.startsWith(IMMUTABLE) ? 'public, max-age=31536000, immutable' : REVALIDATED,
    coded: [],
  };
}

/** Describes one form of a file by its state. */
export function describeForm(path: string, { size, mtimeMs }: Stats, etag?: string): FileForm {
  return { path, size, mtimeMs, etag: etag ?? `W/"${size.toString(16)}-${Math.trunc(mtimeMs).toString(16)}"` };
}
