import { spawn } from 'node:child_process';
import type { ChildProcessByStdio } from 'node:child_process';
import { once } from 'node:events';
import fs, { cp, readFile, readdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import path from 'node:path';
import type { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';

import { describe, expect, it, onTestFinished } from 'vitest';

import { finishSwaps } from './finish-swaps.ts';
import { createProject, writeFiles } from './fixtures/create-project.ts';
import { listFiles } from './output/list-files.ts';
import { replaceOutput } from './output/output-folder.ts';

const OLD = { 'client/a': 'old', 'server/b': 'old', 'site.json': 'old', 'notes/mine': 'old' };
const NEW = { 'client/a': 'new', 'server/b': 'new', 'site.json': 'new', 'notes/mine': 'old' };
const CLEARED = { 'client/a': 'new', 'server/b': 'new', 'site.json': 'new' };
/** The rename of the plan, and those of three names that leave and three that come. */
const RENAMES = 7;

const PRELOAD = path.join(import.meta.dirname, '../attack/killed-at-rename.mjs');

const REPLACE = `
import { mkdirSync, writeFileSync } from 'node:fs';
import { replaceOutput } from ${JSON.stringify(import.meta.resolve('./output/output-folder.ts'))};
const write = async (folder) => {
  for (const name of ['client', 'server']) mkdirSync(folder + '/' + name);
  for (const name of ['client/a', 'server/b', 'site.json']) writeFileSync(folder + '/' + name, 'new');
};
await replaceOutput('dist', write, { clear: CLEAR });`;

const FINISH = `
import { finishSwaps } from ${JSON.stringify(import.meta.resolve('./finish-swaps.ts'))};
await finishSwaps('dist');`;

interface At {
  project: string;
  rename?: number;
  signal?: NodeJS.Signals;
}

function spawnScript(
  script: string,
  { project, rename: at = 0, signal = 'SIGKILL' }: At,
): ChildProcessByStdio<null, null, Readable> {
  const settings = { APPKIT_ATTACK_RENAME: String(at), APPKIT_ATTACK_SIGNAL: signal };
  const env = { ...process.env, ...settings };
  const args = ['--import', PRELOAD, '--input-type=module', '-e', script];
  const child = spawn(process.execPath, args, { cwd: project, env, stdio: ['ignore', 'ignore', 'pipe'] });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

/** Runs a script to its end, or kills it before a given rename. */
async function run(script: string, at: At): Promise<{ isKilled: boolean }> {
  const child = spawnScript(script, at);
  const [[code, signal], printed] = await Promise.all([once(child, 'close'), text(child.stderr)]);
  if (code !== 0 && signal !== 'SIGKILL') throw new Error(printed);
  return { isKilled: signal === 'SIGKILL' };
}

/** A project in which an export was killed before a rename. */
async function killedAt(at: number, { clear = false } = {}): Promise<string> {
  const files = Object.entries(OLD).map(([name, content]) => [`dist/${name}`, content]);
  const project = await createProject(Object.fromEntries(files));
  const { isKilled } = await run(REPLACE.replace('CLEAR', String(clear)), { project, rename: at });
  expect(isKilled).toBe(true);
  return project;
}

async function contentsOf(project: string): Promise<Record<string, string>> {
  const dist = path.join(project, 'dist');
  const names = await listFiles(dist);
  return Object.fromEntries(
    await Promise.all(names.map(async (name) => [name, await readFile(path.join(dist, name), 'utf8')])),
  );
}

async function workFolderOf(project: string): Promise<string> {
  const name = (await readdir(project)).find((name) => name.startsWith('.dist-')) ?? '';
  return path.join(project, name);
}

/** Gives the files of a killed export the id of another process, as if made long ago. */
async function giveTo(pid: number, project: string): Promise<void> {
  const folder = path.join(project, `.dist-${pid}-abcDEF`);
  const lock = path.join(project, '.dist.lock');
  await rename(await workFolderOf(project), folder);
  await writeFile(lock, (await readFile(lock, 'utf8')).replace(/^\d+/, String(pid)));
  for (const file of [folder, lock]) await utimes(file, 0, 0);
}

/** Makes a range of renames fail in this process. */
function failRenames(from: number, to: number = from): void {
  const original = fs.rename;
  let count = 0;
  const restore = (): void => {
    fs.rename = original;
    syncBuiltinESMExports();
  };
  fs.rename = async (...paths) => {
    count += 1;
    if (count >= from && count <= to) throw Object.assign(new Error('EIO: i/o error'), { code: 'EIO' });
    return original(...paths);
  };
  syncBuiltinESMExports();
  onTestFinished(restore);
}

describe('an export that is killed', () => {
  it('before each of its renames leaves the old output, or one that is finished later', async () => {
    for (let at = 1; at <= RENAMES; at++) {
      const project = await killedAt(at);
      await finishSwaps(path.join(project, 'dist'));
      expect([at, await contentsOf(project)]).toEqual([at, at === 1 ? OLD : NEW]);
      // Without a plan nothing was moved: the next successful export removes the folder and the lock.
      expect(await readdir(project)).toHaveLength(at === 1 ? 3 : 1);
    }
    await expect(killedAt(RENAMES + 1)).rejects.toThrow('expected false to be true');
  });

  it('while it empties the output folder is finished the same way', async () => {
    for (const at of [2, 4, 6, RENAMES + 1]) {
      const project = await killedAt(at, { clear: true });
      await finishSwaps(path.join(project, 'dist'));
      expect([at, await contentsOf(project)]).toEqual([at, CLEARED]);
    }
  });

  it('is finished before the next export, even one that fails', async () => {
    const project = await killedAt(4);
    const write = (): Promise<never> => Promise.reject(new Error('not this one'));
    await expect(replaceOutput(path.join(project, 'dist'), write, { clear: false })).rejects.toThrow('not this one');
    expect(await contentsOf(project)).toEqual(NEW);
    expect(await readdir(project)).toEqual(['dist']);
  });

  it('is finished by the next one when the finishing process is killed, before each of its renames', async () => {
    for (let at = 2; at <= RENAMES; at += 1) {
      const killed = await killedAt(at);
      for (let again = 1; ; again++) {
        const project = await createProject({});
        await cp(killed, project, { recursive: true });
        const { isKilled } = await run(FINISH, { project, rename: again });
        await finishSwaps(path.join(project, 'dist'));
        expect([at, again, await contentsOf(project)]).toEqual([at, again, NEW]);
        expect(await readdir(project)).toEqual(['dist']);
        if (!isKilled) break;
      }
    }
  });

  it('is finished once when several find it', async () => {
    for (const at of [2, 5, RENAMES]) {
      const project = await killedAt(at);
      const dist = path.join(project, 'dist');
      const look = async (): Promise<Record<string, string>> => {
        await finishSwaps(dist);
        return contentsOf(project);
      };
      const others = [run(FINISH, { project }), run(FINISH, { project })];
      expect(await Promise.all([look(), look(), look()])).toEqual([NEW, NEW, NEW]);
      await Promise.all(others);
      expect([await contentsOf(project), await readdir(project)]).toEqual([NEW, ['dist']]);
    }
  });

  it('is finished when its id now belongs to another process', async () => {
    const project = await killedAt(3);
    await giveTo(process.ppid, project);
    await finishSwaps(path.join(project, 'dist'), { patienceMs: 100 });
    expect(await contentsOf(project)).toEqual(NEW);
  });

  it('is finished at once when its id now belongs to this process', async () => {
    const project = await killedAt(3);
    await giveTo(process.pid, project);
    await finishSwaps(path.join(project, 'dist'), { patienceMs: Infinity });
    expect(await contentsOf(project)).toEqual(NEW);
  });

  it('is forgotten when the files it had moved were removed by hand', async () => {
    const project = await killedAt(RENAMES);
    await rm(path.join(project, 'dist'), { recursive: true });
    await finishSwaps(path.join(project, 'dist'));
    expect(await readdir(project)).toEqual([]);
  });

  it('is undone when it cannot be finished', async () => {
    // The first rename of finishing is that of the work folder.
    for (const at of [2, 3, 4]) {
      const project = await killedAt(2);
      failRenames(at);
      await finishSwaps(path.join(project, 'dist'));
      expect([at, await contentsOf(project), await readdir(project)]).toEqual([at, OLD, ['dist']]);
    }
  });

  it('keeps the missing files when it can neither be finished nor undone, until it can', async () => {
    const project = await killedAt(4);
    failRenames(2, 3);
    await expect(finishSwaps(path.join(project, 'dist'))).rejects.toThrow('EIO');
    await finishSwaps(path.join(project, 'dist'), { patienceMs: 0 });
    expect([await contentsOf(project), await readdir(project)]).toEqual([NEW, ['dist']]);
  });
});

it('an export that was halted and considered dead moves nothing any more, and says so', async () => {
  for (const at of [2, 5]) {
    const project = await createProject({ 'dist/client/a': 'old', 'dist/server/b': 'old', 'dist/site.json': 'old' });
    const child = spawnScript(REPLACE.replace('CLEAR', 'false'), { project, rename: at, signal: 'SIGSTOP' });
    const printed = text(child.stderr);
    await once(child.stderr, 'readable');
    await finishSwaps(path.join(project, 'dist'), { patienceMs: 0 });
    await writeFiles(project, { 'dist/server/b': 'later' });
    child.kill('SIGCONT');
    await once(child, 'close');
    expect([at, await printed]).toEqual([at, expect.stringContaining('dist: this export was considered dead')]);
    expect(await contentsOf(project)).toEqual({ ...CLEARED, 'server/b': 'later' });
    expect(await readdir(project)).toEqual(['dist']);
  }
});

it('an export that cannot move all its parts puts everything back', async () => {
  for (let at = 1; at <= RENAMES; at++) {
    const files = Object.entries(OLD).map(([name, content]) => [`dist/${name}`, content]);
    const project = await createProject(Object.fromEntries(files));
    failRenames(at);
    const replaced = replaceOutput(path.join(project, 'dist'), (folder) => writeFiles(folder, CLEARED), {
      clear: false,
    });
    await expect(replaced).rejects.toThrow('EIO');
    expect([at, await contentsOf(project), await readdir(project)]).toEqual([at, OLD, ['dist']]);
  }
});

describe('exports at once', () => {
  /** What an export of a version writes. */
  const filesOf = (version: string, names = Object.keys(CLEARED)): Record<string, string> =>
    Object.fromEntries(names.map((name) => [name, version]));

  it('of one process and of two leave one of them complete', async () => {
    const outputs = [filesOf('one'), filesOf('two'), filesOf('new')];
    for (let round = 0; round < 10; round++) {
      const project = await createProject({ 'dist/client/a': 'old', 'dist/server/b': 'old', 'dist/site.json': 'old' });
      const replace = (files: Record<string, string>): Promise<void> =>
        replaceOutput(path.join(project, 'dist'), (folder) => writeFiles(folder, files), { clear: false });
      const other = round % 5 === 0 ? [run(REPLACE.replace('CLEAR', 'false'), { project })] : [];
      await Promise.all([replace(filesOf('one')), replace(filesOf('two')), ...other]);
      expect(outputs).toContainEqual(await contentsOf(project));
      expect(await readdir(project)).toEqual(['dist']);
    }
  });

  it('end with the one that succeeds when the other is killed first', async () => {
    for (let at = 2; at <= RENAMES; at++) {
      const project = await createProject({ 'dist/client/a': 'old', 'dist/server/b': 'old', 'dist/site.json': 'old' });
      const whileKilled = (files: Record<string, string>): Promise<void> =>
        replaceOutput(
          path.join(project, 'dist'),
          async (folder) => {
            await writeFiles(folder, files);
            await run(REPLACE.replace('CLEAR', 'false'), { project, rename: at });
          },
          { clear: false },
        );
      await whileKilled(filesOf('later'));
      await finishSwaps(path.join(project, 'dist'));
      expect([at, await contentsOf(project)]).toEqual([at, filesOf('later')]);
      // An export that writes less removes nothing that the other wrote.
      await whileKilled(filesOf('last', ['server/b']));
      expect([at, await contentsOf(project)]).toEqual([at, { ...CLEARED, 'server/b': 'last' }]);
      expect(await readdir(project)).toEqual(['dist']);
    }
  });
});

it('an output folder that is a link is finished where it points to', async () => {
  const project = await createProject({ 'real/client/a': 'old', 'real/server/b': 'old', 'real/site.json': 'old' });
  await symlink('real', path.join(project, 'dist'));
  const { isKilled } = await run(REPLACE.replace('CLEAR', 'false'), { project, rename: 4 });
  await finishSwaps(path.join(project, 'dist'));
  expect([isKilled, await contentsOf(project), await readdir(project)]).toEqual([true, CLEARED, ['dist', 'real']]);
});
