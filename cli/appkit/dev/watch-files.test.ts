import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, it, onTestFinished, vi } from 'vitest';
import { watchFiles } from './watch-files.ts';

type Watched = Parameters<typeof watchFiles>[0]['watcher'];

/** Time moves only by `vi.advanceTimersByTime`, so that a file is written before it is looked at again, on a busy machine too. */
function watchOne(): { file: string; watcher: EventEmitter; changes: string[]; settled: string[][] } {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const folder = mkdtempSync(path.join(tmpdir(), 'appkit-watch-'));
  const watcher = new EventEmitter();
  const changes: string[] = [];
  const settled: string[][] = [];
  const stop = watchFiles(
    { watcher: watcher as Watched }, // only `on` and `off` are used
    {
      onChange: (file, event) => {
        changes.push(event);
        return !file.endsWith('.db');
      },
      onSettled: (files) => settled.push([...files]),
    },
  );
  onTestFinished(() => {
    stop();
    vi.useRealTimers();
    rmSync(folder, { recursive: true });
  });
  return { file: path.join(folder, 'file.ts'), watcher, changes, settled };
}

it('reports a change that the watcher has dropped', () => {
  const { file, watcher, changes, settled } = watchOne();
  writeFileSync(file, 'one');
  watcher.emit('all', 'change', file);
  vi.advanceTimersByTime(10);
  expect(settled).toEqual([[file]]);
  writeFileSync(file, 'another');
  vi.advanceTimersByTime(100);
  expect(settled).toEqual([[file], [file]]);
  expect(changes).toEqual(['change', 'change']);
});

it('reports the files of one save at once one by one, then together', () => {
  const { file, watcher, changes, settled } = watchOne();
  for (const event of ['unlink', 'add']) watcher.emit('all', event, `${file}-${event}`);
  watcher.emit('all', 'change', `${file}.db`);
  expect(changes).toEqual(['unlink', 'add', 'change']);
  expect(settled).toEqual([]);
  vi.advanceTimersByTime(10);
  expect(settled).toEqual([[`${file}-unlink`, `${file}-add`]]);
});
