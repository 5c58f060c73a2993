import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { ConnectedJobs } from '../../runtime/host.ts';
import { createPostgresJobs } from './index.ts';
import type { PostgresJobs } from './index.ts';
import { findPostgres, startPostgres } from './postgres-server.cases.ts';
import type { PostgresServer } from './postgres-server.cases.ts';

const programs = findPostgres();
let server: PostgresServer;
let client: pg.Client;
let folder: string;
let jobs: PostgresJobs;
let connected: ConnectedJobs;
const running = new Set<ChildProcess>();

beforeAll(async () => {
  if (!programs) return;
  server = await startPostgres(programs);
  jobs = createPostgresJobs({ connectionString: server.url, work: false });
  connected = jobs.connect({ build: { manifest: { version: 6, routes: [], jobs: [] }, modules: {} } });
  await jobs.ready();
  client = new pg.Client(server.url);
  await client.connect();
});

afterAll(async () => {
  await client?.end();
  await jobs?.close();
  await server?.stop();
});

beforeEach(() => {
  folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
});

afterEach(async () => {
  await Promise.all([...running].map(kill));
  await client?.query('DELETE FROM appkit_jobs.job');
  rmSync(folder, { recursive: true, force: true });
});

/** Starts a process that runs the jobs. */
function start(): ChildProcess {
  const script = path.join(import.meta.dirname, 'worker-process.cases.ts');
  const child = spawn(process.execPath, [script, server.url, folder], { stdio: ['ignore', 'pipe', 'inherit'] });
  running.add(child);
  child.once('exit', () => running.delete(child));
  return child;
}

async function kill(child: ChildProcess): Promise<void> {
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

async function add(job: string, key: string): Promise<boolean> {
  const envelope = { v: 1 as const, id: crypto.randomUUID(), job, key, input: key, runAt: 0, attempt: 0 };
  return (await connected.enqueue(envelope)).duplicate;
}

/** As if the killed process had been silent for an hour. */
async function forgetHeartbeats(): Promise<void> {
  await client.query(
    `UPDATE appkit_jobs.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE state = 'active'`,
  );
}

async function countDone(): Promise<number> {
  const { rows } = await client.query<{ done: number }>(
    `SELECT count(*)::int AS done FROM appkit_jobs.job WHERE state = 'completed'`,
  );
  return rows[0]?.done ?? 0;
}

/** The key of each attempt that has begun. */
function readRuns(): string[] {
  return readFileSync(path.join(folder, 'runs'), 'utf8').trim().split('\n');
}

const KEYS = Array.from({ length: 1000 }, (_, index) => `key-${index}`);

describe.runIf(programs)('processes with jobs in PostgreSQL', () => {
  it('lose none of a thousand when they are killed, and have one effect for each key', async () => {
    expect(await Promise.all(KEYS.map((key) => add('effect', key)))).not.toContain(true);
    for (const count of [100, 200]) {
      const child = start();
      let done = 0;
      for await (const _ of createInterface(child.stdout as NodeJS.ReadableStream)) if (++done === count) break;
      await kill(child);
      await forgetHeartbeats();
    }
    expect(await Promise.all(KEYS.map((key) => add('effect', key)))).not.toContain(false);
    start();
    await expect.poll(countDone).toBe(KEYS.length);
    const effects = readdirSync(folder).filter((name) => name.startsWith('key-'));
    expect(effects.toSorted()).toEqual(KEYS.toSorted());
    // Only those that were cut off ran again: this many run at the same time.
    expect(readRuns().length).toBeLessThanOrEqual(KEYS.length + 2 * 50);
  });

  it('share jobs, and run each once', async () => {
    start();
    start();
    const keys = KEYS.slice(0, 200);
    await Promise.all(keys.map((key) => add('effect', key)));
    await expect.poll(countDone).toBe(keys.length);
    expect(readRuns().toSorted()).toEqual(keys.toSorted());
  });

  it('give up a job that kills them, and run the others', async () => {
    await add('killer', 'poison');
    for (const attempt of [1, 2]) {
      await once(start(), 'exit');
      expect(await jobs.list()).toMatchObject([{ state: 'running', attempt }]);
      await forgetHeartbeats();
    }
    await add('effect', 'key-after');
    start();
    await expect
      .poll(() => jobs.list({ state: 'dead' }))
      .toMatchObject([{ key: 'poison', error: expect.stringContaining('Its 2 attempts have ended without a result') }]);
    await expect.poll(countDone).toBe(1);
  });
});
