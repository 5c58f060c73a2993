import { lstatSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { isOfWork } from './work-names.ts';

/**
 * What is moved, by name: entries that leave go from the output folder to `old` in the work folder, and entries that
 * come go from `new` in the work folder to the output folder. The current place of a name tells how far the move has
 * got.
 */
interface Plan {
  leaving: string[];
  coming: string[];
}

/** Names the folder for the new entries. */
export function newIn(work: string): string {
  return path.join(work, 'new');
}

/**
 * Moves the contents of a work folder's `new` into the output folder, replacing entries with the same names. When that
 * fails, everything is put back. The moves are written down first: when the process is killed on the way, {@link
 * finishSwap} does the rest.
 *
 * @param options – with `clear`, everything else in the output folder is removed too; otherwise what `removed` names.
 */
export async function swap(
  work: string,
  outputDir: string,
  { clear, removed = [] }: { clear: boolean; removed?: readonly string[] | undefined },
): Promise<void> {
  await mkdir(outputDir, { recursive: true });
  await mkdir(oldIn(work));
  const coming = await readdir(newIn(work));
  const there = clear
    ? (await readdir(outputDir)).filter((name) => !isOfWork(name, outputDir))
    : [...new Set([...coming, ...removed])];
  const leaving = there.filter((name) => isThere(path.join(outputDir, name)));
  const plan: Plan = { leaving, coming };
  await writeFile(`${planIn(work)}.part`, JSON.stringify(plan));
  await rename(`${planIn(work)}.part`, planIn(work));
  try {
    await moveOn(work, outputDir, plan);
  } catch (error) {
    if (!hasPlan(work)) {
      // The process was halted for so long that another one has claimed the folder.
      throw new Error(`${outputDir}: this export was considered dead, and another command finished it.`, {
        cause: error,
      });
    }
    // If that fails too, the plan stays for the next command.
    await putBack(work, outputDir, plan);
    await removePlan(work);
    throw error;
  }
  await removePlan(work);
}

/**
 * Finishes a {@link swap} that was interrupted at any point, this function included. Every new entry was complete
 * before the first one was moved. The work folder must be claimed: two processes at once would undo each other's moves.
 */
export async function finishSwap(work: string, outputDir: string): Promise<void> {
  const plan = JSON.parse(await readFile(planIn(work), 'utf8')) as Plan; // as swap wrote it
  const isWhole = plan.coming.every((name) => isThere(path.join(newIn(work), name), path.join(outputDir, name)));
  // Otherwise the moved files were removed by hand: the rest alone would be no export.
  if (isWhole) {
    await mkdir(outputDir, { recursive: true });
    // The export has not reported success, so the old output is just as good, as long as it is complete.
    await moveOn(work, outputDir, plan).catch(() => putBack(work, outputDir, plan));
  }
  await removePlan(work);
}

/** Whether a work folder contains something that is being moved, or was being moved when its process was killed. */
export function hasPlan(work: string): boolean {
  return isThere(planIn(work));
}

/** Removes the plan from a work folder: from then on it contains nothing that is needed. */
export async function removePlan(work: string): Promise<void> {
  await rm(planIn(work), { force: true });
}

async function moveOn(work: string, outputDir: string, { leaving, coming }: Plan): Promise<void> {
  for (const name of leaving) {
    const [from, to] = [path.join(outputDir, name), path.join(oldIn(work), name)];
    // An entry that left does not come back: what has that name now is the new one.
    if (!isThere(to) && isThere(from)) await rename(from, to);
  }
  for (const name of coming) {
    const from = path.join(newIn(work), name);
    if (isThere(from)) await rename(from, path.join(outputDir, name));
  }
}

async function putBack(work: string, outputDir: string, { leaving, coming }: Plan): Promise<void> {
  for (const name of coming) {
    const [from, to] = [path.join(outputDir, name), path.join(newIn(work), name)];
    if (!isThere(to)) await rename(from, to);
  }
  for (const name of leaving) {
    const from = path.join(oldIn(work), name);
    if (isThere(from)) await rename(from, path.join(outputDir, name));
  }
}

/** Whether any of these exists. A link does, wherever it points to: once moved, it may point to nothing. */
function isThere(...files: string[]): boolean {
  return files.some((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
}

function oldIn(work: string): string {
  return path.join(work, 'old');
}

function planIn(work: string): string {
  return path.join(work, 'swap.json');
}
