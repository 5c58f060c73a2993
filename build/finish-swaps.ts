import { whileLocked } from './output/output-lock.ts';
import { finishSwap, hasPlan } from './output/swap.ts';
import { claimWorkFolder, findWorkFolders, removeWorkFolder, toRealOutput } from './output/work-folder.ts';
import type { WorkFolder } from './output/work-folder.ts';

/**
 * Makes an output folder whole: finishes what exports that were killed had begun to move there, and waits for one that is
 * moving. Without such, it changes nothing.
 *
 * @param folder – the output folder. It need not be there.
 * @param options – `patienceMs`: how long a process that seems to be alive is waited for. Default: 5000.
 * @throws Error when what was begun can neither be finished nor undone.
 */
export async function finishSwaps(folder: string, options: { patienceMs?: number } = {}): Promise<void> {
  const outputDir = await toRealOutput(folder);
  if ((await findOpen(outputDir)).length > 0) await whileLocked(outputDir, () => finishOpenSwaps(outputDir), options);
}

/** The same for whoever holds the lock of the folder, which is a real path: whoever had it before has lost it or is dead. */
export async function finishOpenSwaps(outputDir: string): Promise<void> {
  for (const { folder } of await findOpen(outputDir)) {
    const work = await claimWorkFolder(folder, outputDir);
    if (work === undefined) continue;
    await finishSwap(work, outputDir).catch((error: unknown) => {
      throw new Error(
        `${outputDir}: an export was killed while it was moved there, and that can be neither finished nor undone: ${String(error)}. ` +
          `Put back by hand what you need of ${work}, and remove that folder.`,
        { cause: error },
      );
    });
    await removeWorkFolder(work);
  }
}

async function findOpen(outputDir: string): Promise<WorkFolder[]> {
  return (await findWorkFolders(outputDir).catch(noneWhereNothingCanBe)).filter(({ folder }) => hasPlan(folder));
}

/** A server may be in a folder that it cannot list. What cannot be listed has not been exported to by this user. */
function noneWhereNothingCanBe(error: unknown): [] {
  if (error instanceof Error && 'code' in error && ['ENOENT', 'EACCES', 'EPERM'].includes(String(error.code)))
    return [];
  throw error;
}
