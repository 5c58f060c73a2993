import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import type { JobEnvelope, JobRunner } from '../../runtime/host.ts';
import { createJobRunner } from '../../runtime/host.ts';
import { defineJob } from '../../runtime/jobs.ts';
import type { JobRun, JobSchedule } from '../../runtime/jobs.ts';
import { createSqliteJobs } from './index.ts';
import { openJobStore } from './job-store.ts';
import type { JobStore } from './job-store.ts';
import { createWorker } from './worker.ts';
import type { Clock, Worker } from './worker.ts';

interface Timer {
  at: number;
  call: () => void;
}

/** A clock that a test moves. Moving it calls the timers that have expired. */
interface TestClock extends Clock {
  set(time: string): void;
  timers: Set<Timer>;
}

function createClock(time: string): TestClock {
  let now = Date.parse(time);
  const timers = new Set<Timer>();
  return {
    timers,
    now: () => now,
    after(ms, call) {
      const timer = { at: now + ms, call };
      timers.add(timer);
      return () => timers.delete(timer);
    },
    set(next) {
      now = Date.parse(next);
      const over = [...timers].filter(({ at }) => at <= now);
      for (const timer of over) if (timers.delete(timer)) timer.call();
    },
  };
}

let store: JobStore;
let clock: TestClock;
let started: Worker[];
/** When the runs that have begun were due. */
let runs: (string | undefined)[];
let seen: (JobRun & { input: unknown })[];
let fail: ((run: JobRun) => void) | undefined;

const DAILY: JobSchedule = { cron: '0 8 * * *' };

beforeEach(() => {
  store = openJobStore(':memory:');
  clock = createClock('2026-11-23T07:00:00Z');
  started = [];
  runs = [];
  seen = [];
  fail = undefined;
});

afterEach(async () => {
  for (const worker of started) worker.stop();
  for (const worker of started) await worker.settled();
  store.close();
});

/** Starts a process with the job `report`, and resolves when it waits for its next look. */
async function start(schedule: JobSchedule | undefined, jobs: JobStore = store): Promise<Worker> {
  const report = defineJob({
    retry: { attempts: 2, delayMs: 0 },
    ...(schedule ? { schedule } : {}),
    run(input, run) {
      runs.push(run.scheduledAt?.toISOString());
      seen.push({ ...run, input });
      fail?.(run);
    },
  });
  const manifest = {
    version: 6,
    routes: [],
    jobs: [{ name: 'report', file: 'report.js', schedule: 'unknown' as const }],
  };
  const app = { build: { manifest, modules: { 'report.js': () => ({ default: report }) } }, onError: () => {} };
  const host = { enqueue: async ({ id }: JobEnvelope) => ({ id, duplicate: false }), waitUntil: () => {} };
  const runner = createJobRunner(app, host);
  const read = vi.fn();
  const observed: JobRunner = {
    ...runner,
    findSchedule: (job, parse) => runner.findSchedule(job, parse).finally(read),
  };
  const worker = createWorker(jobs, () => observed, clock);
  started.push(worker);
  worker.wake();
  await vi.waitFor(() => expect(read).toHaveBeenCalled());
  await settled();
  return worker;
}

/** Ends a process. */
async function end(worker: Worker): Promise<void> {
  worker.stop();
  await worker.settled();
  started = started.filter((other) => other !== worker);
}

/** Resolves when all processes wait, and none has done anything meanwhile. */
async function settled(): Promise<void> {
  let before: string;
  do {
    before = JSON.stringify([runs, store.list({ limit: 100 })]);
    await vi.waitFor(() => expect(clock.timers.size).toBe(started.length));
    // The work that a wake has begun continues only in promises: a turn of the loop comes after them.
    for (let turn = 0; turn < 3; turn++) await new Promise((resolve) => setImmediate(resolve));
  } while (before !== JSON.stringify([runs, store.list({ limit: 100 })]) || clock.timers.size !== started.length);
}

async function passTo(time: string): Promise<void> {
  clock.set(time);
  await settled();
}

describe('a schedule', () => {
  it('runs at its times, with the time and the input', async () => {
    await start({ cron: '0 8 * * *', timeZone: 'Europe/Berlin', input: { list: [1] } });
    await passTo('2026-11-23T07:00:01Z');
    expect(runs).toEqual([]);
    await passTo('2026-11-24T06:59:59.999Z');
    expect(runs).toEqual([]);
    await passTo('2026-11-24T07:00:00.000Z');
    expect(seen).toMatchObject([
      { scheduledAt: new Date('2026-11-24T07:00:00Z'), input: { list: [1] }, attempt: 1, key: undefined },
    ]);
    await passTo('2026-11-24T12:00:00Z');
    await passTo('2026-11-25T07:00:00.250Z');
    expect(runs).toEqual(['2026-11-24T07:00:00.000Z', '2026-11-25T07:00:00.000Z']);
    expect(store.list({ limit: 10 })).toMatchObject([{ state: 'done', scheduledAt: new Date(runs[1] ?? '') }, {}]);
  });

  it('wakes the worker at its time, between two looks', async () => {
    await start(DAILY);
    await passTo('2026-11-23T07:59:59.600Z');
    expect([...clock.timers].map(({ at }) => new Date(at).toISOString())).toEqual(['2026-11-23T08:00:00.000Z']);
  });

  it('keeps its time in the attempts that follow', async () => {
    fail = ({ attempt }) => {
      if (attempt === 1) throw new Error('once');
    };
    await start(DAILY);
    await passTo('2026-11-23T08:00:00Z');
    await passTo('2026-11-23T08:00:01Z');
    const due = { scheduledAt: new Date('2026-11-23T08:00:00Z') };
    expect(seen).toMatchObject([
      { ...due, attempt: 1 },
      { ...due, attempt: 2 },
    ]);
    expect(seen[1]?.id).toBe(seen[0]?.id);
  });

  it('runs once, however many processes there are', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const [first, second] = [1, 2].map(() => openJobStore(path.join(folder, 'jobs.sqlite')));
    if (!first || !second) throw new Error('There are two.');
    const workers = [await start(DAILY, first), await start(DAILY, second)];
    await passTo('2026-11-23T08:00:00Z');
    await passTo('2026-11-23T08:00:01Z');
    await passTo('2026-11-24T08:00:00Z');
    expect(runs).toEqual(['2026-11-23T08:00:00.000Z', '2026-11-24T08:00:00.000Z']);
    expect(first.list({ limit: 10 })).toHaveLength(2);
    for (const worker of workers) await end(worker);
    first.close();
    second.close();
  });

  it('does not run a second time after the run was discarded, or cleaned up while a process slept', async () => {
    const sleeper = { ...store };
    let isAsleep = false;
    sleeper.passTime = (...given) => {
      if (isAsleep) throw new Error('asleep');
      return store.passTime(...given);
    };
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    await start({ ...DAILY, missed: 'once' }, sleeper);
    isAsleep = true;
    await start({ ...DAILY, missed: 'once' });
    await passTo('2026-11-23T08:00:00Z');
    expect(runs).toHaveLength(1);
    const [{ id = '' } = {}] = store.list({ limit: 1 });
    store.discard(id, clock.now());
    isAsleep = false;
    await passTo('2026-11-23T08:00:05Z');
    expect(store.list({ limit: 10 })).toEqual([]);
    expect(runs).toHaveLength(1);
  });

  it('is only for processes that run jobs: others do not even load them', async () => {
    const load = vi.fn(() => ({ default: defineJob({ schedule: DAILY, run: () => {} }) }));
    const manifest = {
      version: 6,
      routes: [],
      jobs: [{ name: 'report', file: 'report.js', schedule: 'unknown' as const }],
    };
    const app = { build: { manifest, modules: { 'report.js': load } } };
    const [storing, working] = [false, true].map((work) => createSqliteJobs({ file: ':memory:', work }));
    storing?.connect(app);
    await settled();
    expect(load).not.toHaveBeenCalled();
    working?.connect(app);
    await vi.waitFor(() => expect(load).toHaveBeenCalled());
    await storing?.close();
    await working?.close();
  });
});

describe('a run that was missed while no process ran', () => {
  it('is skipped by default', async () => {
    await end(await start(DAILY));
    clock.set('2026-11-26T09:00:00Z');
    await start(DAILY);
    await passTo('2026-11-26T09:00:02Z');
    expect(runs).toEqual([]);
    await passTo('2026-11-27T08:00:00Z');
    expect(runs).toEqual(['2026-11-27T08:00:00.000Z']);
  });

  it('is made up once if the schedule says so, for the last of the times', async () => {
    await end(await start({ ...DAILY, missed: 'once' }));
    clock.set('2026-11-26T09:00:00Z');
    const first = await start({ ...DAILY, missed: 'once' });
    await passTo('2026-11-26T09:00:01Z');
    expect(runs).toEqual(['2026-11-26T08:00:00.000Z']);
    await end(first);
    await start({ ...DAILY, missed: 'once' });
    await passTo('2026-11-26T09:00:03Z');
    expect(runs).toHaveLength(1);
    await passTo('2026-11-27T08:00:00Z');
    expect(runs).toEqual(['2026-11-26T08:00:00.000Z', '2026-11-27T08:00:00.000Z']);
  });

  it('was not due in the last minute: a release loses no run', async () => {
    await end(await start(DAILY));
    clock.set('2026-11-23T08:01:00Z');
    await start(DAILY);
    expect(runs).toEqual(['2026-11-23T08:00:00.000Z']);
  });

  it('does not exist before the schedule did', async () => {
    clock.set('2026-11-23T09:00:00Z');
    await start({ ...DAILY, missed: 'once' });
    await passTo('2026-11-23T09:00:01Z');
    expect(runs).toEqual([]);
  });

  it('is found at once even after years of a run per minute', async () => {
    await end(await start({ cron: '* * * * *', missed: 'once' }));
    clock.set('2036-11-23T07:00:30Z');
    await start({ cron: '* * * * *', missed: 'once' });
    expect(runs).toEqual(['2036-11-23T07:00:00.000Z']);
  });

  it('is also skipped by a process that has slept', async () => {
    await start({ cron: '* * * * *' });
    await passTo('2026-11-23T17:00:30Z');
    expect(runs).toEqual(['2026-11-23T17:00:00.000Z']);
    await passTo('2026-11-23T17:01:00Z');
    expect(runs).toHaveLength(2);
  });
});

describe('a new release', () => {
  it('starts a changed cron or time zone again, from now', async () => {
    await end(await start({ ...DAILY, missed: 'once' }));
    clock.set('2026-11-25T12:00:00Z');
    const second = await start({ cron: '0 9 * * *', missed: 'once' });
    await passTo('2026-11-25T12:00:01Z');
    expect(runs).toEqual([]);
    await passTo('2026-11-26T09:00:00Z');
    expect(runs).toEqual(['2026-11-26T09:00:00.000Z']);
    await end(second);
    clock.set('2026-11-28T12:00:00Z');
    await start({ cron: '0 9 * * *', timeZone: 'Europe/Berlin', missed: 'once' });
    await passTo('2026-11-29T08:00:00Z');
    expect(runs).toEqual(['2026-11-26T09:00:00.000Z', '2026-11-29T08:00:00.000Z']);
  });

  it('ends a schedule that it does not have, so that a later one makes up nothing', async () => {
    await end(await start({ ...DAILY, missed: 'once' }));
    const second = await start(undefined);
    await passTo('2026-11-23T08:00:00Z');
    await end(second);
    clock.set('2026-11-25T12:00:00Z');
    await start({ ...DAILY, missed: 'once' });
    await passTo('2026-11-25T12:00:01Z');
    expect(runs).toEqual([]);
  });

  it('leaves a process of the previous release its own times until the process ends', async () => {
    await start(DAILY);
    await start({ cron: '0 9 * * *' });
    await passTo('2026-11-23T08:00:00Z');
    await passTo('2026-11-23T09:00:00Z');
    await passTo('2026-11-24T08:00:00Z');
    expect(runs).toEqual(['2026-11-23T08:00:00.000Z', '2026-11-23T09:00:00.000Z', '2026-11-24T08:00:00.000Z']);
  });

  it('starts again if a clock was wrong', async () => {
    clock.set('2040-01-01T00:00:00Z');
    await end(await start(DAILY));
    clock.set('2026-11-23T07:00:00Z');
    await start(DAILY);
    await passTo('2026-11-23T08:00:00Z');
    expect(runs).toEqual(['2026-11-23T08:00:00.000Z']);
  });
});

describe('a restart', () => {
  it('keeps a run that was stored and has not run', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-jobs-'));
    onTestFinished(() => rmSync(folder, { recursive: true }));
    const file = path.join(folder, 'jobs.sqlite');
    const before = openJobStore(file);
    // Its process ends between storing and running.
    const first = await start(DAILY, { ...before, due: () => [] });
    await passTo('2026-11-23T08:00:00Z');
    expect(runs).toEqual([]);
    await end(first);
    before.close();
    clock.set('2026-11-25T07:00:00Z');
    const after = openJobStore(file);
    const second = await start(DAILY, after);
    await passTo('2026-11-25T07:00:01Z');
    expect(runs).toEqual(['2026-11-23T08:00:00.000Z']);
    await end(second);
    after.close();
  });
});

describe('a schedule that cannot be read', () => {
  it('is reported once, with job and file, and does not delay other jobs', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    onTestFinished(() => log.mockRestore());
    const job = defineJob({ schedule: { cron: '61 * * * *' }, run: () => {} });
    const other = defineJob({ schedule: { cron: '0 8 * * *' }, run: () => void runs.push('other') });
    const build = {
      manifest: {
        version: 6,
        routes: [],
        jobs: [
          { name: 'report', file: 'app/report+job.js', schedule: 'unknown' as const },
          { name: 'other', file: 'app/other+job.js', schedule: 'unknown' as const },
        ],
      },
      modules: { 'app/report+job.js': () => ({ default: job }), 'app/other+job.js': () => ({ default: other }) },
    };
    const host = { enqueue: async ({ id }: JobEnvelope) => ({ id, duplicate: false }), waitUntil: () => {} };
    const runner = createJobRunner({ build }, host);
    const worker = createWorker(store, () => runner, clock);
    started.push(worker);
    worker.wake();
    await vi.waitFor(() => expect(log).toHaveBeenCalled());
    await settled();
    await passTo('2026-11-23T07:30:00Z');
    await passTo('2026-11-23T08:00:00Z');
    expect(runs).toEqual(['other']);
    expect(log).toHaveBeenCalledTimes(1);
    const told = log.mock.calls[0]?.map(String).join(' ');
    expect(told).toMatch(/job report \(app\/report\+job\.js\) cannot be scheduled: .*minute: 61/);
  });
});
