import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { gzip, gzipSync } from 'node:zlib';

import type { BundleCache } from '../cache/bundle-cache.ts';
import { toHash } from '../cache/file-state.ts';
import { listFiles } from './list-files.ts';
import { runBounded } from './run-bounded.ts';

/** One file of an export. */
export interface ExportedFile {
  /** Relative to the output folder, with `/` between folders. */
  path: string;
  /** Its size. */
  bytes: number;
  /** Its gzipped size at the default level, for a file that clients load: one in `client/` that is not a source map. */
  gzipBytes?: number;
}

/** A written file. */
export interface WrittenFile {
  file: ExportedFile;
  /** The hash of its content, for client files. */
  hash?: string;
}

const toGzip = promisify(gzip);
const SMALL = 16_384;

/** Measures every file of an export. For client files, returns their hash and gzipped size, too. */
export async function measureFiles(
  folder: string,
  { cache, signal }: { cache: BundleCache; signal: AbortSignal | undefined },
): Promise<WrittenFile[]> {
  const measure = async (name: string): Promise<WrittenFile> => {
    signal?.throwIfAborted();
    const file = path.join(folder, name);
    if (!name.startsWith('client/')) return { file: { path: name, bytes: statSync(file).size } };
    const content = readFileSync(file);
    const hash = toHash(content);
    if (name.endsWith('.map')) return { file: { path: name, bytes: content.length }, hash };
    // For a small file, switching threads would take most of the time, also when reading.
    const zip = (): Buffer | Promise<Buffer> => (content.length < SMALL ? gzipSync(content) : toGzip(content));
    const gzipBytes = await cache.recall(['gzip', hash], async () => (await zip()).length);
    return { file: { path: name, bytes: content.length, gzipBytes }, hash };
  };
  return runBounded(await listFiles(folder), measure, { limit: 4 });
}
