import { existsSync, readdirSync } from 'node:fs';
import type * as NodeFs from 'node:fs';
import { mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { listFolder, watchFolder } from './file-index.ts';

// As on the disks of macOS and Windows.
vi.mock('node:fs', async (importOriginal) => {
  const fs = await importOriginal<typeof NodeFs>();
  const find = (file: string): string => {
    if (fs.existsSync(file) || file === path.dirname(file)) return file;
    const folder = find(path.dirname(file));
    const asked = path.basename(file).toLowerCase();
    const names = fs.existsSync(folder) ? fs.readdirSync(folder) : [];
    return path.join(folder, names.find((name) => name.toLowerCase() === asked) ?? asked);
  };
  return {
    ...fs,
    realpathSync(file: string) {
      fs.accessSync(find(file));
      return file;
    },
    statSync: (file: string, options?: object) => fs.statSync(find(file), options),
    existsSync: (file: string) => fs.existsSync(find(file)),
  };
});

let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'appkit-static-'));
  await mkdir(path.join(folder, 'Img'));
  await writeFile(path.join(folder, 'Img/Logo.svg'), '<svg/>');
});

afterAll(() => rm(folder, { recursive: true }));

it('finds a file by its exact name alone on a disk that ignores letter case, whether the folder is listed or watched', () => {
  expect(existsSync(path.join(folder, 'img/logo.SVG'))).toBe(true);
  for (const index of [listFolder(folder), watchFolder(folder)]) {
    expect(index.get('Img/Logo.svg')?.name).toBe('Img/Logo.svg');
    for (const name of ['Img/logo.svg', 'img/Logo.svg', 'IMG/LOGO.SVG']) expect(index.get(name)).toBe(undefined);
  }
});

it('finds a watched file by its new name when only the letter case of the name has changed', async () => {
  const index = watchFolder(folder);
  expect(index.get('Img/logo.svg')).toBe(undefined);
  await rename(path.join(folder, 'Img/Logo.svg'), path.join(folder, 'Img/logo.svg'));
  expect(readdirSync(path.join(folder, 'Img'))).toEqual(['logo.svg']);
  expect(index.get('Img/logo.svg')?.name).toBe('Img/logo.svg');
});
