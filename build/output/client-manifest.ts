import { existsSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';

import type { BundleCache } from '../cache/bundle-cache.ts';
import { compressFile, isCompressible } from './compress-file.ts';
import type { WrittenFile } from './measure-files.ts';
import { runBounded } from './run-bounded.ts';
import { writeFileIn } from './write-file.ts';

const FOLDER = 'client.files';
/** The file that lists the files of an export, relative to the output folder. */
export const MANIFEST: string = `${FOLDER}/manifest.json`;
const CLIENT = 'client/';

/** What the manifest says about a file. */
interface ManifestEntry {
  size: number;
  hash: string;
  /** The codings in which it is stored, each as `<hash>.<coding>` next to the manifest. */
  codings?: string[];
  /** How many exports it has been kept for, if it comes from an earlier export. */
  age?: number;
}

/**
 * Writes the manifest by which `appkit-server/static` knows the exported files, and compresses them. Both go next to
 * the client folder: a platform that serves that folder must not publish them.
 *
 * @param written – the files of the export; client files have a hash.
 * @param options – with `compress`, files that are worth it are compressed. `kept` is the age of the files of earlier
 * exports, by name. `immutable` lists the folders, relative to the client's, in which each file is named after its
 * content.
 * @returns the files, including the added ones. If no client is exported, there is no manifest.
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
  // A client without files has one as well: the edge function of Netlify imports it.
  if (files.length === 0 && !existsSync(path.join(folder, CLIENT))) return [...written];
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
