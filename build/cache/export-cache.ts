import { rmSync, statSync, utimesSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileIn } from '../output/write-file.ts';
import { readIfThere, toHash } from './file-state.ts';

/** Something made from an app that can be taken from the cache as long as its inputs stay the same. */
export interface CacheEntry {
  /** Its metadata, as JSON. */
  value: unknown;
  /** Its files, by names that have a meaning only to the code that made the entry. */
  files: ReadonlyMap<string, Buffer>;
}

/** The cache entries that earlier exports of a project have left. */
export interface ExportCache {
  /** Finds an entry. A damaged one counts as missing. */
  read(key: string): CacheEntry | undefined;
  /** Writes an entry that is not found before {@link ExportCache.commit}. */
  write(key: string, entry: CacheEntry): void;
  /** Makes written entries available to others, and removes those not used for a week. */
  commit(): Promise<void>;
}

/** Where the cache is, relative to the project. */
export const CACHE_FOLDER = '.appkit/cache';

/** The first line of an entry, after its hash. */
interface Header {
  key: string;
  value: unknown;
  files: [name: string, bytes: number][];
}

const DAY_MS = 24 * 60 * 60 * 1000;
const UNUSED_MS = 7 * DAY_MS;
const MARK = 'appkit-cache ';

/**
 * Opens the cache of a project.
 *
 * @param options – `workFolder` contains what is written until it is committed. The code that created that folder
 * removes it.
 */
export function openExportCache(projectRoot: string, { workFolder }: { workFolder: string }): ExportCache {
  const folder = path.join(projectRoot, CACHE_FOLDER);
  const written = new Set<string>();
  const used = new Set<string>();
  let isFull = false;
  return {
    read(key) {
      const name = toHash(key);
      const content = readIfThere(path.join(folder, name));
      const entry = content && parseEntry(content, key);
      if (entry) used.add(name);
      return entry;
    },
    write(key, entry) {
      if (isFull) return;
      const name = toHash(key);
      try {
        writeFileIn(workFolder, name, formatEntry(key, entry));
        written.add(name);
      } catch (error) {
        if (!(error instanceof Error && 'code' in error && error.code === 'ENOSPC')) throw error;
        // The export itself may still fit on the disk.
        isFull = true;
        written.clear();
        rmSync(workFolder, { recursive: true, force: true });
      }
    },
    async commit() {
      if (written.size === 0 && used.size === 0) return;
      try {
        await mkdir(folder, { recursive: true });
        // So that the cache is not committed to version control.
        await writeFile(path.join(folder, '.gitignore'), '*\n');
        for (const name of written) await move(path.join(workFolder, name), path.join(folder, name));
        await prune(folder, { used });
      } catch {
        // The project may be read-only, or another export may have just emptied the cache. No export needs it.
      }
    },
  };
}

/** Moves a file in one step, so that the last of two simultaneous exports wins with a complete entry. */
async function move(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && error.code === 'EXDEV')) throw error;
    // The output is on another file system than the project.
    const near = `${to}.${process.pid}`;
    await copyFile(from, near);
    await rename(near, to);
  }
}

/** Removes all entries of a project. */
export async function clearExportCache(projectRoot: string): Promise<void> {
  await rm(path.join(projectRoot, CACHE_FOLDER), { recursive: true, force: true });
}

function formatEntry(key: string, { value, files }: CacheEntry): Buffer {
  const contents = [...files];
  const header: Header = { key, value, files: contents.map(([name, content]) => [name, content.length]) };
  const body = Buffer.concat([Buffer.from(`${JSON.stringify(header)}\n`), ...contents.map(([, content]) => content)]);
  return Buffer.concat([Buffer.from(`${MARK}${toHash(body)}\n`), body]);
}

function parseEntry(content: Buffer, key: string): CacheEntry | undefined {
  const start = content.indexOf('\n') + 1;
  const body = content.subarray(start);
  if (content.toString('latin1', 0, start) !== `${MARK}${toHash(body)}\n`) return undefined;
  const end = body.indexOf('\n') + 1;
  const header = JSON.parse(body.toString('utf8', 0, end)) as Header; // as formatEntry wrote it: the hash says so
  if (header.key !== key) return undefined;
  const files = new Map<string, Buffer>();
  let offset = end;
  for (const [name, bytes] of header.files) files.set(name, body.subarray(offset, (offset += bytes)));
  return { value: header.value, files };
}

/**
 * Removes entries that were not used for a week. A used entry is marked once per day, which is cheaper than every time.
 */
async function prune(folder: string, { used }: { used: ReadonlySet<string> }): Promise<void> {
  const now = Date.now();
  for (const name of await readdir(folder).catch(() => [])) {
    if (name === '.gitignore') continue;
    const file = path.join(folder, name);
    const stats = statSync(file, { throwIfNoEntry: false }); // Another export may have removed it.
    const age = stats ? now - stats.mtimeMs : 0;
    if (used.has(name)) {
      if (age > DAY_MS) utimesSync(file, now / 1000, now / 1000);
    } else if (age > UNUSED_MS) await rm(file, { force: true });
  }
}
