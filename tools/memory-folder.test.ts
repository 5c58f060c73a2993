import { mkdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, vi } from 'vitest';
import { findMemoryFolder } from './memory-folder.ts';

const folder = path.join(tmpdir(), 'memory');

it('takes a folder that has room and runs programs', async () => {
  await mkdir(folder, { recursive: true });
  vi.stubEnv('TMPDIR', '');
  await expect(findMemoryFolder({ folder, needed: 1 })).resolves.toBe(folder);
});

it('takes the temporary folder where there is no such file system, or too little room', async () => {
  await mkdir(folder, { recursive: true });
  vi.stubEnv('TMPDIR', '');
  await expect(findMemoryFolder({ folder: `${folder}-missing`, needed: 1 })).resolves.toBe(tmpdir());
  await expect(findMemoryFolder({ folder, needed: 2 ** 60 })).resolves.toBe(tmpdir());
});

it('takes the folder that TMPDIR names', async () => {
  await mkdir(folder, { recursive: true });
  await expect(findMemoryFolder({ folder, needed: 1 })).resolves.toBe(tmpdir());
});
