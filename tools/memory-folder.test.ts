import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { createTemporaryFolder } from '../conformance/temporary-folder.ts';
import { findMemoryFolder } from './memory-folder.ts';

const MUCH = 2 ** 40;
const MEMORY = 'tmpfs /dev/shm tmpfs rw,nosuid,nodev 0 0';

interface Given {
  TMPDIR?: string;
  mounted?: string;
  memory?: number;
  room?: number;
}

async function findOn({
  TMPDIR = '',
  mounted = MEMORY,
  memory = MUCH,
  room = MUCH,
}: Given): Promise<string | undefined> {
  await using folder = await createTemporaryFolder('appkit-mounts-');
  const mounts = path.join(folder.path, 'mounts');
  await writeFile(mounts, `proc /proc proc rw 0 0\n${mounted}\n`);
  return findMemoryFolder({ TMPDIR, mounts, memory, roomIn: async () => room });
}

test('temporary files are in memory where there is enough', async () => {
  expect(await findOn({})).toBe('/dev/shm');
});

test.each<[string, Given]>([
  ['nothing is mounted there', { mounted: 'tmpfs /run tmpfs rw 0 0' }],
  ['programs may not run from there', { mounted: 'tmpfs /dev/shm tmpfs rw,noexec 0 0' }],
  ['it is read-only', { mounted: 'tmpfs /dev/shm tmpfs ro 0 0' }],
  ['it is on a disk', { mounted: '/dev/sda /dev/shm ext4 rw 0 0' }],
  ['there is too little memory', { memory: 2 ** 33 }],
  ['it is as small as in a container', { room: 2 ** 26 }],
])('temporary files stay on the disk if %s', async (_, given) => {
  expect(await findOn(given)).toBeUndefined();
});

test('temporary files go where TMPDIR says', async () => {
  expect(await findOn({ TMPDIR: '/elsewhere' })).toBeUndefined();
});

test('a machine without a list of file systems has none in memory', async () => {
  const given = { TMPDIR: '', mounts: '/nowhere', memory: MUCH, roomIn: async () => MUCH };
  expect(await findMemoryFolder(given)).toBeUndefined();
});
