import { randomUUID } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { isAbandoned } from './work-folder.ts';
import { toLockName, toWorkPlace } from './work-names.ts';

/**
 * How long to wait for one holder, which has only a few renames to make. A holder that takes longer is another process
 * that was given the id of a killed one; or it is halted, and finds later that it was considered dead.
 */
const PATIENCE_MS = 5000;
const POLL_MS = 20;

/**
 * Runs something that moves files into an output folder while nothing else moves any there. The holder is named by a
 * file next to it, `.dist.lock`, or in it if nothing may be written next to it; a killed holder blocks nothing.
 *
 * @param options – `patienceMs`: how long to wait for one holder that seems to be alive. Default: 5000.
 */
export async function whileLocked<T>(
  outputDir: string,
  run: () => Promise<T>,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number | undefined } = {},
): Promise<T> {
  const own = `${process.pid} ${randomUUID()}`;
  const file = path.join(toWorkPlace(outputDir), toLockName(outputDir));
  await take(file, { own, patienceMs });
  try {
    return await run();
  } finally {
    if (read(file) === own) rmSync(file, { force: true });
  }
}

async function take(file: string, { own, patienceMs }: { own: string; patienceMs: number }): Promise<void> {
  let holder: string | undefined;
  let since = performance.now();
  while (!create(file, own)) {
    const found = read(file);
    if (found !== holder) [holder, since] = [found, performance.now()];
    const isGone = performance.now() - since >= patienceMs || (await isLeft(file, found));
    if (!isGone || read(file) !== found) {
      await delay(POLL_MS);
      continue;
    }
    rmSync(file, { force: true });
    if (!create(file, own)) continue;
    // Another process that also found the holder dead may have removed this file instead.
    await delay(POLL_MS);
    if (read(file) === own) return;
  }
}

async function isLeft(file: string, holder: string | undefined): Promise<boolean> {
  const pid = Number(holder?.split(' ', 1)[0]);
  // A process killed before it wrote its name looks the same as one that is about to write it.
  return pid > 0 && (await isAbandoned(file, pid));
}

function create(file: string, content: string): boolean {
  try {
    writeFileSync(file, content, { flag: 'wx' });
    return true;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false;
    throw error;
  }
}

function read(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined; // its holder has just removed it
  }
}
