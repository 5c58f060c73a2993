import { lstatSync } from 'node:fs';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

/**
 * What is moved, by name: what leaves goes from the output folder to `old` in the work folder, and what comes goes from
 * `new` in the work folder to the output folder. Where a name is tells how far that has got.
 */
interface Plan {
  leaving: string[];
  coming: string[];
}

/** Names the folder for what comes. */
export function newIn(work: string): string {
  return path.join(work, 'new');
}

/**
 * Moves what is in `new` of a work folder into the output folder, in place of what has the same names there. When that
 * fails, everything is put back. What is to be moved is written down first: when the process is killed on the way,
 * {@link finishSwap} does the rest.
 *
 * @param options – with `clear`, everything else in the output folder goes too.
 */
export async function swap(work: string, outputDir: string, { clear }: { clear: boolean }): Promise<void> {
  await mkdir(outputDir, { recursive: true });
  await mkdir(oldIn(work));
  const coming = await readdir(newIn(work));
  const leaving = (clear ? await readdir(outputDir) : coming).filter((name) => isThere(path.join(outputDir, name)));
  const plan: Plan = { leaving, coming };
  await writeFile(`${planIn(work)}.part`, JSON.stringify(plan));
  await rename(`${planIn(work)}.part`, planIn(work));
  try {
    await moveOn(work, outputDir, plan);
  } catch (error) {
    if (!hasPlan(work)) {
      // The process was halted for so long that another has claimed the folder.
      throw new Error(`${outputDir}: this export was taken for dead, and finished by another command.`, {
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
 * Finishes a {@link swap} that was interrupted at any point, this function too. Everything that comes was whole before
 * the first of it was moved. The work folder must be claimed: two at once would undo each other's moves.
 */
export async function finishSwap(work: string, outputDir: string): Promise<void> {
  const plan = JSON.parse(await readFile(planIn(work), 'utf8')) as Plan; // as swap wrote it
  const isWhole = plan.coming.every((name) => isThere(path.join(newIn(work), name), path.join(outputDir, name)));
  // Otherwise somebody has removed by hand what had been moved: the rest alone would be no export.
  if (isWhole) {
    await mkdir(outputDir, { recursive: true });
    // The export has told nobody that it succeeded, so that the old output is as good, as long as it is whole.
    await moveOn(work, outputDir, plan).catch(() => putBack(work, outputDir, plan));
  }
  await removePlan(work);
}

/** Answers whether a work folder has something that is being moved, or was when its process was killed. */
export function hasPlan(work: string): boolean {
  return isThere(planIn(work));
}

/** Removes the plan from a work folder: from then on it holds nothing that anybody needs. */
export async function removePlan(work: string): Promise<void> {
  await rm(planIn(work), { force: true });
}

async function moveOn(work: string, outputDir: string, { leaving, coming }: Plan): Promise<void> {
  for (const name of leaving) {
    const [from, to] = [path.join(outputDir, name), path.join(oldIn(work), name)];
    // What has left is not there again: what is there by that name has come.
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

/** Answers whether any of these is there. A link is, wherever it points to: moved, it may point to nothing. */
function isThere(...files: string[]): boolean {
  return files.some((file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined);
}

function oldIn(work: string): string {
  return path.join(work, 'old');
}

function planIn(work: string): string {
  return path.join(work, 'swap.json');
}
