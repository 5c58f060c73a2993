import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { listFiles, replaceFiles } from './replace-files.ts';

let folder: string;
beforeEach(async () => (folder = await mkdtemp(path.join(tmpdir(), 'appkit-replace-'))));
afterEach(() => rm(folder, { recursive: true }));

it('makes the folder contain exactly these files', async () => {
  await mkdir(path.join(folder, 'old'));
  await writeFile(path.join(folder, 'old/file'), 'old');
  await replaceFiles(
    folder,
    new Map<string, string | Uint8Array>([
      ['a', '1'],
      ['sub/b', Buffer.from('2')],
    ]),
  );
  expect((await listFiles(folder)).toSorted()).toEqual(['a', 'sub/b']);
  expect(await readFile(path.join(folder, 'sub/b'), 'utf8')).toBe('2');
});

it('leaves a file with the same content alone, and files that it must not replace', async () => {
  await writeFile(path.join(folder, 'a.js'), '1');
  await writeFile(path.join(folder, 'a.d.ts'), '1');
  const before = await stat(path.join(folder, 'a.js'));
  await replaceFiles(folder, new Map([['a.js', '1']]), (file) => file.endsWith('.js'));
  const after = await stat(path.join(folder, 'a.js'));
  expect([after.ino, after.mtimeMs]).toEqual([before.ino, before.mtimeMs]);
  expect((await listFiles(folder)).toSorted()).toEqual(['a.d.ts', 'a.js']);
});
