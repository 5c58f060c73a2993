import { readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import type { BundleCache } from '../cache/bundle-cache.ts';
import { compressFile, isCompressible } from './compress-file.ts';
import type { WrittenFile } from './measure-files.ts';
import { runBounded } from './run-bounded.ts';
import { writeFileIn } from './write-file.ts';

const FOLDER = 'client.files';
/** What knows the files of an export, relative to the output folder. */
export const MANIFEST: string = `${FOLDER}/manifest.json`;
const CLIENT = 'client/';

/** What the manifest says of a file. */
interface ManifestEntry {
  size: number;
  hash: string;
  /** The codings it stands ready in, each in `<hash>.<coding>` next to the manifest. */
  codings?: string[];
  /** For how many exports it has been kept, when it is not one of this export. */
  age?: number;
}

/**
 * Writes what `appkit-server/static` knows the exported files by, and compresses them, next to the folder that holds them: on a
 * platform that serves that folder, nobody is to get this.
 *
 * @param written – the files of the export; those of the client have a hash.
 * @param options – with `compress`, files are compressed that are worth it. `kept` says how old those of former exports are, by their names.
 * `immutable` are the folders, relative to the client's, in which each file is named by its content.
 * @returns the files with those that were added. Without a file for clients there is none.
 */
export async function writeClientManifest(
  folder: string,
  written: readonly WrittenFile[],
  {
    cache,
    compress,
    immutable,
    kept,
    signal,
  }: {
    cache: BundleCache;
    compress: boolean;
    immutable: readonly string[];
    kept?: ReadonlyMap<string, number>;
    signal?: AbortSignal | undefined;
  },
): Promise<WrittenFile[]> {
  const describe = async ({ file, hash }: WrittenFile): Promise<[string, ManifestEntry][]> => {
    signal?.throwIfAborted();
    if (hash === undefined) return [];
    const name = file.path.slice(CLIENT.length);
    const age = kept?.get(name);
    const entry = { size: file.bytes, hash, ...(age !== undefined && { age }) };
    if (!compress || !isCompressible(name, file.bytes)) return [[name, entry]];
    const coded = await compressFile(readFileSync(path.join(folder, file.path)), { hash, cache });
    for (const [coding, content] of coded) writeFileIn(folder, `${FOLDER}/${hash}.${coding}`, content);
    return [[name, { ...entry, ...(coded.size > 0 && { codings: [...coded.keys()] }) }]];
  };
  const files = (await runBounded(written, describe, { limit: 2 })).flat();
  if (files.length === 0) return [...written];
  const manifest = `${JSON.stringify({ version: 1, immutable, files: Object.fromEntries(files) })}\n`;
  writeFileIn(folder, MANIFEST, manifest);

  const coded = files.flatMap(([, { hash, codings = [] }]) => codings.map((coding) => `${hash}.${coding}`));
  const added = [...new Set(['manifest.json', ...coded])].map((name): WrittenFile => {
    const file = `${FOLDER}/${name}`;
    return { file: { path: file, bytes: statSync(path.join(folder, file)).size } };
  });
  return [...written, ...added].toSorted(byPath);
}

function byPath(a: WrittenFile, b: WrittenFile): number {
  return a.file.path < b.file.path ? -1 : 1;
}
