import { EventEmitter, once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { watchFiles } from './watch-files.ts';

type Watched = Parameters<typeof watchFiles>[0]['watcher'];

async function watchOne(): Promise<{ file: string; watcher: EventEmitter; heard: EventEmitter; changes: string[] }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'appkit-watch-'));
  const watcher = new EventEmitter();
  const heard = new EventEmitter();
  const changes: string[] = [];
  const stop = watchFiles(
    { watcher: watcher as Watched }, // only `on` and `off` are used
    {
      onChange: (file, event) => {
        changes.push(event);
        return !file.endsWith('.db');
      },
      onSettled: (files) => heard.emit('settled', [...files]),
    },
  );
  onTestFinished(async () => {
    stop();
    await rm(folder, { recursive: true });
  });
  return { file: path.join(folder, 'file.ts'), watcher, heard, changes };
}

it('reports a change that the watcher has dropped', async () => {
  const { file, watcher, heard, changes } = await watchOne();
  await writeFile(file, 'one');
  watcher.emit('all', 'change', file);
  expect(await once(heard, 'settled')).toEqual([[file]]);
  await writeFile(file, 'another');
  expect(await once(heard, 'settled')).toEqual([[file]]);
  expect(changes).toEqual(['change', 'change']);
});

it('reports the files of one save at once one by one, then together', async () => {
  const { file, watcher, heard, changes } = await watchOne();
  for (const event of ['unlink', 'add']) watcher.emit('all', event, `${file}-${event}`);
  watcher.emit('all', 'change', `${file}.db`);
  expect(changes).toEqual(['unlink', 'add', 'change']);
  expect(await once(heard, 'settled')).toEqual([[`${file}-unlink`, `${file}-add`]]);
});
