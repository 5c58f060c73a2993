import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { toHash } from '../cache/file-state.ts';
import { toAssetFolder } from './client-folder.ts';
import { listFiles } from './list-files.ts';
import { MANIFEST } from './client-manifest.ts';
import { writeFileIn } from './write-file.ts';

/** A file of an older export, and for how many it has been kept. */
interface Asset {
  name: string;
  hash: string;
  /** 0: the export itself has written it. */
  age: number;
}

/**
 * Copies the assets of the last exports next to those of this one: a client that was loaded before still asks for its chunks. An export that has
 * the same assets as the last one keeps what that has kept.
 *
 * @param client – the client folder of this export, with all of its own assets.
 * @param options – `outputDir` holds the last export; `base` is the path that the app is below; `generations` says for how many exports assets are kept.
 * @returns the age of each file that was copied, by its name in the folder.
 */
export async function keepAssets(
  client: string,
  {
    outputDir,
    base = '',
    generations,
    signal,
  }: { outputDir: string; base?: string | undefined; generations: number; signal?: AbortSignal | undefined },
): Promise<ReadonlyMap<string, number>> {
  const kept = new Map<string, number>();
  if (generations === 0) return kept;
  const folder = toAssetFolder(base);
  const last = await readAssets(outputDir, folder);
  const own = new Set(await listAssets(client, folder));
  const lastOwn = last.filter(({ age }) => age === 0);
  const isSame = lastOwn.length === own.size && lastOwn.every(({ name }) => own.has(name));
  for (const { name, hash, age } of last) {
    signal?.throwIfAborted();
    const next = isSame ? age : age + 1;
    if (own.has(name) || next > generations) continue;
    // Another export may be replacing it, and somebody may have changed it by hand.
    const content = await readFile(path.join(outputDir, 'client', name)).catch(() => undefined);
    if (content === undefined || toHash(content) !== hash) continue;
    writeFileIn(client, name, content);
    kept.set(name, next);
  }
  return kept;
}

/** The assets of an export, without source maps: they may hold sources, which this export is perhaps not to publish. */
async function listAssets(client: string, folder: string): Promise<string[]> {
  const names = await listFiles(path.join(client, folder)).catch(noneWithoutFolder);
  return names.map((name) => `${folder}/${name}`).filter((name) => isKeepable(name, folder));
}

function noneWithoutFolder(error: unknown): [] {
  if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
  throw error;
}

function isKeepable(name: string, folder: string): boolean {
  return name.startsWith(`${folder}/`) && !name.endsWith('.map') && !name.split('/').includes('..');
}

/** Reads what the last export has written of its assets. Without it, or of another version, there are none. */
async function readAssets(outputDir: string, folder: string): Promise<Asset[]> {
  const text = await readFile(path.join(outputDir, MANIFEST), 'utf8').catch(() => '{}');
  const { version, files } = toRecord(parse(text));
  if (version !== 1) return [];
  return Object.entries(toRecord(files)).flatMap(([name, entry]): Asset[] => {
    const { hash, age = 0 } = toRecord(entry);
    return isKeepable(name, folder) && typeof hash === 'string' && typeof age === 'number' ? [{ name, hash, age }] : [];
  });
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    // It is replaced by this export.
    return undefined;
  }
}

function toRecord(value: unknown): Record<string, unknown> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}
