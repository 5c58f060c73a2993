import { createHash } from 'node:crypto';
import { readFileSync, type Stats, statSync } from 'node:fs';

/** What an export knows of its files: `dist/client.files/manifest.json` of those in `dist/client`. */
interface PreparedFiles {
  version: 1;
  /** By name, relative to the folder. */
  files: Record<string, PreparedFile>;
}

interface PreparedFile {
  /** In bytes. */
  size: number;
  /** SHA-256 of the content, as base64url. */
  hash: string;
}

/** Finds what an export has prepared for a file. */
export interface Prepared {
  /** The hash of a file, if it still is what was exported. */
  hashOf(name: string, file: { path: string; stats: Stats }): string | undefined;
}

/** A file that is larger is not read again to see whether it has changed. */
const LARGE = 16 * 1024 * 1024;

/**
 * Opens what an export has prepared for the files of a folder. There may be nothing: the folder was made by hand, or was copied
 * alone.
 *
 * @param folder – that of the files, such as `dist/client`.
 */
export function openPrepared(folder: string): Prepared {
  const file = `${folder}.files/manifest.json`;
  const verified = new Map<string, string>();
  let read: { files: ReadonlyMap<string, PreparedFile>; mtimeMs: number } | undefined;

  const manifest = (): typeof read => {
    const mtimeMs = statSync(file, { throwIfNoEntry: false })?.mtimeMs;
    if (mtimeMs !== read?.mtimeMs) read = mtimeMs === undefined ? undefined : { files: readManifest(file), mtimeMs };
    return read;
  };

  return {
    hashOf(name, { path, stats }) {
      const exported = manifest();
      const prepared = exported?.files.get(name);
      if (!exported || prepared?.size !== stats.size) return undefined;
      // Everything was written before the manifest. A copy may have lost the dates, and an edit may have kept the size.
      if (stats.mtimeMs <= exported.mtimeMs) return prepared.hash;
      if (stats.size > LARGE) return undefined;
      const state = `${stats.mtimeMs} ${path}`;
      const hash = verified.get(state) ?? createHash('sha256').update(readFileSync(path)).digest('base64url');
      verified.set(state, hash);
      return hash === prepared.hash ? hash : undefined;
    },
  };
}

function readManifest(file: string): ReadonlyMap<string, PreparedFile> {
  const { version, files } = JSON.parse(readFileSync(file, 'utf8')) as PreparedFiles; // as the export wrote it
  // Without it, files are served all the same, as those of no export.
  return new Map(version === 1 ? Object.entries(files) : []);
}
