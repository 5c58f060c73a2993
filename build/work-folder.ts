import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/**
 * Creates the folder in which an export is put together. It lies beside the output, not in the system's temporary
 * folder, since a rename does not cross file systems. Its name tells whose it is: `.dist-<process id>-<random>`.
 */
export async function createWorkFolder(outputDir: string): Promise<string> {
  return mkdtemp(path.join(path.dirname(outputDir), `.${path.basename(outputDir)}-${process.pid}-`));
}

/**
 * Removes the work folders of exports into the same folder whose processes have been killed. To be called when an
 * export has succeeded: until then they may hold the only copy of an output that was being replaced.
 *
 * @returns a warning for each that cannot be removed.
 */
export async function removeStaleWorkFolders(outputDir: string): Promise<string[]> {
  const warnings: string[] = [];
  const parent = path.dirname(outputDir);
  const start = `.${path.basename(outputDir)}-`;
  for (const name of await readdir(parent)) {
    const pid = name.startsWith(start) ? /^(\d+)-\w{6}$/.exec(name.slice(start.length))?.[1] : undefined;
    const folder = path.join(parent, name);
    if (pid === undefined || !(await isStale(folder, Number(pid)))) continue;
    try {
      await rm(folder, { recursive: true, force: true });
    } catch (error) {
      warnings.push(`${folder}: left by an export that was killed, and cannot be removed: ${String(error)}.`);
    }
  }
  return warnings;
}

async function isStale(folder: string, pid: number): Promise<boolean> {
  if (pid !== process.pid) return !isAlive(pid);
  // In a container every export may run as the same small process id.
  const stats = await stat(folder).catch(() => undefined); // another export of this process may have just removed it
  return stats !== undefined && stats.mtimeMs < performance.timeOrigin;
}

function isAlive(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch (error) {
    // Anything else, such as EPERM for a process of another user, means that it is there.
    return !(error instanceof Error && 'code' in error && error.code === 'ESRCH');
  }
}
