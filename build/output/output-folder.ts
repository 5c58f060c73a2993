import { mkdir, readdir, rmdir } from 'node:fs/promises';
import path from 'node:path';

import { finishOpenSwaps, finishSwaps } from '../finish-swaps.ts';
import { whileLocked } from './output-lock.ts';
import type { Problem } from '../problem.ts';
import { isInside } from '../app/project-path.ts';
import { hasPlan, newIn, swap } from './swap.ts';
import { createWorkFolder, removeWorkFolder, toRealOutput } from './work-folder.ts';

/** Refuses an output folder whose replacement would destroy the app's sources. */
export function checkOutputFolder(
  outputDir: string,
  { projectRoot, routesFolder }: { projectRoot: string; routesFolder: string | undefined },
): Problem[] {
  const publicFolder = path.join(projectRoot, 'public');
  const fix = 'Choose a separate folder, such as dist.';
  const refuse = (message: string): Problem[] => [{ file: path.relative(projectRoot, outputDir) || '.', message, fix }];

  if (isInside(outputDir, projectRoot)) return refuse('The output folder cannot equal or contain the project folder.');
  if (routesFolder !== undefined && overlap(outputDir, routesFolder)) {
    return refuse('The output folder cannot equal, contain or be inside the routes folder.');
  }
  return overlap(outputDir, publicFolder) ? refuse('The output folder cannot equal, contain or be inside public.') : [];
}

function overlap(a: string, b: string): boolean {
  return isInside(a, b) || isInside(b, a);
}

/**
 * Lets `write` fill a temporary folder, then moves its contents into the output folder, replacing entries with the same
 * names. When anything fails, the output folder is unchanged. When the process is killed, it is either unchanged too,
 * or {@link finishSwaps} finishes the move; this function begins with that.
 *
 * @param options – with `clear`, everything else in the output folder is removed too. Once `signal` is aborted, nothing
 * is moved any more.
 * @returns the result of `write`.
 */
export async function replaceOutput<T>(
  folder: string,
  write: (folder: string) => Promise<T>,
  { clear, signal }: { clear: boolean; signal?: AbortSignal | undefined },
): Promise<T> {
  signal?.throwIfAborted();
  const outputDir = await toRealOutput(folder);
  const parent = path.dirname(outputDir);
  const created = await mkdir(parent, { recursive: true });
  await finishSwaps(outputDir);
  const work = await createWorkFolder(outputDir);
  try {
    await mkdir(newIn(work));
    const result = await write(newIn(work));
    signal?.throwIfAborted();
    await whileLocked(outputDir, async () => {
      // An export killed since this one began is the older of the two.
      await finishOpenSwaps(outputDir);
      await swap(work, outputDir, { clear });
    });
    return result;
  } finally {
    // With a plan it could be neither finished nor put back, and contains what is missing in the output folder.
    if (!hasPlan(work)) await removeWorkFolder(work);
    if (created !== undefined) await removeEmpty(parent, { upTo: created });
  }
}

/** Removes a folder and its parents, from the inside out, until one is not empty. */
async function removeEmpty(folder: string, { upTo }: { upTo: string }): Promise<void> {
  for (let next = folder; isInside(upTo, next) && (await readdir(next)).length === 0; next = path.dirname(next)) {
    await rmdir(next);
  }
}
