import { createHash } from 'node:crypto';
import { readFileSync, statSync } from 'node:fs';
import type { Stats } from 'node:fs';
import type { Coding } from './accept-encoding.ts';
import { describeForm } from './static-file.ts';
import type { FileForm } from './static-file.ts';

/** The export's knowledge about its files: `dist/client.files/manifest.json` describes the files in `dist/client`. */
interface PreparedFiles {
  version: 1;
  /** Folders in which each file is named by its content. Missing in older exports. */
  immutable?: readonly string[];
  /** By name, relative to the folder. */
  files: Record<string, PreparedFile>;
}

interface PreparedFile {
  /** In bytes. */
  size: number;
  /** SHA-256 of the content, as base64url. */
  hash: string;
  /** The available codings, each in `<hash>.<coding>` next to the manifest. */
  codings?: readonly Coding[];
}

/** Finds what an export has prepared for a file. */
export interface Prepared {
  /** Whether a file never changes, because it is named by its content. `undefined` if the export does not say. */
  isImmutable(name: string): boolean | undefined;
  /** Returns the ETag of a file and its compressed forms, if it has not changed since the export. */
  find(name: string, file: { path: string; stats: Stats }): { etag: string; coded: readonly FileForm[] } | undefined;
}

/** The smallest first: among codings that a client likes equally, the smallest is sent. */
const PREFERRED: readonly Coding[] = ['br', 'zstd', 'gzip'];

/** Larger files are not read again to check for changes. */
const LARGE = 16 * 1024 * 1024;

/**
 * Opens what an export has prepared for the files of a folder. A folder that was made by hand or copied alone has
 * nothing prepared.
 *
 * @param folder – the folder of the files, such as `dist/client`.
 */
export function openPrepared(folder: string): Prepared {
  const file = `${folder}.files/manifest.json`;
  const verified = new Map<string, { mtimeMs: number; hash: string }>();
  let read: (ReadManifest & { mtimeMs: number }) | undefined;

  const manifest = (): typeof read => {
    const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs !== read?.mtimeMs) read = mtimeMs === undefined ? undefined : { ...readManifest(file), mtimeMs };
    return read;
  };

  const isUnchanged = ({ size, hash }: PreparedFile, { path, stats }: { path: string; stats: Stats }): boolean => {
    if (size !== stats.size || !read) return false;
    // Everything was written before the manifest. A copy may have lost the dates, and an edit may have kept the size.
    if (stats.mtimeMs <= read.mtimeMs) return true;
    if (size > LARGE) return false;
    let found = verified.get(path);
    if (found?.mtimeMs !== stats.mtimeMs) {
      found = { mtimeMs: stats.mtimeMs, hash: createHash('sha256').update(readFileSync(path)).digest('base64url') };
      verified.set(path, found);
    }
    return found.hash === hash;
  };

  return {
    isImmutable: (name) => manifest()?.immutable?.some((prefix) => name.startsWith(prefix)),
    find(name, file) {
      const prepared = manifest()?.files.get(name);
      if (!prepared || !isUnchanged(prepared, file)) return undefined;
      const { hash, codings = [] } = prepared;
      const coded = PREFERRED.filter((coding) => codings.includes(coding)).flatMap((coding) => {
        const path = `${folder}.files/${hash}.${coding}`;
        const stats = statSync(path, { throwIfNoEntry: false });
        return stats ? [{ ...describeForm(path, stats, `"${hash}-${coding}"`), coding }] : [];
      });
      return { etag: `"${hash}"`, coded };
    },
  };
}

interface ReadManifest {
  files: ReadonlyMap<string, PreparedFile>;
  /** With a slash at their ends. */
  immutable: readonly string[] | undefined;
}

function readManifest(file: string): ReadManifest {
  const { version, files, immutable } = JSON.parse(readFileSync(file, 'utf8')) as PreparedFiles; // written by the export
  // Without the manifest, files are still served, like files that do not come from an export.
  if (version !== 1) return { files: new Map(), immutable: undefined };
  return { files: new Map(Object.entries(files)), immutable: immutable?.map((folder) => `${folder}/`) };
}
