import { readFile, statfs } from 'node:fs/promises';

/** A file system in memory that Linux has for everybody. */
const MEMORY = '/dev/shm';

/** Room for the temporary files of `npm test`, about 3 GiB, beside the memory that its processes need. */
const NEEDED_BYTES = 12 * 2 ** 30;

/**
 * Finds a folder whose files are in memory, for the temporary files of tests: they create and delete packages by the
 * ten thousand, and ext4 passes over every inode deleted in the last minutes before it creates a file.
 *
 * @returns `undefined` if `TMPDIR` says where temporary files go, if this machine has no such folder, no room to spare
 * there, or does not let programs run from there.
 * @param mounts – the file that lists the file systems of this machine.
 */
export async function findMemoryFolder(mounts = '/proc/mounts'): Promise<string | undefined> {
  if (process.env['TMPDIR'] || process.availableMemory() < NEEDED_BYTES) return undefined;
  const mounted = await readFile(mounts, 'utf8').catch(() => '');
  const options = new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, 'm').exec(mounted)?.[1]?.split(',');
  if (!options?.includes('rw') || options.includes('noexec')) return undefined;
  const { bavail, bsize } = await statfs(MEMORY);
  return bavail * bsize < NEEDED_BYTES ? undefined : MEMORY;
}
