import { statSync, utimesSync } from 'node:fs';
import { copyFile, mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { writeFileIn } from '../output/write-file.ts';
import { readIfThere, toHash } from './file-state.ts';

/** Something made of an app, that can be taken from the cache as long as what it was made of stays the same. */
export interface CacheEntry {
  /** What is known of it, as JSON. */
  value: unknown;
  /** Its files, by names that only the entry gives a meaning to. */
  files: ReadonlyMap<string, Buffer>;
}

/** The entries of a project that exports before this one have left. */
export interface ExportCache {
  /** Finds an entry. One that is damaged counts as none. */
  read(key: string): CacheEntry | undefined;
  /** Writes an entry that nobody finds before {@link ExportCache.commit}. */
  write(key: string, entry: CacheEntry): void;
  /** Lets others find what was written, and removes what was not used for a week. */
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
 * @param options – `workFolder` contains what is written until it is committed. The code that made that folder removes it.
 */
export function openExportCache(projectRoot: string, { workFolder }: { workFolder: string }): ExportCache {
  const folder = path.join(projectRoot, CACHE_FOLDER);
  const written = new Set<string>();
  const used = new Set<string>();
  return {
    read(key) {
      const name = toHash(key);
      const content = readIfThere(path.join(folder, name));
      const entry = content && parseEntry(content, key);
      if (entry) used.add(name);
      return entry;
    },
    write(key, entry) {
      const name = toHash(key);
      written.add(name);
      writeFileIn(workFolder, name, formatEntry(key, entry));
    },
    async commit() {
      if (written.size === 0 && used.size === 0) return;
      try {
        await mkdir(folder, { recursive: true });
        // So that nobody commits it.
        await writeFile(path.join(folder, '.gitignore'), '*\n');
        for (const name of written) await move(path.join(workFolder, name), path.join(folder, name));
        await prune(folder, { used });
      } catch {
        // The project may be read-only, or another export have just emptied the cache. No export needs it.
      }
    },
  };
}

/** Moves a file in one step, so that of two exports at once the last wins with a whole entry. */
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

/** Removes what was not used for a week. What is used is marked once a day, which is cheaper than each time. */
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
