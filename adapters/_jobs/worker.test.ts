import { AsyncLocalStorage } from 'node:async_hooks';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobApp, JobEnvelope, JobOutcome, JobRunner } from '../../runtime/host.ts';
import { startDraining } from '../../runtime/draining.ts';
import { defineJob } from '../../runtime/jobs.ts';
import type { ClaimedJob } from './claim.ts';
import { createSqliteJobs } from './index.ts';
import { createJobEngine } from './job-engine.ts';
import { createJobStore, KEPT_MS, openJobStore } from './job-store.ts';
import type { JobStore } from './job-store.ts';
import { openDatabase } from './open-database.ts';
import { createWorker } from './worker.ts';
import type { Clock, Worker, WorkerStore } from './worker.ts';

/** A clock that a test moves. */
function createClock(): Clock & { pass(ms: number): void; waits(): number | undefined } {
  let now = 1_000_000;
  let timer: { at: number; call: () => void } | undefined;
  return {
    now: () => now,
    after(ms, call) {
      const set = (timer = { at: now + ms, call });
      return () => void (timer === set && (timer = undefined));
    },
    pass(ms) {
      now += ms;
      const due = timer && timer.at <= now ? timer : undefined;
      if (!due) return;
      timer = undefined;
      due.call();
    },
    waits: () => timer && timer.at - now,
  };
}

/** An attempt that has begun and that the test ends. */
interface Begun {
  envelope: ClaimedJob;
  signal: AbortSignal;
  end(outcome: JobOutcome): void;
}

let store: JobStore;
let clock: ReturnType<typeof createClock>;
let begun: Begun[];
let worker: Worker;
let workers: Worker[];

const SETTINGS = { timeoutMs: 60_000, concurrency: 2 };

beforeEach(() => {
  store = openJobStore(':memory:');
  clock = createClock();
  begun = [];
  workers = [];
  worker = createTestWorker();
});

afterEach(async () => {
  for (const { stop } of workers) stop();
  for (const { end } of begun) end({ kind: 'done' });
  for (const { settled } of workers) await settled();
  store.close();
});

function createTestWorker(names = ['mail', 'other']): Worker {
  const runner: JobRunner = {
    names,
    jobs: [],
    describe: async () => SETTINGS,
    findSchedule: async () => undefined,
    runMessage: (envelope, signal) =>
      new Promise((end) => begun.push({ envelope: envelope as ClaimedJob, signal, end })), // what was claimed
  };
  const created = createWorker(store, () => runner, clock);
  workers.push(created);
  return created;
}

function add(job = 'mail', { key, delayMs = 0 }: { key?: string; delayMs?: number } = {}): string {
  const envelope = { v: 1 as const, id: crypto.randomUUID(), job, runAt: clock.now() + delayMs, attempt: 0 };
  return store.add(key === undefined ? envelope : { ...envelope, key }, clock.now()).id;
}

/** Resolves once this many attempts have begun in total. */
async function hasBegun(count: number): Promise<Begun> {
  await vi.waitFor(() => expect(begun).toHaveLength(count));
  await asleep();
  return begun.at(-1) as Begun;
}

/** Resolves once the worker waits for its next look. */
async function asleep(): Promise<void> {
  await vi.waitFor(() => expect(clock.waits()).toBeDefined());
}

async function ended(id: string, outcome: JobOutcome): Promise<void> {
  const before = JSON.stringify(store.get(id));
  begun.find(({ envelope }) => envelope.id === id)?.end(outcome);
  await vi.waitFor(() => expect(JSON.stringify(store.get(id))).not.toBe(before));
  await asleep();
}

describe('a worker', () => {
  it('counts an attempt before it runs', async () => {
    const id = add();
    worker.wake();
    const { envelope } = await hasBegun(1);
    expect(envelope).toMatchObject({ id, attempt: 1 });
    expect(store.get(id)).toMatchObject({ state: 'running', attempt: 1 });
    await ended(id, { kind: 'done' });
    expect(store.get(id)).toMatchObject({ state: 'done', endedAt: new Date(clock.now()) });
  });

  it('tries again after the delay, and keeps the error of a dead job', async () => {
    const id = add();
    worker.wake();
    await hasBegun(1);
    await ended(id, { kind: 'retry', afterMs: 300, error: 'first' });
    expect(store.get(id)).toMatchObject({ state: 'waiting', attempt: 1, error: 'first' });
    clock.pass(299);
    await asleep();
    expect(begun).toHaveLength(1);
    clock.pass(1);
    const { envelope, end } = await hasBegun(2);
    expect(envelope.attempt).toBe(2);
    end({ kind: 'dead', error: 'second' });
    await vi.waitFor(() => expect(store.get(id)).toMatchObject({ state: 'dead', attempt: 2, error: 'second' }));
  });

  it('respects the concurrency of a job across all workers of a file', async () => {
    for (let count = 0; count < 5; count++) add();
    add('other');
    const second = createTestWorker();
    worker.wake();
    await hasBegun(3);
    second.wake();
    await asleep();
    expect(begun.map(({ envelope }) => envelope.job)).toEqual(['mail', 'mail', 'other']);
    begun[0]?.end({ kind: 'done' });
    await hasBegun(4);
  });

  it('waits for its time, and looks once per second for jobs that other processes have stored', async () => {
    worker.wake();
    await asleep();
    expect(clock.waits()).toBe(1000);
    add('mail', { delayMs: 1300 });
    clock.pass(1000);
    await asleep();
    expect(clock.waits()).toBe(300);
    expect(begun).toEqual([]);
    clock.pass(300);
    await hasBegun(1);
  });

  it('keeps a job that waits longer than any timer', async () => {
    add('mail', { delayMs: 30 * 86_400_000 });
    worker.wake();
    await asleep();
    clock.pass(30 * 86_400_000 - 1);
    await asleep();
    expect(begun).toEqual([]);
    clock.pass(1);
    await hasBegun(1);
  });

  it('runs a job again that another process has lost, and ignores its late result', async () => {
    const id = add();
    worker.wake();
    const lost = await hasBegun(1);
    clock.pass(SETTINGS.timeoutMs);
    await asleep();
    expect(begun).toHaveLength(1);
    clock.pass(5000);
    await asleep();
    // Whatever the clock says, it still runs here.
    expect(begun).toHaveLength(1);
    createTestWorker().wake();
    const { envelope } = await hasBegun(2);
    expect(envelope).toMatchObject({ id, attempt: 2 });
    expect(store.finish(lost.envelope, { kind: 'done' }, clock.now())).toBe(false);
    expect(store.get(id)).toMatchObject({ state: 'running', attempt: 2 });
    expect(store.finish(envelope, { kind: 'done' }, clock.now())).toBe(true);
  });

  it('does not delay jobs because of one that loads slowly', async () => {
    const runner: JobRunner = {
      names: ['mail', 'other'],
      jobs: [],
      describe: (job) => (job === 'mail' ? new Promise(() => undefined) : Promise.resolve(SETTINGS)),
      findSchedule: async () => undefined,
      runMessage: (envelope, signal) =>
        new Promise((end) => begun.push({ envelope: envelope as ClaimedJob, signal, end })), // what was claimed
    };
    const created = createWorker(store, () => runner, clock);
    workers.push(created);
    add('mail');
    const id = add('other');
    created.wake();
    expect((await hasBegun(1)).envelope.id).toBe(id);
  });

  it('does not run jobs in the context of the request that has woken it', async () => {
    const ofRequest = new AsyncLocalStorage<string>();
    let seen: string | undefined = 'nothing';
    const runner: JobRunner = {
      names: ['mail'],
      jobs: [],
      describe: async () => SETTINGS,
      findSchedule: async () => undefined,
      async runMessage() {
        seen = ofRequest.getStore();
        return { kind: 'done' };
      },
    };
    const created = createWorker(store, () => runner, clock);
    workers.push(created);
    const id = add();
    ofRequest.run('of somebody', () => created.wake());
    await vi.waitFor(() => expect(store.get(id)).toMatchObject({ state: 'done' }));
    expect(seen).toBe(undefined);
  });

  it('allows discarding a run whose lease is over: its job may no longer be part of any build', async () => {
    const id = add();
    worker.wake();
    await hasBegun(1);
    expect(store.discard(id, clock.now())).toBe(false);
    clock.pass(SETTINGS.timeoutMs + 5000);
    expect(store.discard(id, clock.now())).toBe(true);
  });

  it('leaves unknown jobs to other processes', async () => {
    const id = add('newer');
    worker.wake();
    await asleep();
    expect(store.get(id)).toMatchObject({ state: 'waiting', attempt: 0 });
    createTestWorker(['newer']).wake();
    expect((await hasBegun(1)).envelope.id).toBe(id);
  });

  it('starts nothing once it is stopped, aborts running jobs, and gives back those that end because of this', async () => {
    const [first, second, third] = [add(), add(), add()];
    worker.wake();
    await hasBegun(2);
    worker.stop();
    expect(begun.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    begun[0]?.end({ kind: 'released' });
    begun[1]?.end({ kind: 'done' });
    await worker.settled();
    expect([first, second, third].map((id) => store.get(id))).toMatchObject([
      { state: 'waiting', attempt: 0 },
      { state: 'done', attempt: 1 },
      { state: 'waiting', attempt: 0 },
    ]);
  });

  it('gives back what it was claiming for an app that another has replaced meanwhile, and runs it in that', async () => {
    const claims: (() => void)[] = [];
    // As with a database elsewhere.
    const slow: WorkerStore = {
      ...store,
      claim: async (...call) => {
        await new Promise<void>((resolve) => claims.push(resolve));
        return store.claim(...call);
      },
    };
    const ran: string[] = [];
    const toRunner = (version: string): JobRunner => ({
      names: ['mail'],
      jobs: [],
      describe: async () => SETTINGS,
      findSchedule: async () => undefined,
      async runMessage({ attempt }) {
        ran.push(`${version}, attempt ${attempt}`);
        return { kind: 'done' };
      },
    });
    let runner = toRunner('old');
    const own = createWorker(slow, () => runner, clock);
    workers.push(own);
    const id = add();
    own.wake();
    await vi.waitFor(() => expect(claims).toHaveLength(1));
    runner = toRunner('new');
    own.wake();
    claims[0]?.();
    await vi.waitFor(() => expect(claims).toHaveLength(2));
    expect(ran).toEqual([]);
    claims[1]?.();
    await vi.waitFor(() => expect(store.get(id)).toMatchObject({ state: 'done', attempt: 1 }));
    expect(ran).toEqual(['new, attempt 1']);
  });

  it('continues after the file could not be read', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const due = vi.spyOn(store, 'due').mockImplementationOnce(() => {
      throw new Error('disk I/O error');
    });
    add();
    worker.wake();
    await asleep();
    expect(log).toHaveBeenCalledOnce();
    clock.pass(1000);
    await hasBegun(1);
    due.mockRestore();
    log.mockRestore();
  });
});

describe('a store', () => {
  it('stores a key once per job, as long as the job is kept', async () => {
    const first = add('mail', { key: 'k' });
    expect(add('mail', { key: 'k' })).toBe(first);
    expect(add('other', { key: 'k' })).not.toBe(first);
    worker.wake();
    await hasBegun(2);
    await ended(first, { kind: 'done' });
    expect(KEPT_MS).toBe(7 * 86_400_000);
    clock.pass(KEPT_MS);
    store.clean(clock.now());
    expect(add('mail', { key: 'k' })).toBe(first);
    clock.pass(1);
    store.clean(clock.now());
    expect(add('mail', { key: 'k' })).not.toBe(first);
  });

  it('ignores the late result of an attempt from before a manual retry', async () => {
    const id = add();
    worker.wake();
    const frozen = await hasBegun(1);
    clock.pass(SETTINGS.timeoutMs + 5000);
    expect(store.retry(id, clock.now())).toBe(true);
    createTestWorker().wake();
    const { envelope } = await hasBegun(2);
    expect(envelope).toMatchObject({ id, attempt: 1 });
    expect(store.finish(frozen.envelope, { kind: 'dead', error: 'late' }, clock.now())).toBe(false);
    expect(store.finish(envelope, { kind: 'done' }, clock.now())).toBe(true);
  });

  it('keeps a dead job until it is retried or discarded', async () => {
    const id = add();
    worker.wake();
    await hasBegun(1);
    expect([store.retry(id, clock.now()), store.discard(id, clock.now())]).toEqual([false, false]);
    await ended(id, { kind: 'dead', error: 'why' });
    clock.pass(10 * KEPT_MS);
    store.clean(clock.now());
    expect(store.list({ state: 'dead', limit: 10 })).toMatchObject([{ id, error: 'why' }]);
    expect(store.retry(id, clock.now())).toBe(true);
    worker.wake();
    expect((await hasBegun(2)).envelope).toMatchObject({ id, attempt: 1 });
    await vi.waitFor(() => {
      begun.at(-1)?.end({ kind: 'dead', error: 'again' });
      expect(store.discard(id, clock.now())).toBe(true);
    });
    expect(store.get(id)).toBe(undefined);
  });
});

it('is not delayed by a result that cannot be stored, and gives back no job that has ended', async () => {
  const log = vi.spyOn(console, 'error').mockImplementation(() => {});
  const id = add();
  worker.wake();
  const { end } = await hasBegun(1);
  const finish = vi.spyOn(store, 'finish').mockImplementation(() => {
    throw new Error('disk I/O error');
  });
  end({ kind: 'done' });
  await vi.waitFor(() => expect(log).toHaveBeenCalledOnce());
  add('other');
  worker.wake();
  await hasBegun(2);
  worker.stop();
  finish.mockClear();
  process.emit('exit', 0);
  expect(finish.mock.calls.map(([claimed, { kind }]) => [claimed.id === id, kind])).toEqual([
    [true, 'done'],
    [false, 'released'],
  ]);
  finish.mockRestore();
  log.mockRestore();
});

describe('a full disk', () => {
  it('refuses a job, and keeps the result of another until there is room', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    store.close();
    const database = openDatabase(':memory:');
    store = createJobStore(database, ':memory:');
    worker = createTestWorker();
    const id = add();
    worker.wake();
    const { end } = await hasBegun(1);
    const { page_count: pages } = database.prepare('PRAGMA page_count').get() as { page_count: number };
    database.exec(`PRAGMA max_page_count = ${pages}`);
    const large = 'x'.repeat(50_000);
    const envelope = { v: 1 as const, id: 'large', job: 'mail', input: large, runAt: 0, attempt: 0 };
    expect(() => store.add(envelope, clock.now())).toThrow('full');
    end({ kind: 'dead', error: large });
    await vi.waitFor(() =>
      expect(log).toHaveBeenCalledWith(expect.stringMatching('cannot be stored yet'), expect.anything()),
    );
    await asleep();
    expect(store.list({ limit: 10 })).toMatchObject([{ id, state: 'running' }]);
    database.exec(`PRAGMA max_page_count = ${pages + 100}`);
    clock.pass(1000);
    await vi.waitFor(() => expect(store.get(id)).toMatchObject({ state: 'dead', error: large }));
    log.mockRestore();
  });
});

describe('createSqliteJobs', () => {
  it('continues with a file of an earlier release', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
    const file = path.join(folder, 'jobs.sqlite');
    const newer = openJobStore(file);
    newer.add({ v: 1, id: 'a', job: 'mail', runAt: 0, attempt: 0 }, 0);
    newer.close();
    const earlier = openDatabase(file);
    earlier.exec(
      'ALTER TABLE appkit_jobs DROP COLUMN claim; ALTER TABLE appkit_jobs DROP COLUMN scheduled_at; DROP TABLE appkit_schedules; PRAGMA user_version = 1',
    );
    earlier.close();
    const again = openJobStore(file);
    expect(again.claim('mail', { concurrency: 1, leaseMs: 1, now: 1 })).toMatchObject([{ id: 'a', claim: 1 }]);
    again.close();
    rmSync(folder, { recursive: true });
  });

  it('continues with a file of the release before schedules', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
    const file = path.join(folder, 'jobs.sqlite');
    openJobStore(file).close();
    const earlier = openDatabase(file);
    earlier.exec(
      'ALTER TABLE appkit_jobs DROP COLUMN scheduled_at; DROP TABLE appkit_schedules; PRAGMA user_version = 2',
    );
    earlier.close();
    const again = openJobStore(file);
    expect(again.beginSchedule('mail', '* * * * * UTC', 5)).toBe(5);
    again.add({ v: 1, id: 'a', job: 'mail', runAt: 0, attempt: 0, scheduledAt: 6 }, 0);
    expect(again.get('a')).toMatchObject({ scheduledAt: new Date(6), envelope: { scheduledAt: 6 } });
    again.close();
    rmSync(folder, { recursive: true });
  });

  it('refuses a file of a newer release', () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
    const file = path.join(folder, 'jobs.sqlite');
    const newer = openDatabase(file);
    newer.exec('PRAGMA user_version = 99');
    newer.close();
    expect(() => createSqliteJobs({ file }).list()).toThrow(/has the jobs of a newer appkit-server \(version 99/);
    rmSync(folder, { recursive: true });
  });

  it('says whether the table of jobs exists, without creating it', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
    const file = path.join(folder, 'shop.sqlite');
    const jobs = createSqliteJobs({ file });
    expect([jobs.exists(), existsSync(file)]).toEqual([false, false]);
    const shop = openDatabase(file);
    shop.exec('CREATE TABLE orders (id TEXT)');
    shop.close();
    const before = readFileSync(file);
    expect([jobs.exists(), readFileSync(file).equals(before)]).toEqual([false, true]);
    jobs.list();
    expect(createSqliteJobs({ file }).exists()).toBe(true);
    await jobs.close();
    rmSync(folder, { recursive: true });
  });

  it('refuses a file without a name', () => {
    expect(() => createSqliteJobs({ file: '' })).toThrow(expect.objectContaining({ code: 'ERR_OPTION_INVALID' }));
  });

  it('says what it needs when SQLite is missing', () => {
    const find = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    expect(() => openDatabase(':memory:')).toThrow(/needs the SQLite of the platform, and Node \S+ has none.*22\.13/);
    find.mockRestore();
  });

  it('refuses a transaction, which cannot include a file', async () => {
    const jobs = createSqliteJobs({ file: ':memory:' });
    const { enqueue } = jobs.connect({ build: { manifest: { version: 6, routes: [] }, modules: {} } });
    const envelope = { v: 1 as const, id: 'a', job: 'mail', runAt: 0, attempt: 0 };
    await expect(enqueue(envelope, { query: async () => ({ rows: [] }) })).rejects.toMatchObject({
      code: 'ERR_JOB_INVALID',
      message: expect.stringContaining('createPostgresJobs()'),
    });
    expect(jobs.list()).toEqual([]);
    await jobs.close();
  });

  it('starts nothing more once the server is told to stop, and aborts running jobs, before it is drained', async () => {
    const ran: number[] = [];
    const job = defineJob({
      run(input, { signal }) {
        ran.push(Number(input));
        return new Promise((resolve) => signal.addEventListener('abort', resolve));
      },
    });
    const manifest = { version: 6, routes: [], jobs: [{ name: 'mail', file: 'mail.js' }] };
    const jobs = createSqliteJobs({ file: ':memory:' });
    const { enqueue, drain } = jobs.connect({ build: { manifest, modules: { 'mail.js': () => ({ default: job }) } } });
    const send = (input: number): Promise<unknown> =>
      enqueue({ v: 1, id: crypto.randomUUID(), job: 'mail', input, runAt: 0, attempt: 0 });
    await send(1);
    await vi.waitFor(() => expect(ran).toEqual([1]));
    try {
      startDraining();
    } finally {
      Reflect.deleteProperty(globalThis, Symbol.for('appkit.draining'));
    }
    await vi.waitFor(() => expect(jobs.list({ state: 'done' })).toHaveLength(1));
    await send(2);
    // By then, it would have begun.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    expect(jobs.list()).toMatchObject([{ state: 'waiting', input: 2 }, { state: 'done' }]);
    expect(jobs.count()).toEqual([
      { job: 'mail', state: 'done', count: 1 },
      { job: 'mail', state: 'waiting', count: 1 },
    ]);
    await drain();
    expect(ran).toEqual([1]);
    await jobs.close();
  });

  /** An app with one job. */
  function appOf(run: (input: unknown) => unknown): JobApp {
    const job = defineJob({ run });
    const manifest = { version: 6, routes: [], jobs: [{ name: 'mail', file: 'mail.js' }] };
    return { build: { manifest, modules: { 'mail.js': () => ({ default: job }) } }, onError: () => {} };
  }

  function toEnvelope(input: unknown): JobEnvelope {
    return { v: 1, id: crypto.randomUUID(), job: 'mail', input, runAt: 0, attempt: 0 };
  }

  it('runs the jobs of a later app after it was drained, and those that the first has stored', async () => {
    const first: unknown[] = [];
    const second: unknown[] = [];
    const jobs = createSqliteJobs({ file: ':memory:' });
    const { enqueue, drain } = jobs.connect(appOf((input) => first.push(input)));
    await enqueue(toEnvelope(1));
    await vi.waitFor(() => expect(first).toEqual([1]));
    await drain();
    await enqueue(toEnvelope(2));
    jobs.connect(appOf((input) => second.push(input)));
    await vi.waitFor(() => expect(second).toEqual([2]));
    expect(first).toEqual([1]);
    await jobs.close();
  });

  it('lets a running job of an app end that a later app has replaced, and waits for it', async () => {
    const jobs = createSqliteJobs({ file: ':memory:' });
    let end = (): void => undefined;
    const { enqueue, drain } = jobs.connect(appOf(() => new Promise<void>((resolve) => (end = resolve))));
    const { id } = await enqueue(toEnvelope(1));
    await vi.waitFor(() => expect(jobs.get(id)).toMatchObject({ state: 'running' }));
    const later = jobs.connect(appOf(() => undefined));
    let isDrained = false;
    const drained = drain().then(() => (isDrained = true));
    const { id: next } = await later.enqueue(toEnvelope(2));
    await vi.waitFor(() => expect(jobs.get(next)).toMatchObject({ state: 'done' }));
    expect(isDrained).toBe(false);
    end();
    await drained;
    await vi.waitFor(() => expect(jobs.get(id)).toMatchObject({ state: 'done', attempt: 1 }));
    await jobs.close();
  });

  it('is drained only once the results of a replaced app are stored', async () => {
    const events: string[] = [];
    let keep = (): void => undefined;
    const engine = createJobEngine({
      enqueue: async (envelope) => store.add(envelope, Date.now()),
      // As with a database elsewhere.
      open: () => ({
        ...store,
        async finish(...result) {
          await new Promise<void>((resolve) => {
            keep = resolve;
            events.push('ended');
          });
          events.push('stored');
          return store.finish(...result);
        },
      }),
      work: true,
    });
    let end = (): void => undefined;
    const { enqueue, drain } = engine.connect(appOf(() => new Promise<void>((resolve) => (end = resolve))));
    const { id } = await enqueue(toEnvelope(1));
    await vi.waitFor(() => expect(store.get(id)).toMatchObject({ state: 'running' }));
    engine.connect(appOf(() => undefined));
    const drained = drain().then(() => events.push('drained'));
    end();
    await vi.waitFor(() => expect(events).toContain('ended'));
    // By then, it would have been drained.
    for (let turn = 0; turn < 10; turn++) await new Promise((resolve) => setImmediate(resolve));
    keep();
    await drained;
    expect(events).toEqual(['ended', 'stored', 'drained']);
    await engine.drain();
  });

  it('leaves no listener behind, however often it is drained', async () => {
    const before = process.listenerCount('exit');
    const jobs = createSqliteJobs({ file: ':memory:' });
    for (let round = 0; round < 3; round++) {
      const { drain } = jobs.connect(appOf(() => undefined));
      try {
        startDraining();
      } finally {
        Reflect.deleteProperty(globalThis, Symbol.for('appkit.draining'));
      }
      await drain();
    }
    await jobs.close();
    expect(process.listenerCount('exit')).toBe(before);
  });

  it('gives back the attempt that a shutdown has cut off when the process exits, and does not count it', async () => {
    const before = process.listeners('exit');
    const jobs = createSqliteJobs({ file: ':memory:' });
    let end = (): void => undefined;
    const { enqueue, drain } = jobs.connect(appOf(() => new Promise<void>((resolve) => (end = resolve))));
    const { id } = await enqueue(toEnvelope(1));
    await vi.waitFor(() => expect(jobs.get(id)).toMatchObject({ state: 'running', attempt: 1 }));
    const drained = drain();
    const onExit = process.listeners('exit').find((listener) => !before.includes(listener));
    onExit?.(0);
    expect(jobs.get(id)).toMatchObject({ state: 'waiting', attempt: 0 });
    end();
    await drained;
    await jobs.close();
  });
});
