import { readFile, statfs } from 'node:fs/promises';

/** A file system in memory that Linux has for everybody. */
const MEMORY = '/dev/shm';

/** Room for the temporary files of `npm test`, 2 GiB, in addition to the memory that its processes need. */
const NEEDED_BYTES = 12 * 2 ** 30;

/** What a machine says of itself. */
export interface Machine {
  /** Where the user wants temporary files. Default: the variable of that name. */
  TMPDIR?: string | undefined;
  /** The file that lists its file systems. Default: `/proc/mounts`. */
  mounts?: string;
  /** The memory that is available, in bytes. Default: what Node says. */
  memory?: number;
  /** Finds the room in a file system, in bytes. Default: what the system says. */
  roomIn?: (folder: string) => Promise<number>;
}

/**
 * Finds a folder whose files are in memory, for the temporary files of tests: they create and delete tens of thousands
 * of files, and ext4 passes over every inode deleted in the last minutes before it creates a file.
 *
 * @returns `undefined` if `TMPDIR` says where temporary files go, if this machine has no such folder, no room to spare
 * there, or does not let programs run from there.
 */
export async function findMemoryFolder({
  TMPDIR = process.env['TMPDIR'],
  mounts = '/proc/mounts',
  memory = process.availableMemory(),
  roomIn = readRoom,
}: Machine = {}): Promise<string | undefined> {
  if (TMPDIR || memory < NEEDED_BYTES) return undefined;
  const mounted = await readFile(mounts, 'utf8').catch(() => '');
  const options = new RegExp(`^\\S+ ${MEMORY} tmpfs (\\S+)`, 'm').exec(mounted)?.[1]?.split(',');
  if (!options?.includes('rw') || options.includes('noexec')) return undefined;
  return (await roomIn(MEMORY)) < NEEDED_BYTES ? undefined : MEMORY;
}

async function readRoom(folder: string): Promise<number> {
  const { bavail, bsize } = await statfs(folder);
  return bavail * bsize;
}
