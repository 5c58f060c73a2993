import { execFileSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, rmSync, symlinkSync } from 'node:fs';
import { createConnection, createServer } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { trace } from '@opentelemetry/api';
import { InMemorySpanExporter, SimpleSpanProcessor, TracerProvider } from '@opentelemetry/sdk-trace';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineJob } from '../../runtime/jobs.ts';
import type { JobRun } from '../../runtime/jobs.ts';
import type { ConnectedJobs, JobTransaction } from '../../runtime/host.ts';
import { startBoss } from './boss.ts';
import { createPostgresJobs } from './index.ts';
import type { PostgresJobs } from './index.ts';
import { createJobQueue } from './job-queue.ts';
import { findPostgres, HOW_TO_INSTALL, startPostgres } from './postgres-server.cases.ts';
import type { PostgresServer } from './postgres-server.cases.ts';

const programs = findPostgres();
if (!programs) console.warn(`${HOW_TO_INSTALL} Without it, its tests are skipped.`);

it.runIf(process.env['CI'])('has a server to be tested with', () => {
  expect(programs, HOW_TO_INSTALL).toBeDefined();
});

/** An attempt that has begun and that the test ends. */
interface Begun extends JobRun {
  input: unknown;
  by: string;
  end(error?: Error): void;
}

interface Engine extends ConnectedJobs {
  jobs: PostgresJobs;
}

let server: PostgresServer;
let client: pg.Client;
let begun: Begun[];
let engines: Engine[];
let job: string;
let jobCount = 0;

beforeAll(async () => {
  if (!programs) return;
  server = await startPostgres(programs);
});

afterAll(() => server?.stop());

beforeEach(async () => {
  if (!programs) return;
  begun = [];
  engines = [];
  // Each test has a job of its own in the same tables.
  job = `job-${jobCount++}`;
  client = new pg.Client(server.url);
  client.on('error', () => {});
  await client.connect();
});

afterEach(async () => {
  if (!programs) return;
  for (const { end } of begun) end();
  await Promise.all(engines.map(({ jobs }) => jobs.close()));
  await client.end();
});

/** An engine with a job that begins and waits until the test ends it. */
function connect({ by = 'first', names = [job], work = true, attempts = 3 } = {}): Engine {
  const jobs = createPostgresJobs({ connectionString: server.url, work });
  const held = defineJob({
    concurrency: 2,
    retry: { attempts, delayMs: 1 },
    run: (input, run) =>
      new Promise<void>((resolve, reject) => {
        begun.push({ ...run, input, by, end: (error) => (error ? reject(error) : resolve()) });
      }),
  });
  const manifest = { version: 6, routes: [], jobs: names.map((name) => ({ name, file: `${name}.js` })) };
  const modules = Object.fromEntries(names.map((name) => [`${name}.js`, () => ({ default: held })]));
  const engine = { ...jobs.connect({ build: { manifest, modules }, onError: () => {} }), jobs };
  engines.push(engine);
  return engine;
}

interface Sent {
  input?: unknown;
  key?: string;
  delayMs?: number;
  name?: string;
  transaction?: JobTransaction;
}

function send({ enqueue }: Engine, options: Sent = {}): Promise<{ id: string; duplicate: boolean }> {
  const { input, key, delayMs = 0, name = job, transaction } = options;
  const id = crypto.randomUUID();
  const runAt = Date.now() + delayMs;
  const envelope = { v: 1 as const, id, job: name, input, runAt, attempt: 0, ...(key === undefined ? {} : { key }) };
  return enqueue(envelope, transaction);
}

/** Resolves once this many attempts have begun in total. */
async function hasBegun(count: number): Promise<Begun> {
  await vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(count), { timeout: 60_000 });
  expect(begun).toHaveLength(count);
  return begun.at(-1) as Begun;
}

async function isStored({ jobs }: Engine, id: string, expected: object): Promise<void> {
  await vi.waitFor(async () => expect(await jobs.get(id)).toMatchObject(expected), { timeout: 60_000 });
}

/** As if its process had been silent for an hour. */
async function forgetHeartbeat(id: string): Promise<void> {
  await client.query(`UPDATE appkit_jobs.job SET heartbeat_on = heartbeat_on - interval '1 hour' WHERE id = $1`, [id]);
}

describe.runIf(programs)('jobs in PostgreSQL', () => {
  it('give a job its input and key unchanged', async () => {
    const engine = connect();
    const input = { text: 'é\u0000\u{1f600}', list: [1, -0.5, 1e300, true, null, ''], nested: { 'a b': [[]] } };
    const { id } = await send(engine, { input, key: 'a\0b' });
    expect(await hasBegun(1)).toMatchObject({ id, input, key: 'a\0b', attempt: 1 });
  });

  it('have the names of their files', async () => {
    const name = 'Größe/a.b c@2';
    const engine = connect({ names: [name] });
    const { id } = await send(engine, { name });
    await hasBegun(1);
    expect(await engine.jobs.get(id)).toMatchObject({ job: name, state: 'running', attempt: 1 });
  });

  it('are stored once per key, even at the same time, until they are discarded', async () => {
    const engine = connect();
    const both = await Promise.all([send(engine, { key: 'k' }), send(engine, { key: 'k' })]);
    expect(both.map(({ duplicate }) => duplicate).toSorted()).toEqual([false, true]);
    const [{ id }] = both;
    expect(both[1].id).toBe(id);
    (await hasBegun(1)).end();
    await isStored(engine, id, { state: 'done' });
    expect(await send(engine, { key: 'k' })).toEqual({ id, duplicate: true });
    expect(await engine.jobs.discard(id)).toBe(true);
    expect(await send(engine, { key: 'k' })).toEqual({ id, duplicate: false });
  });

  it('wait for their delay', async () => {
    const engine = connect();
    const before = Date.now();
    const { id } = await send(engine, { delayMs: 3_600_000 });
    const sentAt = Date.now();
    const { id: soon } = await send(engine, { delayMs: 40.000_244, input: 'soon' });
    expect(await hasBegun(1)).toMatchObject({ input: 'soon' });
    const { rows } = await client.query(
      `SELECT started_on >= start_after AND start_after >= to_timestamp($2 / 1000.0) AS waited FROM appkit_jobs.job WHERE id = $1`,
      [soon, sentAt + 40],
    );
    expect(rows).toEqual([{ waited: true }]);
    expect((await engine.jobs.get(id))?.dueAt.getTime()).toBeGreaterThan(before + 3_590_000);
  });

  it('are tried again, and remain with their error when dead, until they are retried or discarded', async () => {
    const engine = connect({ attempts: 2 });
    const { id } = await send(engine, { key: 'k' });
    (await hasBegun(1)).end(new Error('first \0 \ud800'));
    (await hasBegun(2)).end(new Error('second'));
    await isStored(engine, id, { state: 'dead', attempt: 2, error: expect.stringContaining('Error: second') });
    const { rows } = await client.query('SELECT deletion_seconds FROM appkit_jobs.job WHERE id = $1', [id]);
    expect(rows).toEqual([{ deletion_seconds: 0 }]); // never
    expect(await send(engine, { key: 'k' })).toEqual({ id, duplicate: true });
    expect(await engine.jobs.retry(id)).toBe(true);
    const again = await hasBegun(3);
    expect(again.attempt).toBe(1);
    expect([await engine.jobs.retry(id), await engine.jobs.discard(id)]).toEqual([false, false]);
    again.end();
    await isStored(engine, id, { state: 'done', attempt: 1, error: undefined });
    expect((await engine.jobs.list({ state: 'done' })).map((record) => record.id)).toContain(id);
    expect((await engine.jobs.count()).filter((counted) => counted.job === job)).toEqual([
      { job, state: 'done', count: 1 },
    ]);
    expect(await engine.jobs.retry(id)).toBe(false);
    expect([await engine.jobs.get('nonsense'), await engine.jobs.discard('nonsense')]).toEqual([undefined, false]);
  });

  it('respect their concurrency limit across all processes', async () => {
    const [first] = [connect(), connect({ by: 'second' })];
    const inputs = [0, 1, 2, 3, 4, 5];
    await Promise.all(inputs.map((input) => send(first, { input })));
    for (const count of [2, 3, 4, 5, 6]) {
      await hasBegun(count);
      const { rows } = await client.query(
        `SELECT count(*)::int AS running FROM appkit_jobs.job WHERE name = $1 AND state = 'active'`,
        [job],
      );
      expect(rows).toEqual([{ running: 2 }]);
      begun[count - 2]?.end();
    }
    begun[5]?.end();
    expect(begun.map(({ input }) => input).toSorted()).toEqual(inputs);
  });

  it('are taken by one process at a time, so that no two fill the same free place', async () => {
    const bosses = await Promise.all(
      [0, 1, 2, 3].map(() =>
        startBoss({ connectionString: server.url, schema: 'appkit_jobs', max: 2, supervise: false, app: '.' }),
      ),
    );
    const queues = await Promise.all(bosses.map((boss) => createJobQueue(boss, 'appkit_jobs', [job])));
    const sender = connect({ work: false });
    await Promise.all([0, 1, 2, 3, 4, 5, 6, 7].map(() => send(sender)));
    // All of them are released at the same time.
    await client.query('BEGIN');
    await client.query('LOCK TABLE appkit_jobs.job IN EXCLUSIVE MODE');
    const claims = queues.map((queue) => queue.claim(job, { concurrency: 2, leaseMs: 0, now: Date.now() }));
    await vi.waitFor(async () => {
      // A transaction would keep its first snapshot.
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await client.query(
        `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND query LIKE '%appkit_jobs.${job}''%'`,
      );
      expect(rows).toHaveLength(queues.length);
    }, 60_000);
    await client.query('COMMIT');
    const claimed = await Promise.all(claims);
    expect(claimed.flat()).toHaveLength(2);
    await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })));
  });

  it('count an attempt that had ended when its process was told to stop', async () => {
    const boss = await startBoss({
      connectionString: server.url,
      schema: 'appkit_jobs',
      max: 4,
      supervise: false,
      app: '.',
    });
    const queue = await createJobQueue(boss, 'appkit_jobs', [job]);
    const engine = connect({ work: false });
    await send(engine);
    await send(engine);
    const [first, second] = await queue.claim(job, { concurrency: 2, leaseMs: 0, now: Date.now() });
    if (!first || !second) throw new Error('There are two.');
    // What ends while the end of the first is being stored waits for that.
    await client.query('BEGIN');
    await client.query('SELECT FROM appkit_jobs.job WHERE id = $1 FOR UPDATE', [first.id]);
    const ends = [queue.finish(first, { kind: 'done' })];
    await vi.waitFor(async () => {
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await client.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      expect(rows).toHaveLength(1);
    }, 60_000);
    ends.push(queue.finish(second, { kind: 'done' }));
    await queue.excuse([second]);
    await client.query('COMMIT');
    expect(await Promise.all(ends)).toEqual([true, true]);
    for (const { id } of [first, second]) {
      expect(await engine.jobs.get(id)).toMatchObject({ state: 'done', attempt: 1 });
    }
    await boss.stop({ graceful: false });
  });

  it('are left to other processes by a process that does not know them', async () => {
    const older = connect({ names: ['another'] });
    const newer = connect({ by: 'newer', work: false });
    const { id } = await send(newer);
    // By then, it has looked.
    await send(older, { name: 'another', input: 'known' });
    expect(await hasBegun(1)).toMatchObject({ input: 'known' });
    expect(await newer.jobs.get(id)).toMatchObject({ state: 'waiting', attempt: 0 });
    connect({ by: 'newest' });
    expect(await hasBegun(2)).toMatchObject({ id, by: 'newest', attempt: 1 });
  });

  it('are run again when they are lost, and the late result of the lost run changes nothing', async () => {
    const engine = connect();
    const { id } = await send(engine);
    const lost = await hasBegun(1);
    await forgetHeartbeat(id);
    connect({ by: 'second' });
    const second = await hasBegun(2);
    expect(second).toMatchObject({ id, by: 'second', attempt: 2 });
    lost.end(new Error('late'));
    // Anything stored by the late run has been stored by then.
    await engine.drain();
    expect(await engine.jobs.get(id)).toMatchObject({ state: 'running', attempt: 2 });
    second.end();
    await isStored(engine, id, { state: 'done', attempt: 2 });
  });

  it('are not ended by a run that began before a manual retry', async () => {
    const engine = connect();
    const { id } = await send(engine);
    const frozen = await hasBegun(1);
    await forgetHeartbeat(id);
    expect(await engine.jobs.retry(id)).toBe(true);
    const second = await hasBegun(2);
    expect(second).toMatchObject({ id, attempt: 1 });
    frozen.end(new Error('late'));
    second.end();
    await isStored(engine, id, { state: 'done', attempt: 1 });
  });

  it('that are delivered twice run twice in one process, and count as the second', async () => {
    const engine = connect();
    const { id } = await send(engine);
    const first = await hasBegun(1);
    await client.query(`UPDATE appkit_jobs.job SET state = 'retry' WHERE id = $1`, [id]);
    const second = await hasBegun(2);
    first.end();
    await send(engine, { input: 'after' });
    expect((await hasBegun(3)).input).toBe('after');
    expect(await engine.jobs.get(id)).toMatchObject({ state: 'running', attempt: 2 });
    second.end(new Error('fails'));
    expect(await hasBegun(4)).toMatchObject({ id, attempt: 3 });
  });

  it('go back uncounted when the process is told to stop, and a later app runs them', async () => {
    const engine = connect();
    const { id } = await send(engine);
    const { signal, end } = await hasBegun(1);
    signal.addEventListener('abort', () => end(signal.reason as Error));
    await engine.drain();
    const later = connect({ by: 'later' });
    expect(await hasBegun(2)).toMatchObject({ id, by: 'later', attempt: 1 });
    expect(await later.jobs.get(id)).toMatchObject({ state: 'running', attempt: 1 });
  });

  it('count when they end by themselves after the process was told to stop', async () => {
    const engine = connect();
    const { id } = await send(engine);
    const { end } = await hasBegun(1);
    const drained = engine.drain();
    await isStored(engine, id, { state: 'running', attempt: 0 });
    end();
    await drained;
    expect(await engine.jobs.get(id)).toMatchObject({ state: 'done', attempt: 1 });
  });

  it('that are cut off at the end of a shutdown do not count either', async () => {
    const engine = connect();
    const { id } = await send(engine);
    await hasBegun(1);
    void engine.drain();
    await isStored(engine, id, { state: 'running', attempt: 0 });
    await forgetHeartbeat(id);
    connect({ by: 'later' });
    expect(await hasBegun(2)).toMatchObject({ id, by: 'later', attempt: 1 });
  });
});

it.runIf(programs)('leaves the spans of jobs to the runtime, which are the same with every engine', async () => {
  const exporter = new InMemorySpanExporter();
  trace.setGlobalTracerProvider(new TracerProvider({ spanProcessors: [new SimpleSpanProcessor({ exporter })] }));
  try {
    const engine = connect();
    const { id } = await send(engine);
    (await hasBegun(1)).end();
    await isStored(engine, id, { state: 'done' });
    expect(exporter.getFinishedSpans().map(({ name }) => name)).toEqual([]);
  } finally {
    trace.disable();
  }
});

describe.runIf(programs)('a queue that is not there', () => {
  it('is created again: a job is stored or a duplicate, and never neither', async () => {
    const engine = connect({ work: false });
    await send(engine);
    await client.query('DELETE FROM appkit_jobs.job WHERE name = $1', [job]);
    await client.query('DELETE FROM appkit_jobs.queue WHERE name = $1', [job]);
    const { id, duplicate } = await send(engine, { key: 'k' });
    expect([duplicate, (await engine.jobs.get(id))?.state]).toEqual([false, 'waiting']);
    expect(await send(engine, { key: 'k' })).toEqual({ id, duplicate: true });
  });

  it('is created again, also when pg-boss has noticed that it is gone', async () => {
    const options = { connectionString: server.url, schema: 'appkit_jobs', max: 2, supervise: false, app: '.' };
    const boss = await startBoss(options);
    const { add } = await createJobQueue(boss, 'appkit_jobs', [job]);
    await boss.deleteQueue(job);
    const id = crypto.randomUUID();
    const envelope = { v: 1 as const, id, job, input: 'new', runAt: Date.now(), attempt: 0 };
    expect(await add(envelope, undefined)).toEqual({ id, duplicate: false });
    await boss.stop({ graceful: false });
  });

  it('is refused in a transaction that began before it', async () => {
    const engine = connect({ work: false });
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    await client.query('SELECT 1 FROM pg_class LIMIT 1');
    await expect(send(engine, { transaction: client })).rejects.toMatchObject({
      code: 'ERR_JOB_INVALID',
      message: expect.stringContaining('Begin it again'),
    });
    await client.query('ROLLBACK');
    await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ');
    const { id } = await send(engine, { transaction: client });
    await client.query('COMMIT');
    expect(await engine.jobs.get(id)).toMatchObject({ state: 'waiting' });
  });
});

describe.runIf(programs)('a transaction', () => {
  it('that holds a key blocks only those that store the same key', async () => {
    const engine = connect();
    await client.query('BEGIN');
    await send(engine, { transaction: client, key: 'same' });
    const others = Array.from({ length: 12 }, () => send(engine, { key: 'same' }));
    await vi.waitFor(
      async () => {
        // A transaction would keep its first snapshot.
        await client.query('SELECT pg_stat_clear_snapshot()');
        const { rows } = await client.query(`SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'`);
        expect(rows).toHaveLength(8);
      },
      { timeout: 60_000 },
    );
    const other = connect({ by: 'other', work: false });
    await send(other, { input: 'meanwhile' });
    expect(await hasBegun(1)).toMatchObject({ input: 'meanwhile', by: 'first' });
    await client.query('COMMIT');
    expect((await Promise.all(others)).every(({ duplicate }) => duplicate)).toBe(true);
  });

  it('that is committed enqueues', async () => {
    const engine = connect();
    await client.query('BEGIN');
    const { id } = await send(engine, { transaction: client, input: 'committed' });
    await send(engine, { input: 'beside' });
    expect((await hasBegun(1)).input).toBe('beside');
    expect(await engine.jobs.get(id)).toBe(undefined);
    await client.query('COMMIT');
    expect(await hasBegun(2)).toMatchObject({ id, input: 'committed' });
  });

  it('that is rolled back enqueues nothing', async () => {
    const engine = connect();
    const transaction = { executeSql: (text: string, values?: unknown[]) => client.query(text, values) };
    await client.query('BEGIN');
    const { id, duplicate } = await send(engine, { transaction, key: 'k' });
    await client.query('ROLLBACK');
    expect(await engine.jobs.get(id)).toBe(undefined);
    expect(await send(engine, { key: 'k' })).toEqual({ id, duplicate });
  });
});

describe.runIf(programs)('a connection', () => {
  it('that has gone silent is given up, and the next statement uses another connection', async () => {
    const socket = '.s.PGSQL.5432';
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-silent-'));
    const target = path.join(new URL(server.url).searchParams.get('host') ?? '', socket);
    const opened: Socket[] = [];
    const proxy = createServer((from) => {
      const to = createConnection(target);
      opened.push(from, to);
      for (const side of [from, to]) side.on('error', () => {});
      from.pipe(to).pipe(from);
    }).listen(path.join(folder, socket));
    const connectionString = `postgres://appkit@localhost/postgres?host=${encodeURIComponent(folder)}`;
    const options = { connectionString, schema: 'appkit_jobs', max: 4, query_timeout: 100, supervise: false, app: '.' };
    // A busy machine may take longer even for the first statements.
    const boss = await vi.waitFor(() => startBoss(options), { timeout: 60_000 });
    for (const side of opened) side.unpipe().pause();
    await expect(boss.getDb().executeSql('SELECT 1')).rejects.toThrow('timeout');
    await expect
      .poll(() =>
        boss
          .getDb()
          .executeSql('SELECT 1 AS one')
          .then(({ rows }) => rows, String),
      )
      .toEqual([{ one: 1 }]);
    await boss.stop({ graceful: false });
    for (const side of opened) side.destroy();
    proxy.close();
    rmSync(folder, { recursive: true });
  });
});

describe.runIf(programs)('createPostgresJobs', () => {
  it('refuses an invalid address or schema, and does not repeat the password', () => {
    expect(() => createPostgresJobs({ connectionString: 'mysql://u:secret@host' })).toThrow(
      expect.objectContaining({ code: 'ERR_OPTION_INVALID', message: expect.not.stringContaining('secret') }),
    );
    expect(() => createPostgresJobs({ connectionString: server.url, schema: 'a"b' })).toThrow(
      /The option schema .* is "a\\"b"/,
    );
    expect(() => createPostgresJobs({ connectionString: server.url, maxConnections: 3 })).toThrow(
      /The option maxConnections .* is 3\./,
    );
  });

  it('says what to install when pg-boss is missing', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-no-boss-'));
    const bundle = path.join(import.meta.dirname, '../../runtime/lib/adapters/_postgres/index.js');
    copyFileSync(bundle, path.join(folder, 'index.mjs'));
    const program = `
      const { createPostgresJobs } = await import('./index.mjs');
      await createPostgresJobs({ connectionString: 'postgres://nowhere' }).ready().catch(({ code, message }) => console.log(code, message));`;
    const args = ['--input-type=module', '-e', program];
    expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe(
      'ERR_JOBS_UNAVAILABLE Jobs in PostgreSQL need pg-boss. Install it: npm install pg-boss@12.38.0\n',
    );
    rmSync(folder, { recursive: true });
  });

  it("finds pg-boss in the app's folder, wherever the process runs", () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-app-boss-'));
    const bundle = path.join(import.meta.dirname, '../../runtime/lib/adapters/_postgres/index.js');
    copyFileSync(bundle, path.join(folder, 'index.mjs'));
    mkdirSync(path.join(folder, 'app/node_modules'), { recursive: true });
    const installed = path.join(import.meta.dirname, '../../node_modules/pg-boss');
    symlinkSync(installed, path.join(folder, 'app/node_modules/pg-boss'), 'junction');
    const program = `
      const { createPostgresJobs } = await import('./index.mjs');
      const jobs = createPostgresJobs({ connectionString: 'postgres://127.0.0.1:1/shop', app: 'app' });
      await jobs.ready().catch(({ code }) => console.log(code));`;
    const args = ['--input-type=module', '-e', program];
    expect(execFileSync(process.execPath, args, { cwd: folder, encoding: 'utf8' })).toBe('ECONNREFUSED\n');
    rmSync(folder, { recursive: true });
  });

  it('says whether the tables exist, without creating them', async () => {
    const jobs = createPostgresJobs({ connectionString: server.url, schema: 'elsewhere', work: false });
    const there = async (): Promise<unknown> =>
      (await client.query("SELECT to_regnamespace('elsewhere') IS NOT NULL AS there")).rows;
    expect([await jobs.exists(), await there()]).toEqual([false, [{ there: false }]]);
    await jobs.ready();
    expect([await jobs.exists(), await there()]).toEqual([true, [{ there: true }]]);
    await jobs.close();
  });

  it('survives a restart of PostgreSQL: runs that ended meanwhile are stored, and enqueue() rejects until then', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const engine = connect();
    const { id } = await send(engine);
    const { end } = await hasBegun(1);
    await server.crash();
    await expect(send(engine)).rejects.toThrow(/ECONNREFUSED|ENOENT|terminat/);
    end();
    await vi.waitFor(
      () => expect(log).toHaveBeenCalledWith(expect.stringContaining('cannot be stored yet'), expect.anything()),
      { timeout: 60_000 },
    );
    await server.start();
    await isStored(engine, id, { state: 'done', attempt: 1 });
    await send(engine, { input: 'after' });
    expect((await hasBegun(2)).input).toBe('after');
    log.mockRestore();
  });

  it('starts working once PostgreSQL is up', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const sender = connect({ work: false });
    const { id } = await send(sender);
    await server.crash();
    connect();
    await vi.waitFor(
      () => expect(log).toHaveBeenCalledWith(expect.stringContaining('cannot be read'), expect.anything()),
      { timeout: 60_000 },
    );
    await server.start();
    expect(await hasBegun(1)).toMatchObject({ id });
    log.mockRestore();
  });
});
