import { getEventListeners } from 'node:events';
import { format } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import * as z from 'zod';
import type { StandardSchemaV1 } from '../contract.ts';
import { cookies } from '../cookies.ts';
import { deferTask, environment, locals, origin, requestId, runTask, setResponseHeaders } from '../helpers.ts';
import { createHandler } from '../handler.ts';
import { defineJob, enqueue } from '../jobs.ts';
import type { Job } from '../jobs.ts';
import { cache, invalidate } from '../keep.ts';
import type { Enqueued, JobApp, JobEnvelope, JobOutcome } from './engine.ts';
import { toRetryDelay } from './retry-delay.ts';
import { createJobRunner } from './run-message.ts';
import { setJobTracing } from './trace.ts';

/** A job, with the name that the export sets. */
function named<Argument>(job: Job<Argument>, name = 'mail'): Job<Argument> {
  job['~job'].name = name;
  return job;
}

/** Enqueues in a route of a host that stores jobs. */
async function enqueued(
  code: () => Promise<Enqueued>,
): Promise<{ stored: JobEnvelope[]; transactions: unknown[]; result: Enqueued }> {
  const stored: JobEnvelope[] = [];
  const transactions: unknown[] = [];
  let result: Promise<Enqueued> | undefined;
  const GET = async (): Promise<Response> => {
    result = code();
    await result.catch(() => undefined);
    return new Response();
  };
  const handler = createHandler({
    manifest: { version: 1, routes: [{ pattern: '/', file: 'route.js', methods: ['GET'] }] },
    modules: { 'route.js': () => ({ GET }) },
  });
  await handler(new Request('http://localhost/'), {
    async enqueue(envelope, transaction) {
      stored.push(envelope);
      transactions.push(transaction);
      return { id: envelope.id, duplicate: false };
    },
  });
  return { stored, transactions, result: await (result as Promise<Enqueued>) };
}

const MAIL = { name: 'mail', file: 'mail.js', schedule: 'unknown' } as const;

function appOf(job: Job, rest: Partial<JobApp> = {}): JobApp {
  const manifest = { version: 6, routes: [], jobs: [MAIL] };
  return { build: { manifest, modules: { 'mail.js': () => ({ default: job }) } }, onError: () => {}, ...rest };
}

const host = { enqueue: async ({ id }: JobEnvelope) => ({ id, duplicate: false }), waitUntil: () => {} };
const message: JobEnvelope = { v: 1, id: 'id-1', job: 'mail', runAt: 0, attempt: 1 };

/** Runs an attempt. */
function run(
  app: JobApp,
  envelope: Partial<JobEnvelope> = {},
  signal = new AbortController().signal,
): Promise<JobOutcome> {
  return createJobRunner(app, host).runMessage({ ...message, ...envelope }, signal);
}

describe('defineJob', () => {
  const run = (): void => {};

  it('refuses settings that cannot be kept', () => {
    const refused = [
      { run: 'send' },
      { run, retry: { attempts: 0 } },
      { run, retry: { attempts: 101 } },
      { run, retry: { factor: 0.5 } },
      { run, retry: { delayMs: -1 } },
      { run, retry: { maxDelayMs: Number.NaN } },
      { run, retry: { jitter: 1 } },
      { run, timeoutMs: 0 },
      { run, concurrency: 1.5 },
      { run, input: {} },
      { run, name: 'mail' },
    ];
    for (const definition of refused) {
      expect(() => defineJob(definition as never), JSON.stringify(definition)).toThrow(
        expect.objectContaining({ code: 'ERR_JOB_INVALID' }),
      );
    }
  });

  it('names the refused setting and its value, and says what to give', () => {
    const messageOf = (definition: object): string => {
      try {
        defineJob(definition as never);
      } catch (error) {
        return (error as Error).message;
      }
      return '';
    };
    const year = 365 * 86_400_000;
    const table: [definition: object, message: string][] = [
      [{ run: 'send' }, 'The setting run of defineJob() is "send". Give a function.'],
      [{}, 'The setting run of defineJob() is undefined. Give a function.'],
      [
        { run, input: null },
        'The setting input of defineJob() is object. Give a schema of a library of Standard Schema, such as zod, valibot or arktype.',
      ],
      [
        { run, retry: { attempts: 1.5 } },
        'The setting retry.attempts of defineJob() is 1.5. Give a whole number from 1 to 100.',
      ],
      [
        { run, retry: { delayMs: -1 } },
        `The setting retry.delayMs of defineJob() is -1. Give a number from 0 to ${year}.`,
      ],
      [
        { run, retry: { factor: '2' } },
        'The setting retry.factor of defineJob() is "2". Give a number from 1 to 1000.',
      ],
      [
        { run, retry: { maxDelayMs: Number.NaN } },
        `The setting retry.maxDelayMs of defineJob() is NaN. Give a number from 0 to ${year}.`,
      ],
      [
        { run, timeoutMs: Number.POSITIVE_INFINITY },
        'The setting timeoutMs of defineJob() is Infinity. Give a number from 1 to 86400000.',
      ],
      [
        { run, concurrency: true },
        'The setting concurrency of defineJob() is boolean. Give a whole number from 1 to 1000.',
      ],
      [
        { run, name: 'mail' },
        'defineJob() was given name, which it does not know. It knows input, retry, timeoutMs, concurrency, schedule, run.',
      ],
      [
        { run, retry: { jitter: 1 } },
        'retry of defineJob() was given jitter, which it does not know. It knows attempts, delayMs, factor, maxDelayMs.',
      ],
      [
        { run, schedule: { cron: '0 8 * * 1', timezone: 'UTC' } },
        'schedule of defineJob() was given timezone, which it does not know. It knows cron, timeZone, missed, input.',
      ],
    ];
    for (const [definition, message] of table) expect(messageOf(definition)).toBe(message);
  });

  it('accepts the limits of each setting, and fractions of times and factors', () => {
    const year = 365 * 86_400_000;
    const most = { retry: { attempts: 100, delayMs: year, factor: 1000, maxDelayMs: year }, timeoutMs: 86_400_000 };
    expect(defineJob({ ...most, concurrency: 1000, run })['~job']).toMatchObject({ ...most, concurrency: 1000 });
    const least = { retry: { attempts: 1, delayMs: 0, factor: 1, maxDelayMs: 0 }, timeoutMs: 1, concurrency: 1 };
    expect(defineJob({ ...least, run })['~job']).toMatchObject(least);
    const fractions = { retry: { delayMs: 0.5, factor: 1.5, maxDelayMs: 2.5 }, timeoutMs: 1.5 };
    expect(defineJob({ ...fractions, run })['~job']).toMatchObject(fractions);
  });

  it('refuses anything but a cron expression of five fields, and describes the format', () => {
    const refused = [
      '',
      '* * * *',
      '0 0 8 * * 1',
      '@daily',
      '0 0 L * *',
      '0 0 15W * *',
      '0 0 * * 5#3',
      '0 0 ? * *',
      8,
      undefined,
    ];
    for (const cron of refused) {
      expect(() => defineJob({ run, schedule: { cron: cron as string } }), String(cron)).toThrow(
        expect.objectContaining({
          code: 'ERR_JOB_INVALID',
          message: expect.stringMatching(
            /^The setting schedule\.cron of defineJob\(\) is .*Give five fields.*@daily do not work/,
          ),
        }),
      );
    }
  });

  it('refuses an invalid time zone and unknown settings of a schedule', () => {
    const cron = '0 8 * * 1';
    for (const timeZone of ['Mars/City', '+01:00', '', 1, ['UTC']]) {
      const definition = { run, schedule: { cron, timeZone: timeZone as string } };
      expect(() => defineJob(definition)).toThrow(/schedule\.timeZone of defineJob\(\) is .*IANA name/);
    }
    // @ts-expect-error -- It is no choice.
    expect(() => defineJob({ run, schedule: { cron, missed: 'all' } })).toThrow(
      'The setting schedule.missed of defineJob() is "all". Give skip or once.',
    );
    expect(() => defineJob({ run, schedule: { cron: 8 as never } })).toThrow('schedule.cron of defineJob() is number.');
    // @ts-expect-error -- It is called timeZone.
    expect(() => defineJob({ run, schedule: { cron, timezone: 'UTC' } })).toThrow('was given timezone');
  });

  it('completes a schedule', () => {
    const { schedule } = defineJob({ run, schedule: { cron: ' 0  8 * jan-MAR mon,5 ' } })['~job'];
    expect(schedule).toEqual({ cron: '0 8 * jan-MAR mon,5', timeZone: 'UTC', missed: 'skip', input: undefined });
  });

  it('treats an undefined setting as absent', () => {
    const { retry, timeoutMs } = defineJob({ run, timeoutMs: undefined, retry: { attempts: undefined, factor: 3 } })[
      '~job'
    ];
    expect([retry, timeoutMs]).toEqual([{ attempts: 5, delayMs: 1000, factor: 3, maxDelayMs: 3_600_000 }, 60_000]);
    expect(() => defineJob({ run, [String('priority')]: undefined })).not.toThrow();
  });
});

describe('enqueue', () => {
  const any = named(defineJob({ run: () => {} }));
  const typed = named(defineJob({ input: z.object({ to: z.email(), copies: z.number().default(1) }), run: () => {} }));

  it('stores the input as it was given, not as the schema has changed it', async () => {
    const before = Date.now();
    const { stored, result } = await enqueued(() =>
      enqueue(typed, { to: 'ada@example.com' }, { key: 'k', delayMs: 5000 }),
    );
    expect(stored).toMatchObject([{ v: 1, job: 'mail', key: 'k', input: { to: 'ada@example.com' }, attempt: 0 }]);
    expect(stored[0]?.runAt).toBeGreaterThanOrEqual(before + 5000);
    expect(result).toEqual({ id: stored[0]?.id, duplicate: false });
  });

  it('stores the input as it was given, even if the schema mutates it', async () => {
    const changing: StandardSchemaV1<{ to: string }> = {
      '~standard': {
        version: 1,
        vendor: 'test',
        validate(value) {
          (value as { to: string }).to = 'nobody';
          return { value: value as { to: string } };
        },
      },
    };
    const job = named(defineJob({ input: changing, run: () => {} }));
    const { stored } = await enqueued(() => enqueue(job, { to: 'ada' }));
    expect(stored[0]?.input).toEqual({ to: 'ada' });
  });

  it('stores a job without input', async () => {
    const { stored } = await enqueued(() => enqueue(any));
    expect(stored[0]).not.toHaveProperty('input');
  });

  it('accepts one object at two places, and objects without a prototype', async () => {
    const one = { a: [null, true, false] };
    const input = Object.assign(Object.create(null) as object, { one, other: one });
    const { stored } = await enqueued(() => enqueue(any, input));
    expect(stored[0]?.input).toEqual({ one, other: one });
  });

  it('omits undefined properties of an object', async () => {
    const { stored } = await enqueued(() => enqueue(any, { to: 'ada', cc: undefined }));
    expect(stored[0]?.input).toStrictEqual({ to: 'ada' });
  });

  it('refuses an input that its schema does not accept, and names the place', async () => {
    await expect(enqueued(() => enqueue(typed, { to: 'nobody' }))).rejects.toMatchObject({
      code: 'ERR_JOB_INPUT',
      message: expect.stringContaining('The job mail does not accept this input. #/to: '),
    });
  });

  it('refuses values that JSON would change', async () => {
    const circle: { self?: unknown } = {};
    circle.self = circle;
    let deep: unknown = [];
    for (let depth = 0; depth < 100_000; depth++) deep = [deep];
    const refused: [unknown, RegExp][] = [
      [1n, /input is of type bigint.*as a text/],
      [{ a: [() => {}] }, /input\.a\[0\] is of type function/],
      [[undefined], /input\[0\] is of type undefined/],
      // oxlint-disable-next-line no-sparse-arrays -- It is about the hole.
      [[, 1], /input\[0\] is of type undefined/],
      [{ at: new Date(0) }, /input\.at is of the class Date.*toISOString/],
      [new Map(), /of the class Map/],
      [{ toJSON: () => 1 }, /of the class Object/],
      [Object.assign(Object.create(null) as object, { toJSON: () => 1 }), /of the class undefined/],
      [{ n: Number.NaN }, /input\.n is NaN/],
      [Symbol('x'), /of type symbol, which JSON does not have\.$/],
      [new Map(), /Give a plain object, a list or a text\.$/],
      [[1, 'a', true, null, () => {}], /input\[4\] is of type function/],
      [circle, /input\.self contains itself/],
      [deep, /nested too deeply/],
    ];
    for (const [input, message] of refused) {
      await expect(
        enqueued(() => enqueue(any, input)),
        String(message),
      ).rejects.toMatchObject({
        code: 'ERR_JOB_INPUT',
        message: expect.stringMatching(message),
      });
    }
  });

  it('passes on what a getter of the input throws', async () => {
    const input = {
      get total(): number {
        throw new Error('no total yet');
      },
    };
    await expect(enqueued(() => enqueue(any, input))).rejects.toThrow('no total yet');
  });

  it('accepts 100,000 bytes and refuses one more', async () => {
    const text = 'é'.repeat(49_999);
    await enqueued(() => enqueue(any, text));
    await expect(enqueued(() => enqueue(any, `${text}x`))).rejects.toThrow('It has 100001 bytes as JSON');
  });

  it('refuses a value that is not a job, a job without a name, and unknown options', async () => {
    const pool = { query: () => {}, totalCount: 0 };
    const year = 365 * 86_400_000;
    for (const [call, message] of [
      [() => enqueue({} as never), 'a value of type object as its job'],
      [() => enqueue(defineJob({ run: () => {} })), 'a job without a name'],
      [() => enqueue(any, 1, { priority: 1 } as never), 'enqueue() was given priority'],
      [() => enqueue(any, 1, { transaction: {} } as never), 'The option transaction'],
      [() => enqueue(any, 1, { transaction: pool } as never), 'is a pool'],
      [() => enqueue(any, 1, { key: '' }), 'The option key'],
      [() => enqueue(any, 1, { key: 5 as never }), 'The option key'],
      [() => enqueue(any, 1, { key: 'k'.repeat(201) }), 'The option key'],
      [() => enqueue(any, 1, { delayMs: -1 }), 'The option delayMs'],
      [() => enqueue(any, 1, { delayMs: '5' as never }), 'The option delayMs'],
      [() => enqueue(any, 1, { delayMs: year + 1 }), 'The option delayMs'],
    ] as [() => Promise<Enqueued>, string][]) {
      await expect(enqueued(call), message).rejects.toMatchObject({
        code: 'ERR_JOB_INVALID',
        message: expect.stringContaining(message),
      });
    }
    const longest = await enqueued(() => enqueue(any, 1, { key: 'k'.repeat(200), delayMs: year }));
    expect(longest.stored).toHaveLength(1);
  });

  it('stores in a transaction of pg-boss, and without a key if there is none', async () => {
    const transaction = { executeSql: async () => ({ rows: [] }) };
    const { stored, transactions } = await enqueued(() => enqueue(any, 1, { transaction }));
    expect(transactions).toEqual([transaction]);
    expect(stored[0]).not.toHaveProperty('key');
  });

  it('passes the transaction to the engine, and keeps it out of the envelope', async () => {
    const transaction = { query: async () => ({ rows: [] }) };
    const { stored, transactions } = await enqueued(() => enqueue(any, 1, { transaction }));
    expect(transactions).toEqual([transaction]);
    expect(stored[0]).not.toHaveProperty('transaction');
  });

  it('rejects outside a request', async () => {
    await expect(enqueue(any)).rejects.toMatchObject({ code: 'ERR_OUTSIDE_REQUEST' });
  });

  it('rejects where the host stores nothing, and says which engine each host takes', async () => {
    const errors: unknown[] = [];
    const handler = createHandler(
      {
        manifest: { version: 1, routes: [{ pattern: '/', file: 'route.js', methods: ['GET'] }] },
        modules: { 'route.js': () => ({ GET: () => enqueue(any) }) },
      },
      { onError: (error) => void errors.push(error) },
    );
    await handler(new Request('http://localhost/'), { name: 'Cloudflare' });
    await handler(new Request('http://localhost/'), {});
    const advice =
      'runs this app without an engine for jobs. On Node, Express, Bun and Deno, give createRequestHandler the option jobs: createSqliteJobs() of appkit-server/jobs/sqlite, ' +
      'or createPostgresJobs() of appkit-server/jobs/postgres. On Cloudflare, createCloudflareJobs() of appkit-server/jobs/cloudflare; on AWS Lambda, createSqsJobs() of ' +
      'appkit-server/jobs/aws; on Vercel, createVercelJobs() of appkit-server/jobs/vercel; on Netlify and Google Cloud, createPostgresJobs({ work: false }), and ' +
      '`appkit work` elsewhere. Other hosts have none yet.';
    const code = 'ERR_JOBS_UNAVAILABLE';
    expect(errors).toMatchObject([
      { code, message: `The job mail cannot be stored: Cloudflare ${advice}` },
      { code, message: `The job mail cannot be stored: A host ${advice}` },
    ]);
  });

  it("stores its caller's trace", async () => {
    const traced: unknown[] = [];
    setJobTracing({
      inject: () => ({ traceparent: '00-1' }),
      run: (job, attempt) => (traced.push(job), attempt()),
    });
    try {
      const { stored } = await enqueued(() => enqueue(any));
      expect(stored[0]?.trace).toEqual({ traceparent: '00-1' });
      await run(appOf(any), { trace: { traceparent: '00-1' }, attempt: 2 });
      expect(traced).toEqual([{ name: 'mail', id: 'id-1', attempt: 2, trace: { traceparent: '00-1' } }]);
      // Routes that were built with another release find the tracing by this name.
      expect(Reflect.get(globalThis, Symbol.for('appkit.jobTracing'))).toBeDefined();
    } finally {
      setJobTracing(undefined as never);
    }
  });
});

describe('runMessage', () => {
  const failing = (retry = {}): Job =>
    defineJob({
      retry,
      run() {
        throw new RangeError('no mail today');
      },
    });

  it("gives the run the schema's output and the attempt's details", async () => {
    const seen: unknown[] = [];
    const input = z.object({ copies: z.number().default(1) });
    const job = defineJob({ input, run: (value, { id, attempt, key }) => void seen.push(value, id, attempt, key) });
    expect(await run(appOf(job), { input: {}, key: 'k', attempt: 3 })).toEqual({ kind: 'done' });
    expect(seen).toEqual([{ copies: 1 }, 'id-1', 3, 'k']);
  });

  it('retries a failing job until its attempts are used up', async () => {
    const failed: unknown[] = [];
    const app = appOf(failing({ attempts: 2, delayMs: 100 }), {
      onError: (error, request, job) => void failed.push([(error as Error).message, request.url, job]),
    });
    const error = expect.stringContaining('RangeError: no mail today') as string;
    expect(await run(app)).toEqual({ kind: 'retry', afterMs: expect.any(Number), error });
    expect(await run(app, { attempt: 2 })).toEqual({ kind: 'dead', error });
    const about = { job: 'mail', id: 'id-1' };
    expect(failed).toEqual([
      ['no mail today', 'job:mail', { ...about, attempt: 1, isDead: false }],
      ['no mail today', 'job:mail', { ...about, attempt: 2, isDead: true }],
    ]);
  });

  it('does not run a job whose attempts have all been cut off', async () => {
    const ran = vi.fn();
    const outcome = await run(appOf(defineJob({ retry: { attempts: 2 }, run: ran })), { attempt: 3 });
    expect(outcome).toMatchObject({ kind: 'dead', error: expect.stringContaining('Its 2 attempts have ended') });
    expect(ran).not.toHaveBeenCalled();
  });

  it('gives up at once when the input is no longer accepted', async () => {
    const ran = vi.fn();
    const outcome = await run(appOf(defineJob({ input: z.string(), run: ran })), { input: 1 });
    expect(outcome).toMatchObject({ kind: 'dead', error: expect.stringContaining('no longer accepts its input. #: ') });
    expect(ran).not.toHaveBeenCalled();
  });

  it('ends a schema that takes too long', async () => {
    const input = { '~standard': { version: 1, vendor: 'own', validate: () => new Promise(() => undefined) } } as const;
    const outcome = await run(appOf(defineJob({ input: input as never, timeoutMs: 1, run: vi.fn() })));
    expect(outcome).toMatchObject({ kind: 'retry', error: expect.stringContaining('longer than 1 ms') });
  });

  it('records any thrown value', async () => {
    for (const thrown of [Object.create(null), Object.assign(new Error('odd'), { stack: 7 })]) {
      const app = appOf(defineJob({ run: () => Promise.reject(thrown as Error) }));
      expect(await run({ ...app, onError: () => {} })).toMatchObject({ kind: 'retry', error: expect.any(String) });
    }
  });

  it('leaves a job that it does not know to another build', async () => {
    const outcome = await run(appOf(failing()), { job: 'newer', attempt: 99 });
    expect(outcome).toMatchObject({ kind: 'released', error: expect.stringContaining('This build has no job newer') });
  });

  it('keeps a job that cannot be loaded, and counts no attempt', async () => {
    const build = { manifest: { version: 6, routes: [], jobs: [{ name: 'mail', file: 'mail.js' }] }, modules: {} };
    expect(await run({ build, onError: () => {} })).toMatchObject({ kind: 'released', afterMs: 60_000 });
    expect(await run(appOf('no job' as never))).toMatchObject({
      kind: 'released',
      error: expect.stringContaining('no job as its default export'),
    });
  });

  it('aborts the signal at the time-out, and stops waiting', async () => {
    let reason: unknown;
    const job = defineJob({
      timeoutMs: 1,
      run: (_, { signal }) => new Promise(() => signal.addEventListener('abort', () => void ({ reason } = signal))),
    });
    expect(await run(appOf(job))).toMatchObject({ kind: 'retry', error: expect.stringContaining('longer than 1 ms') });
    expect(reason).toMatchObject({ name: 'TimeoutError' });
  });

  it('gives back a job that fails because the process ends, and completes one that succeeds', async () => {
    const stopping = new AbortController();
    const onError = vi.fn();
    const toJob = (end: (signal: AbortSignal) => void): Job =>
      defineJob({
        retry: { attempts: 1 },
        run(_, { signal }) {
          stopping.abort();
          end(signal);
        },
      });
    const stopped = appOf(
      toJob((signal) => signal.throwIfAborted()),
      { onError },
    );
    expect(await run(stopped, {}, stopping.signal)).toEqual({ kind: 'released' });
    expect(await run(appOf(toJob(() => {})), {}, stopping.signal)).toEqual({ kind: 'done' });
    expect(onError).not.toHaveBeenCalled();
  });

  it('supports environment(), runTask() and enqueue(), and refuses helpers that need a request', async () => {
    const refused: string[] = [];
    const had: unknown[] = [];
    const other = named(defineJob({ run: () => {} }), 'other');
    const job = defineJob({
      async run() {
        runTask(() => had.push('task'));
        had.push(environment(), (await enqueue(other)).duplicate);
        const helpers = { origin, requestId, locals, deferTask, setResponseHeaders, cache, cookies, invalidate };
        for (const [name, helper] of Object.entries(helpers)) {
          try {
            await (helper as (value: unknown) => unknown)(() => {});
          } catch (error) {
            if (/was called in the job mail, which answers no request/.test((error as Error).message))
              refused.push(name);
          }
        }
      },
    });
    expect(await run(appOf(job, { environment: 'staging' }))).toEqual({ kind: 'done' });
    expect(had).toEqual(['task', 'staging', false]);
    expect(refused).toEqual([
      'origin',
      'requestId',
      'locals',
      'deferTask',
      'setResponseHeaders',
      'cache',
      'cookies',
      'invalidate',
    ]);
  });

  it('logs a thrown value that prints as nothing', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const thrower = defineJob({
      run: () => {
        throw '';
      },
    });
    await run(appOf(thrower, { onError: undefined }));
    expect(log.mock.calls[0]?.[1]).toBe('It threw "" instead of an Error.');
    log.mockRestore();
  });

  it('logs a failure once, with the attempt, if there is no hook', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await run(appOf(failing(), { onError: undefined }));
    const { calls } = log.mock;
    log.mockRestore();
    expect(calls).toEqual([
      ['The job mail (id-1) failed in attempt 1.', expect.objectContaining({ message: 'no mail today' })],
    ]);
  });

  it('logs the error as a whole, whatever the name of the job contains', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const manifest = { version: 6, routes: [], jobs: [{ ...MAIL, name: '50%done' }] };
    await run({ build: { manifest, modules: { 'mail.js': () => ({ default: failing() }) } } }, { job: '50%done' });
    const printed = format(...(log.mock.calls[0] ?? []));
    log.mockRestore();
    expect(printed).toMatch(/^The job 50%done \(id-1\) failed in attempt 1\. RangeError: no mail today/);
  });

  it('calls the hook with a POST request, and logs nothing besides', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const onError = vi.fn<NonNullable<JobApp['onError']>>();
    await run(appOf(failing(), { onError }));
    const { calls } = log.mock;
    log.mockRestore();
    expect(onError.mock.calls[0]?.[1].method).toBe('POST');
    expect(calls).toEqual([]);
  });

  it('continues when onError fails, and logs both errors', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const full = new Error('the log is full');
    const onError = (): never => {
      throw full;
    };
    expect(await run(appOf(failing(), { onError }))).toMatchObject({ kind: 'retry' });
    expect(await run(appOf(failing(), { onError: async () => onError() }))).toMatchObject({ kind: 'retry' });
    await vi.waitFor(() => expect(log).toHaveBeenCalledTimes(4));
    const { calls } = log.mock;
    log.mockRestore();
    const failed = ['The job mail (id-1) failed in attempt 1.', expect.objectContaining({ message: 'no mail today' })];
    const hook = ['The onError hook failed while handling the error above:', full];
    expect(calls).toEqual([failed, hook, failed, hook]);
  });

  it('starts a query that onError returns and that runs only when it is awaited, and logs its failure', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    // oxlint-disable-next-line unicorn/no-thenable -- Such a query is one.
    const query = { then: (_: unknown, reject: (error: unknown) => void) => reject('no table') };
    await run(appOf(failing(), { onError: () => query }));
    const { calls } = log.mock;
    log.mockRestore();
    expect(calls[1]).toEqual(['The onError hook failed while handling the error above:', 'no table']);
  });
});

describe('an attempt', () => {
  it('receives the time of the schedule that it is for, if there is one', async () => {
    const seen: unknown[] = [];
    const job = defineJob({ run: (_, { scheduledAt }) => void seen.push(scheduledAt) });
    await run(appOf(job), { scheduledAt: 86_400_000 });
    await run(appOf(job));
    expect(seen).toEqual([new Date('1970-01-02T00:00:00.000Z'), undefined]);
  });

  it('has a signal that is already aborted if the process has been told to stop', async () => {
    const reason = new Error('SIGTERM');
    let seen: unknown;
    const job = defineJob({ run: (_, { signal }) => void (seen = signal.reason) });
    expect(await run(appOf(job), {}, AbortSignal.abort(reason))).toEqual({ kind: 'done' });
    expect(seen).toBe(reason);
  });

  it('leaves nothing behind: no timer, and no listener of the signal that tells the process to stop', async () => {
    vi.useFakeTimers();
    try {
      const { signal } = new AbortController();
      expect(await run(appOf(defineJob({ run: () => {} })), {}, signal)).toEqual({ kind: 'done' });
      expect(getEventListeners(signal, 'abort')).toEqual([]);
      expect(vi.getTimerCount()).toBe(0);
    } finally {
      vi.useRealTimers();
    }
  });

  it('is cut off by its job or its host, whichever allows less time, and the error says which', async () => {
    const errorFor = async (timeoutMs: number, mostMs: number): Promise<unknown> => {
      let seen: unknown;
      const app = appOf(defineJob({ timeoutMs, run: () => new Promise(() => {}) }), {
        onError: (error) => void (seen = (error as Error).message),
      });
      const attempt = createJobRunner(app, host).runMessage(message, new AbortController().signal, mostMs);
      await vi.advanceTimersByTimeAsync(1);
      await attempt;
      return seen;
    };
    vi.useFakeTimers();
    try {
      const byHost = 'The job mail has taken longer than 1 ms, which is all that its host gives it.';
      expect(await errorFor(60_000, 1)).toBe(byHost);
      expect(await errorFor(1, 60_000)).toBe('The job mail has taken longer than 1 ms.');
      expect(await errorFor(1, 1)).toBe('The job mail has taken longer than 1 ms.');
    } finally {
      vi.useRealTimers();
    }
  });

  it('stores at most 4,000 characters of an error', async () => {
    const errorOf = async (length: number): Promise<unknown> =>
      run(appOf(defineJob({ run: () => Promise.reject('x'.repeat(length) as never) })));
    expect(await errorOf(4000)).toMatchObject({ error: 'x'.repeat(4000) });
    expect(await errorOf(4001)).toMatchObject({ error: `${'x'.repeat(4000)}…` });
  });

  it('is dead if the only one was cut off, which the log says, with where to find the job', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const app = appOf(defineJob({ retry: { attempts: 1 }, run: () => {} }), { onError: undefined });
    const outcome = await run(app, { attempt: 2 });
    const [line, error] = log.mock.calls[0] ?? [];
    log.mockRestore();
    expect(outcome).toMatchObject({ kind: 'dead' });
    expect(line).toBe('The job mail (id-1) failed in attempt 2. It is not tried again: see `appkit jobs`.');
    expect(String(error)).toBe(
      'JobError: Its attempt has ended without a result: the process has ended, or was too busy to keep the job.',
    );
  });

  it('is not dead for onError if its module cannot be loaded, or if a task of it fails', async () => {
    const failed: unknown[] = [];
    const onError: JobApp['onError'] = (error, _, job) => void failed.push([(error as Error).message, job?.isDead]);
    const job = defineJob({
      retry: { attempts: 1 },
      run: () =>
        runTask(() => {
          throw new Error('a task');
        }),
    });
    await run(appOf(job, { onError }));
    const build = { manifest: { version: 6, routes: [], jobs: [MAIL] }, modules: { 'mail.js': () => ({}) } };
    await run({ build, onError });
    expect(failed).toEqual([
      ['a task', false],
      ['mail.js has no job as its default export. Write: export default defineJob({ … });', false],
    ]);
  });
});

describe('a runner', () => {
  const job = defineJob({ timeoutMs: 5, concurrency: 2, run: () => {} });

  it('lists the jobs of its app, if it has any', () => {
    expect(createJobRunner(appOf(job), host)).toMatchObject({ names: ['mail'], jobs: [MAIL] });
    const without = { build: { manifest: { version: 6, routes: [] }, modules: {} } };
    expect(createJobRunner(without, host)).toMatchObject({ names: [], jobs: [] });
  });

  it('describes a job by its settings, and one that cannot be loaded by the defaults', async () => {
    expect(await createJobRunner(appOf(job), host).describe('mail')).toMatchObject({ timeoutMs: 5, concurrency: 2 });
    const broken = { build: { manifest: { version: 6, routes: [], jobs: [MAIL] }, modules: {} } };
    expect(await createJobRunner(broken, host).describe('mail')).toMatchObject({ timeoutMs: 60_000, concurrency: 4 });
  });

  it('loads +instrumentation before the first job', async () => {
    const loaded: string[] = [];
    const build = {
      manifest: { version: 6, routes: [], jobs: [MAIL], instrumentation: { file: 'instrumentation.js' } },
      modules: {
        'mail.js': () => (loaded.push('job'), { default: job }),
        'instrumentation.js': () => (loaded.push('instrumentation'), {}),
      },
    };
    expect(await run({ build })).toEqual({ kind: 'done' });
    expect(loaded).toEqual(['instrumentation', 'job']);
  });
});

describe('findSchedule', () => {
  const find = (app: JobApp): Promise<unknown> =>
    createJobRunner(app, host).findSchedule('mail', async (found) => found);

  it('returns the schedule of a job, or that it has none', async () => {
    const schedule = { cron: '0 8 * * 1', input: { list: [1, undefined].slice(0, 1) } };
    expect(await find(appOf(defineJob({ schedule, run: () => {} })))).toEqual({
      cron: '0 8 * * 1',
      timeZone: 'UTC',
      missed: 'skip',
      input: { list: [1] },
    });
    expect(await find(appOf(defineJob({ run: () => {} })))).toBe(undefined);
  });

  it('does not load a job that has no schedule according to the manifest', async () => {
    const load = vi.fn();
    const build = {
      manifest: {
        version: 6,
        routes: [],
        jobs: [
          { ...MAIL, name: 'other' },
          { name: 'mail', file: 'mail.js' },
        ],
      },
      modules: { 'mail.js': load },
    };
    expect(await find({ build })).toBe(undefined);
    expect(await createJobRunner({ build }, host).findSchedule('newer', async (found) => found)).toBe(undefined);
    expect(load).not.toHaveBeenCalled();
  });

  it('names the job and the file of a schedule that cannot be read', async () => {
    const job = defineJob({ schedule: { cron: '0 8 * * 1', input: new Date() }, run: () => {} });
    await expect(find(appOf(job))).rejects.toThrow(
      /^The job mail \(mail\.js\) cannot be scheduled: The input of the job mail cannot be stored/,
    );
    const build = {
      manifest: { version: 6, routes: [], jobs: [MAIL] },
      modules: { 'mail.js': () => ({ default: defineJob({ schedule: { cron: '@daily' }, run: () => {} }) }) },
    };
    await expect(find({ build })).rejects.toThrow(/^The job mail \(mail\.js\) cannot be scheduled: .*"@daily"/);
    await expect(find({ build })).rejects.toMatchObject({ cause: { code: 'ERR_JOB_INVALID' } });
  });
});

describe('toRetryDelay', () => {
  const retry = { attempts: 9, delayMs: 1000, factor: 3, maxDelayMs: 10_000 };

  it('grows by the factor, up to the longest', () => {
    expect([1, 2, 3, 4, 90].map((attempt) => toRetryDelay(retry, attempt, 0))).toEqual([
      1000, 3000, 9000, 10_000, 10_000,
    ]);
  });

  it('randomizes a fifth of the delay', () => {
    expect(toRetryDelay(retry, 1, 1)).toBe(800);
  });
});
