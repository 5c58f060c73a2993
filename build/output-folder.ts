import { existsSync } from 'node:fs';
import { mkdir, readdir, rename, rm, rmdir } from 'node:fs/promises';
import path from 'node:path';

import type { Problem } from './problem.ts';
import { isInside } from './project-path.ts';
import { createWorkFolder } from './work-folder.ts';

/** Refuses an output folder whose replacement would destroy what the app is made of. */
export function checkOutputFolder(
  outputDir: string,
  { projectRoot, routesFolder }: { projectRoot: string; routesFolder: string | undefined },
): Problem[] {
  const publicFolder = path.join(projectRoot, 'public');
  const fix = 'Choose a folder of its own, such as dist.';
  const refuse = (message: string): Problem[] => [{ file: path.relative(projectRoot, outputDir) || '.', message, fix }];

  if (isInside(outputDir, projectRoot)) return refuse('The output folder cannot be the project or a folder around it.');
  if (routesFolder !== undefined && overlap(outputDir, routesFolder)) {
    return refuse('The output folder cannot be, hold or lie in the routes folder.');
  }
  return overlap(outputDir, publicFolder) ? refuse('The output folder cannot be, hold or lie in public.') : [];
}

function overlap(a: string, b: string): boolean {
  return isInside(a, b) || isInside(b, a);
}

/**
 * Lets `write` fill a temporary folder, then moves what is in it into the output folder, in place of what had the same
 * names there. When anything fails, the output folder is as it was.
 *
 * @param options - with `clear`, everything else in the output folder goes too. Once `signal` is aborted, nothing is
 * moved any more.
 * @returns what `write` gives.
 */
export async function replaceOutput<T>(
  outputDir: string,
  write: (folder: string) => Promise<T>,
  { clear, signal }: { clear: boolean; signal?: AbortSignal | undefined },
): Promise<T> {
  signal?.throwIfAborted();
  const parent = path.dirname(outputDir);
  const created = await mkdir(parent, { recursive: true });
  const work = await createWorkFolder(outputDir);
  const [written, replaced] = [path.join(work, 'new'), path.join(work, 'old')];
  try {
    await mkdir(written);
    await mkdir(replaced);
    const result = await write(written);
    signal?.throwIfAborted();
    await swap(outputDir, { written, replaced, clear });
    return result;
  } finally {
    await rm(work, { recursive: true, force: true });
    if (created !== undefined) await removeEmpty(parent, { upTo: created });
  }
}

/** Removes a folder and those around it, from the inside out, until one holds something. */
async function removeEmpty(folder: string, { upTo }: { upTo: string }): Promise<void> {
  for (let next = folder; isInside(upTo, next) && (await readdir(next)).length === 0; next = path.dirname(next)) {
    await rmdir(next);
  }
}

async function swap(
  outputDir: string,
  { written, replaced, clear }: { written: string; replaced: string; clear: boolean },
): Promise<void> {
  await mkdir(outputDir, { recursive: true });
  const names = await readdir(written);
  const leaving = (clear ? await readdir(outputDir) : names).filter((name) => existsSync(path.join(outputDir, name)));
  const moves = [
    ...leaving.map((name) => ({ from: path.join(outputDir, name), to: path.join(replaced, name) })),
    ...names.map((name) => ({ from: path.join(written, name), to: path.join(outputDir, name) })),
  ];
  const done: typeof moves = [];
  try {
    for (const move of moves) {
      await rename(move.from, move.to);
      done.unshift(move);
    }
  } catch (error) {
    for (const { from, to } of done) await rename(to, from);
    throw error;
  }
}
