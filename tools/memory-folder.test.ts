import { statfs, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { createTemporaryFolder } from '../conformance/temporary-folder.ts';
import { findMemoryFolder } from './memory-folder.ts';

const MEMORY = 'tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0';

interface Machine {
  mounts?: string;
  memory?: number;
  TMPDIR?: string;
}

test.runIf(process.platform === 'linux').each<[string, Machine]>([
  ['none is mounted', { mounts: 'tmpfs /run tmpfs rw 0 0' }],
  ['programs may not run from it', { mounts: 'tmpfs /dev/shm tmpfs rw,noexec 0 0' }],
  ['it is read-only', { mounts: 'tmpfs /dev/shm tmpfs ro 0 0' }],
  ['it is no memory', { mounts: '/dev/sda /dev/shm ext4 rw 0 0' }],
  ['there is too little memory', { memory: 2 ** 30 }],
  ['TMPDIR names another', { TMPDIR: '/elsewhere' }],
])('temporary files stay on the disk if %s', async (_, { mounts = MEMORY, memory = 2 ** 40, TMPDIR = '' }) => {
  await using folder = await createTemporaryFolder('appkit-mounts-');
  const file = path.join(folder.path, 'mounts');
  await writeFile(file, `proc /proc proc rw 0 0\n${mounts}\n`);
  vi.stubEnv('TMPDIR', TMPDIR);
  using _memory = vi.spyOn(process, 'availableMemory').mockReturnValue(memory);
  expect(await findMemoryFolder(file)).toBeUndefined();
});

const hasRoom = await statfs('/dev/shm').then(
  ({ bavail, bsize }) => bavail * bsize > 2 ** 34,
  () => false,
);
test.runIf(hasRoom)('they are in memory if /dev/shm has 16 GiB', async () => {
  await using folder = await createTemporaryFolder('appkit-mounts-');
  const file = path.join(folder.path, 'mounts');
  await writeFile(file, `${MEMORY}\n`);
  vi.stubEnv('TMPDIR', '');
  using _memory = vi.spyOn(process, 'availableMemory').mockReturnValue(2 ** 40);
  expect(await findMemoryFolder(file)).toBe('/dev/shm');
});
