import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readdir, realpath, rename, rm, stat, utimes } from 'node:fs/promises';
import path from 'node:path';

import { hasPlan, removePlan } from './swap.ts';
import { ownerInName, startOfWorkName, toWorkPlace } from './work-names.ts';

/** An output folder that is a link stays a link: its target is replaced, and the work is done next to the target. */
export async function toRealOutput(folder: string): Promise<string> {
  return existsSync(folder) ? realpath(folder) : path.resolve(folder);
}

/**
 * Creates the folder in which an export is assembled. It is next to the output, not in the system's temporary folder,
 * since a rename does not cross file systems. Its name contains its owner: `.dist-<process id>-<random>`. It is inside the
 * output if nothing may be written next to it, as in a container whose only writable folder is a volume.
 */
export async function createWorkFolder(outputDir: string): Promise<string> {
  return mkdtemp(path.join(toWorkPlace(outputDir), startOfWorkName(outputDir)));
}

/** Creates such a folder inside the output, for a mount, whose border no rename crosses. */
export async function createWorkFolderInside(outputDir: string): Promise<string> {
  return mkdtemp(path.join(outputDir, startOfWorkName(outputDir)));
}

/** A work folder that was found, and the process in its name. */
export interface WorkFolder {
  folder: string;
  pid: number;
}

/** Finds the work folders of exports into the same folder, from any process. */
export async function findWorkFolders(outputDir: string): Promise<WorkFolder[]> {
  const found: WorkFolder[] = [];
  for (const place of [path.dirname(outputDir), outputDir]) {
    for (const name of await readdir(place).catch(noneWhereNothingCanBe)) {
      const pid = ownerInName(name, outputDir);
      if (pid !== undefined) found.push({ folder: path.join(place, name), pid });
    }
  }
  return found;
}

/** A server may run in a folder that it cannot list. This user has not exported to a folder that cannot be listed. */
function noneWhereNothingCanBe(error: unknown): [] {
  if (
    error instanceof Error &&
    'code' in error &&
    ['ENOENT', 'ENOTDIR', 'EACCES', 'EPERM'].includes(String(error.code))
  )
    return [];
  throw error;
}

/**
 * Takes over a work folder. If several processes try, only one gets it. The former owner, if it is still alive, moves
 * nothing any more: one end of each of its moves is a path that no longer exists.
 *
 * @returns its new path; undefined if another process has it.
 */
export async function claimWorkFolder(folder: string, outputDir: string): Promise<string | undefined> {
  const claimed = path.join(path.dirname(folder), startOfWorkName(outputDir) + randomBytes(3).toString('hex'));
  try {
    // First, so that this process never mistakes it for one of an earlier process: see isAbandoned.
    const now = new Date();
    await utimes(folder, now, now);
    await rename(folder, claimed);
    return claimed;
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
}

/** Removes a work folder. If that is interrupted, the rest is no longer an export to be moved. */
export async function removeWorkFolder(folder: string): Promise<void> {
  await removePlan(folder);
  await rm(folder, { recursive: true, force: true });
}

/**
 * Removes the work folders of exports into the same folder whose processes were killed before they moved anything.
 * Called when an export has succeeded.
 *
 * @returns a warning for each folder that cannot be removed.
 */
export async function removeStaleWorkFolders(outputDir: string): Promise<string[]> {
  const warnings: string[] = [];
  for (const work of await findWorkFolders(outputDir)) {
    if (hasPlan(work.folder) || !(await isAbandoned(work.folder, work.pid))) continue;
    try {
      await removeWorkFolder(work.folder);
    } catch (error) {
      warnings.push(`${work.folder}: a killed export left this folder, which cannot be removed: ${String(error)}.`);
    }
  }
  return warnings;
}

/** Whether the process that created a file or folder no longer exists. */
export async function isAbandoned(file: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid);
  // In a container every export may run as the same small process id.
  const stats = await stat(file).catch(() => undefined); // another export of this process may have just removed it
  return stats !== undefined && stats.mtimeMs < performance.timeOrigin;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Any other error, such as EPERM for another user's process, means that it exists.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
