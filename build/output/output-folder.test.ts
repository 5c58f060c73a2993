import syncFs from 'node:fs';
import fs, { readFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';

import { describe, expect, it, onTestFinished } from 'vitest';

import { finishSwaps } from '../finish-swaps.ts';
import { createProject, writeFiles } from '../fixtures/create-project.ts';
import { listFiles } from './list-files.ts';
import { replaceOutput } from './output-folder.ts';

const writeNew = (folder: string): Promise<void> => writeFiles(folder, { 'server/a': 'new', 'client/b': 'new' });

/** The files of a project, each with its content. */
async function contentsOf(root: string): Promise<Record<string, string>> {
  const names = await listFiles(root);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(root, name), 'utf8')])),
  );
}

/** Replaces functions of the file system until the test ends. */
function patch<Module extends object>(module: Module, functions: Partial<Module>): void {
  const before = Object.fromEntries(Object.keys(functions).map((name) => [name, Reflect.get(module, name)]));
  Object.assign(module, functions);
  syncBuiltinESMExports();
  onTestFinished(() => {
    Object.assign(module, before);
    syncBuiltinESMExports();
  });
}

function refusal(code: string): Error {
  return Object.assign(new Error(`${code}: refused`), { code, syscall: 'rename' });
}

/** No rename crosses the border of the folder. */
function mountAt(folder: string): void {
  const { rename } = fs;
  const isIn = (file: unknown): boolean => String(file).startsWith(folder + path.sep);
  patch(fs, {
    rename: async (from, to) => {
      if (isIn(from) !== isIn(to)) throw refusal('EXDEV');
      await rename(from, to);
    },
  });
}

/** Nothing may be created in the folder, only inside of its folders. */
function makeReadOnly(folder: string): void {
  const { mkdtemp } = fs;
  const { accessSync, writeFileSync } = syncFs;
  const check = (file: unknown): void => {
    if (path.dirname(String(file)) === folder) throw refusal('EROFS');
  };
  patch(fs, {
    mkdtemp: (async (prefix: string) => {
      check(prefix);
      return mkdtemp(prefix);
    }) as typeof mkdtemp,
  });
  patch(syncFs, {
    accessSync: (file, mode) => {
      check(path.join(String(file), 'new'));
      accessSync(file, mode);
    },
    writeFileSync: (file, ...rest) => {
      check(file);
      writeFileSync(file, ...rest);
    },
  });
}

it('moves nothing once it is aborted', async () => {
  const root = await createProject({ 'dist/server/a': 'old' });
  const stop = new AbortController();
  const write = async (folder: string): Promise<void> => {
    await writeFiles(folder, { 'server/a': 'new' });
    stop.abort(new Error('stopped'));
  };
  const replaced = replaceOutput(path.join(root, 'dist'), write, { clear: false, signal: stop.signal });
  await expect(replaced).rejects.toThrow('stopped');
  expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'old' });
});

it('names the folder in which nothing more can be written', async () => {
  const root = await createProject({ 'dist/server/a': 'old' });
  const write = (): never => {
    throw Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC', syscall: 'write' });
  };
  const replaced = replaceOutput(path.join(root, 'dist'), write, { clear: false });
  const start = `ENOSPC: no space left on device, write in ${path.join(root, '.dist-')}`;
  await expect(replaced).rejects.toThrow(start);
  expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'old' });
});

describe('an output folder that is a mount, such as a volume of a container', () => {
  it('gets the export, and keeps what else is there', async () => {
    const root = await createProject({ 'dist/server/a': 'old', 'dist/mine': 'old' });
    const dist = path.join(root, 'dist');
    mountAt(dist);
    await replaceOutput(dist, writeNew, { clear: false });
    expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'new', 'dist/client/b': 'new', 'dist/mine': 'old' });
    await replaceOutput(dist, writeNew, { clear: true });
    expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'new', 'dist/client/b': 'new' });
  });

  it('loses what the export removes', async () => {
    const root = await createProject({ 'dist/site.json': 'old', 'dist/server/a': 'old', 'dist/mine': 'old' });
    const dist = path.join(root, 'dist');
    mountAt(dist);
    await replaceOutput(dist, writeNew, { clear: false, removed: ['site.json'] });
    expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'new', 'dist/client/b': 'new', 'dist/mine': 'old' });
  });

  it('is unchanged if the export does not fit into it', async () => {
    const root = await createProject({ 'dist/server/a': 'old' });
    const dist = path.join(root, 'dist');
    mountAt(dist);
    patch(fs, {
      cp: async (_, to) => {
        await writeFiles(String(to), { 'server/a': 'ne' });
        throw refusal('ENOSPC');
      },
    });
    await expect(replaceOutput(dist, writeNew, { clear: true })).rejects.toThrow('ENOSPC');
    expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'old' });
  });

  it('is completed after an export that was killed while it moved files', async () => {
    const dead = 2 ** 22 + 1; // more than any process has
    const work = `dist/.dist-${dead}-abcDEF`;
    const plan = JSON.stringify({ leaving: ['server'], coming: ['client', 'server'] });
    const root = await createProject({
      [`${work}/swap.json`]: plan,
      [`${work}/old/server/a`]: 'old',
      [`${work}/new/server/a`]: 'new',
      'dist/client/b': 'new',
    });
    await finishSwaps(path.join(root, 'dist'));
    expect(await contentsOf(root)).toEqual({ 'dist/client/b': 'new', 'dist/server/a': 'new' });
  });
});

it('gets the export if nothing may be written next to it, without the work of another export', async () => {
  const other = `dist/.dist-${process.ppid}-abcDEF/new/server/a`;
  const root = await createProject({ 'dist/server/a': 'old', [other]: 'of another' });
  const dist = path.join(root, 'dist');
  makeReadOnly(root);
  await replaceOutput(dist, writeNew, { clear: true });
  expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'new', 'dist/client/b': 'new', [other]: 'of another' });
});

it('is named if it may not be written in either', async () => {
  const root = await createProject({ 'dist/server/a': 'old' });
  makeReadOnly(root);
  makeReadOnly(path.join(root, 'dist'));
  await expect(replaceOutput(path.join(root, 'dist'), writeNew, { clear: false })).rejects.toThrow('EROFS');
  expect(await contentsOf(root)).toEqual({ 'dist/server/a': 'old' });
});
