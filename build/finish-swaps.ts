import { whileLocked } from './output/output-lock.ts';
import { finishSwap, hasPlan } from './output/swap.ts';
import { claimWorkFolder, findWorkFolders, removeWorkFolder, toRealOutput } from './output/work-folder.ts';
import type { WorkFolder } from './output/work-folder.ts';

/**
 * Completes an output folder: finishes the moves that killed exports had begun there, and waits for an export that is
 * moving. Without such exports it changes nothing.
 *
 * @param folder – the output folder. It need not exist.
 * @param options – `patienceMs`: how long to wait for a process that seems to be alive. Default: 5000.
 * @throws Error when an interrupted move can neither be finished nor undone.
 */
export async function finishSwaps(folder: string, options: { patienceMs?: number } = {}): Promise<void> {
  const outputDir = await toRealOutput(folder);
  if ((await findOpen(outputDir)).length > 0) await whileLocked(outputDir, () => finishOpenSwaps(outputDir), options);
}

/**
 * The same for the holder of the folder's lock; the folder is a real path. The lock's previous holder has lost it or is
 * dead.
 */
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
  return (await findWorkFolders(outputDir)).filter(({ folder }) => hasPlan(folder));
}
