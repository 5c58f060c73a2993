import { existsSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { finishSwap, hasPlan } from './swap.ts';
import { claimWorkFolder, findWorkFolders, isStale, removeWorkFolder, type WorkFolder } from './work-folder.ts';

/**
 * How long a living process is waited for. It has a few renames to make. One that takes longer is another process, which
 * has been given the id of the one that was killed; or else claiming its folder stops it.
 */
const PATIENCE_MS = 5000;
const POLL_MS = 20;

/**
 * Makes an output folder whole: finishes what exports that were killed had begun to move there, and waits for those that
 * are moving. Without such, it changes nothing.
 *
 * @param folder - the output folder. It need not be there.
 * @param options - `patienceMs`: how long a process that seems to be alive is waited for. Default: 5000.
 * @throws Error when what was begun can neither be finished nor undone.
 */
export async function finishSwaps(
  folder: string,
  { patienceMs = PATIENCE_MS }: { patienceMs?: number } = {},
): Promise<void> {
  const outputDir = existsSync(folder) ? await realpath(folder) : path.resolve(folder);
  const deadline = performance.now() + patienceMs;
  for (;;) {
    const found = await findWorkFolders(outputDir).catch(noneWhereNothingCanBe);
    // One that is gone since was finished, or is claimed by another under a new name: that one is waited for.
    const open = found.filter(({ folder }) => hasPlan(folder) || !existsSync(folder));
    if (open.length === 0) return;
    let isWaiting = true;
    for (const work of open) {
      if (performance.now() < deadline && !(await isStale(work))) continue;
      isWaiting = false;
      await finish(work, outputDir);
    }
    if (isWaiting) await delay(POLL_MS);
  }
}

async function finish({ folder }: WorkFolder, outputDir: string): Promise<void> {
  const work = await claimWorkFolder(folder, outputDir);
  if (work === undefined) return;
  if (hasPlan(work)) await finishSwap(work, outputDir);
  await removeWorkFolder(work);
}

/** A server may be in a folder that it cannot list. What cannot be listed has not been exported to by this user. */
function noneWhereNothingCanBe(error: unknown): [] {
  if (error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'EPERM'].includes(String(error.code)))
    return [];
  throw error;
}
