import { execFile } from 'node:child_process';
import { mkdtemp, rm, statfs, writeFile } from 'node:fs/promises';
import { freemem, tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';

/** What a whole run needs with room to spare, in bytes. Measured: 2.6 GiB at most. */
const NEEDED = 6 * 2 ** 30;

/**
 * Finds where the files of a run go: to a file system in memory if this machine has one with enough room, else to the system's
 * temporary folder. `TMPDIR` has the last word.
 *
 * On ext4, creating a file takes the longer, the more were deleted within the last five minutes: their inodes are passed over.
 * Runs create and delete so many that this was a quarter of the time in the kernel.
 *
 * @param options – for tests.
 */
export async function findMemoryFolder({ folder = '/dev/shm', needed = NEEDED } = {}): Promise<string> {
  const fits = !process.env['TMPDIR'] && (await hasRoom(folder, needed)) && (await runsPrograms(folder));
  return fits ? folder : tmpdir();
}

async function hasRoom(folder: string, needed: number): Promise<boolean> {
  if (freemem() < needed) return false;
  const room = await statfs(folder).catch(() => undefined);
  return room !== undefined && room.bavail * room.bsize >= needed;
}

/** Containers often mount it so that nothing in it can be run, and packages that are installed bring programs. */
async function runsPrograms(folder: string): Promise<boolean> {
  const made = await mkdtemp(path.join(folder, 'appkit-runs-')).catch(() => undefined);
  if (made === undefined) return false;
  try {
    const program = path.join(made, 'program');
    await writeFile(program, '#!/bin/sh\n', { mode: 0o700 });
    return await promisify(execFile)(program).then(
      () => true,
      () => false,
    );
  } finally {
    await rm(made, { recursive: true });
  }
}
