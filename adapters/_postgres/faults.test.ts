import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineJob } from '../../runtime/jobs.ts';
import type { JobRun } from '../../runtime/jobs.ts';
import type { ConnectedJobs } from '../../runtime/host.ts';
import { createPostgresJobs } from './index.ts';
import type { PostgresJobs } from './index.ts';
import { findPostgres, startPostgres } from './postgres-server.cases.ts';
import type { PostgresServer } from './postgres-server.cases.ts';

const programs = findPostgres();

/** An attempt that has begun and that the test ends. */
interface Begun extends JobRun {
  input: unknown;
  by: string;
  end(): void;
}

interface Engine extends ConnectedJobs {
  jobs: PostgresJobs;
}

let server: PostgresServer;
let begun: Begun[];
let engines: Engine[];
/** What was printed to standard error. */
let printed: string;

beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
});

afterAll(() => server?.stop());

beforeEach(() => {
  begun = [];
  engines = [];
  printed = '';
  vi.spyOn(console, 'error').mockImplementation((...parts: unknown[]) => void (printed += parts.map(String).join(' ')));
});

afterEach(async () => {
  for (const { end } of begun) end();
  await Promise.all(engines.map(({ jobs }) => jobs.close()));
  vi.restoreAllMocks();
});

/**
 * A process of a build with some jobs. Each attempt begins, and waits until the test ends it or the process is told to
 * stop.
 */
function connect(by: string, names: string[], { work = true, concurrency = 1 } = {}): Engine {
  const jobs = createPostgresJobs({ connectionString: server.url, work });
  const held = defineJob({
    concurrency,
    run: (input, run) =>
      new Promise<void>((resolve, reject) => {
        run.signal.addEventListener('abort', () => reject(run.signal.reason as Error));
        begun.push({ ...run, input, by, end: resolve });
      }),
  });
  const manifest = { version: 6, routes: [], jobs: names.map((name) => ({ name, file: `${name}.js` })) };
  const modules = Object.fromEntries(names.map((name) => [`${name}.js`, () => ({ default: held })]));
  const engine = { ...jobs.connect({ build: { manifest, modules }, onError: () => {} }), jobs };
  engines.push(engine);
  return engine;
}

async function send({ enqueue }: Engine, job: string, input: string, { delayMs = 0 } = {}): Promise<string> {
  const runAt = Date.now() + delayMs;
  const { id } = await enqueue({ v: 1, id: crypto.randomUUID(), job, input, runAt, attempt: 0 });
  return id;
}

/** Resolves once this many attempts have begun in total. Returns the last of them. */
async function hasBegun(count: number): Promise<Begun> {
  await vi.waitFor(() => expect(begun.length).toBeGreaterThanOrEqual(count), { timeout: 60_000 });
  expect(begun).toHaveLength(count);
  return begun.at(-1) as Begun;
}

/** Resolves once an error has been printed. */
async function isPrinted(text: string): Promise<void> {
  await vi.waitFor(() => expect(printed).toContain(text), { timeout: 60_000 });
}

/** What is stored about each job, by its input. */
async function stored({ jobs }: Engine): Promise<Record<string, [state: string, attempt: number]>> {
  const records = await jobs.list();
  return Object.fromEntries(records.map(({ input, state, attempt }) => [String(input), [state, attempt]]));
}

describe.runIf(programs)('an outage of PostgreSQL', () => {
  it('loses no accepted job: what ran counts, what waits runs once, and enqueue() rejects meanwhile', async () => {
    const job = 'in-outage';
    const engine = connect('worker', [job], { concurrency: 2 });
    const sender = connect('web', [job], { work: false });
    await send(engine, job, 'ends meanwhile');
    await hasBegun(1);
    await send(engine, job, 'ends after');
    const after = await hasBegun(2);
    for (const input of ['waits 1', 'waits 2']) await send(sender, job, input);
    // It is due as soon as PostgreSQL is back.
    await send(sender, job, 'due meanwhile', { delayMs: 300 });
    expect((await sender.jobs.count()).filter((counted) => counted.job === job)).toEqual([
      { job, state: 'running', count: 2 },
      { job, state: 'waiting', count: 3 },
    ]);

    await server.crash();
    begun[0]?.end();
    for (const each of [engine, sender])
      await expect(send(each, job, 'refused')).rejects.toThrow(/ECONNREFUSED|ENOENT|terminat/);
    await isPrinted('The result of the job in-outage');
    await isPrinted('The jobs cannot be read.');
    expect(begun).toHaveLength(2);
    await server.start();

    // One of the two has ended, so there is room for one more.
    for (const count of [3, 4, 5]) {
      await hasBegun(count);
      begun.at(-1)?.end();
    }
    after.end();
    await vi.waitFor(
      async () =>
        expect(await stored(sender)).toEqual({
          'ends meanwhile': ['done', 1],
          'ends after': ['done', 1],
          'waits 1': ['done', 1],
          'waits 2': ['done', 1],
          'due meanwhile': ['done', 1],
        }),
      { timeout: 60_000 },
    );
    await send(sender, job, 'next');
    expect(await hasBegun(6)).toMatchObject({ input: 'next', attempt: 1 });
  });
});

describe.runIf(programs)('a deploy while jobs wait', () => {
  it('runs the jobs that the new build knows, keeps the rest for a build that knows them, and drops none', async () => {
    const [both, onlyA, onlyB] = ['deploy/both', 'deploy/only-a', 'deploy/only-b'];
    const buildA = connect('A', [both, onlyA]);
    // The web processes are released first.
    const webB = connect('web of B', [both, onlyB], { work: false });
    for (const input of ['both 1', 'both 2', 'both 3']) await send(buildA, both, input);
    await hasBegun(1);
    for (const input of ['a 1', 'a 2']) await send(buildA, onlyA, input);
    await hasBegun(2);
    await send(webB, onlyB, 'b 1');
    await buildA.drain();
    const left = ['both 1', 'both 2', 'both 3', 'a 1', 'a 2', 'b 1'];
    const waiting = (inputs: string[]): object => Object.fromEntries(inputs.map((input) => [input, ['waiting', 0]]));
    expect(await ofDeploy(webB)).toEqual(waiting(left));

    connect('B', [both, onlyB]);
    for (const count of [4, 5, 6]) {
      await hasBegun(count);
      for (const { end } of begun.slice(2)) end();
    }
    const done = (inputs: string[]): object => Object.fromEntries(inputs.map((input) => [input, ['done', 1]]));
    const known = ['both 1', 'both 2', 'both 3', 'b 1'];
    await vi.waitFor(async () => expect(await ofDeploy(webB)).toEqual({ ...done(known), ...waiting(['a 1', 'a 2']) }), {
      timeout: 60_000,
    });
    expect(begun.slice(2).map(({ by, attempt }) => [by, attempt])).toEqual(known.map(() => ['B', 1]));

    connect('A again', [both, onlyA]);
    for (const count of [7, 8]) (await hasBegun(count)).end();
    await vi.waitFor(async () => expect(await ofDeploy(webB)).toEqual(done(left)), { timeout: 60_000 });
    expect(begun.slice(6).map(({ by, attempt }) => [by, attempt])).toEqual([
      ['A again', 1],
      ['A again', 1],
    ]);
  });

  async function ofDeploy(engine: Engine): Promise<object> {
    const all = await stored(engine);
    return Object.fromEntries(Object.entries(all).filter(([input]) => /^(?:both|a|b) \d$/.test(input)));
  }
});
