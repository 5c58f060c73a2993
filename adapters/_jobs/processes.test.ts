import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterEach, beforeEach, expect, it } from 'vitest';
import { openJobStore } from './job-store.ts';
import type { JobStore } from './job-store.ts';

let folder: string;
let file: string;
let store: JobStore;
const running = new Set<ChildProcess>();

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
  file = path.join(folder, 'jobs', 'jobs.sqlite');
  store = openJobStore(file);
});

afterEach(async () => {
  await Promise.all([...running].map(kill));
  store.close();
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that runs the jobs, with its clock this many hours ahead. */
function start(hours = 0): ChildProcess {
  const script = path.join(import.meta.dirname, 'worker-process.cases.ts');
  const child = spawn(process.execPath, [script, file, folder, String(hours)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

function add(job: string, key: string): boolean {
  const now = Date.now();
  const id = crypto.randomUUID();
  return store.add({ v: 1, id, job, key, input: key, runAt: now, attempt: 0 }, now).duplicate;
}

/** The keys whose effect exists. */
function effects(): string[] {
  return readdirSync(folder).filter((name) => name.startsWith('key-'));
}

const KEYS = Array.from({ length: 150 }, (_, index) => `key-${index}`);

it('loses no job when processes are killed, and has one effect per key', async () => {
  expect(KEYS.map((key) => add('effect', key))).not.toContain(true);
  for (let hours = 0; hours < 3; hours++) {
    const child = start(hours);
    let done = 0;
    for await (const _ of createInterface(child.stdout as NodeJS.ReadableStream)) if (++done === 20) break;
    await kill(child);
  }
  expect(KEYS.map((key) => add('effect', key))).not.toContain(false);
  start(3);
  await expect.poll(() => store.list({ state: 'done', limit: 1000 }).length).toBe(KEYS.length);
  expect(store.list({ limit: 1000 })).toHaveLength(KEYS.length);
  expect(effects().toSorted()).toEqual(KEYS.toSorted());
});

it('shares the jobs of a file among processes, and runs each once', async () => {
  const children = [start(), start()];
  for (const key of KEYS) add('effect', key);
  await expect.poll(() => store.list({ state: 'done', limit: 1000 }).length).toBe(KEYS.length);
  const runs = readFileSync(path.join(folder, 'runs'), 'utf8').trim().split('\n');
  expect(runs.toSorted()).toEqual(KEYS.toSorted());
  expect(store.list({ limit: 1000 }).every(({ attempt }) => attempt === 1)).toBe(true);
  await Promise.all(children.map(kill));
});

it('gives up a job that kills its process, and runs the others', async () => {
  add('killer', 'poison');
  for (const hours of [0, 1]) {
    const child = start(hours);
    await once(child, 'exit');
    expect(store.list({ limit: 1 })).toMatchObject([{ state: 'running', attempt: hours + 1 }]);
  }
  add('effect', 'key-after');
  start(2);
  await expect
    .poll(() => store.list({ state: 'dead', limit: 1 }))
    .toMatchObject([{ key: 'poison', error: expect.stringContaining('Its 2 attempts have ended without a result') }]);
  await expect.poll(effects).toEqual(['key-after']);
});
