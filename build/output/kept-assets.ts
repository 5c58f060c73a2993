import { readFile } from 'node:fs/promises';
import path from 'node:path';

import { toHash } from '../cache/file-state.ts';
import { toAssetFolder } from './client-folder.ts';
import { listFiles } from './list-files.ts';
import { MANIFEST } from './client-manifest.ts';
import { writeFileIn } from './write-file.ts';

/** A file of an earlier export, and how many exports it has been kept for. */
interface Asset {
  name: string;
  hash: string;
  /** 0: this export has written it itself. */
  age: number;
}

/**
 * Copies the assets of earlier exports next to those of this one: a client that was loaded before still requests its
 * chunks. An export with the same assets as the last one keeps what that one kept.
 *
 * @param client – the client folder of this export, with all of its own assets.
 * @param options – `outputDir` contains the last export; `base` is the path that the app is below; `generations` is the
 * number of exports that assets are kept for.
 * @returns the age of each copied file, by its name in the folder.
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
    // Another export may be replacing it, or it may have been changed by hand.
    const content = await readFile(path.join(outputDir, 'client', name)).catch(() => undefined);
    if (content === undefined || toHash(content) !== hash) continue;
    writeFileIn(client, name, content);
    kept.set(name, next);
  }
  return kept;
}

/**
 * The assets of an export, without source maps: these may contain sources, which this export may not want to publish.
 */
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

/** Reads the last export's list of its assets. Without a list, or with one of another version, there are none. */
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
