import { execFile } from 'node:child_process';
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineJob } from '../../runtime/jobs.ts';
import type { Job, JobRun } from '../../runtime/jobs.ts';
import type { ConnectedJobs, JobEnvelope, ServerBuild } from '../../runtime/host.ts';
import { deliver } from '../aws-lambda/emulator/host/event-source.mjs';
import type { SqsEvent } from '../aws-lambda/emulator/host/sqs.mjs';
import { createJobHandler, createSqsJobs } from './index.ts';
import type { JobHandler, JobHandlerOptions } from './index.ts';
import { envelopeOf, startQueues } from './queues.cases.ts';
import type { Queues } from './queues.cases.ts';

/** An attempt that was made. */
type Ran = JobRun & { input: unknown };

const HOUR_MS = 3_600_000;
const MAPPING = { BatchSize: 10, FunctionResponseTypes: ['ReportBatchItemFailures'] };

let queues: Queues;
let ran: Ran[];
let errors: unknown[];

beforeEach(async () => {
  // The emulator runs here: one clock for it and for the function.
  vi.useFakeTimers({ toFake: ['Date'] });
  queues = await startQueues();
  for (const [name, value] of Object.entries(queues.variables)) vi.stubEnv(name, value);
  ran = [];
  errors = [];
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  await queues.stop();
});

function buildOf(jobs: Record<string, Job>): ServerBuild {
  const names = Object.keys(jobs);
  return {
    manifest: {
      version: 6,
      routes: [],
      jobs: names.map((name) => ({ name, file: `${name}.js`, schedule: 'unknown' })),
    },
    modules: Object.fromEntries(names.map((name) => [`${name}.js`, () => ({ default: jobs[name] })])),
  } as unknown as ServerBuild; // as an export writes it
}

/** A job that records its attempts, and fails this many times. */
function noting(settings: { fail?: number; attempts?: number; delayMs?: number } = {}): Job {
  const { fail = 0, attempts = 3, delayMs = 1000 } = settings;
  return defineJob({
    retry: { attempts, delayMs, factor: 1, maxDelayMs: delayMs },
    run(input, run) {
      ran.push({ ...run, input });
      if (run.attempt <= fail) throw new Error(`It failed in ${run.attempt}`);
    },
  });
}

function functionOf(jobs: Record<string, Job>, options: Partial<JobHandlerOptions> = {}): JobHandler {
  const onError = (error: unknown): void => void errors.push(error);
  return createJobHandler({ build: buildOf(jobs), jobs: createSqsJobs(), onError, ...options });
}

function store(): ConnectedJobs {
  return createSqsJobs().connect({ build: buildOf({}) });
}

/** Calls the function once as Lambda does, if there is a message to receive. */
function call(handler: JobHandler): Promise<number> {
  const end = performance.now() + 120_000;
  const context = { getRemainingTimeInMillis: () => end - performance.now() };
  return deliver(queues.jobs, MAPPING, (event) => handler(event, context));
}

function pass(ms: number): void {
  vi.setSystemTime(Date.now() + ms);
}

/** The messages that wait in the queue, and for how long. */
function waiting(): { envelope: JobEnvelope; inMs: number; receiveCount: number }[] {
  return queues.jobs.list().map(({ body, visibleAt, receiveCount }) => ({
    envelope: JSON.parse(body) as JobEnvelope,
    inMs: visibleAt - Date.now(),
    receiveCount,
  }));
}

async function eventOf(...envelopes: JobEnvelope[]): Promise<SqsEvent> {
  for (const envelope of envelopes) await store().enqueue(envelope);
  return { Records: queues.jobs.receive(10) };
}

describe('a job', () => {
  it('is stored, run, and gone', async () => {
    const input = { text: 'é\u0000\u0001\u007f\ufffe\uffff\u{1f600}' };
    const envelope = envelopeOf('mail', { input, trace: { traceparent: '00-1-2-01' } });
    expect(await store().enqueue(envelope)).toEqual({ id: envelope.id, duplicate: false });
    await call(functionOf({ mail: noting() }));
    expect(ran).toMatchObject([{ id: envelope.id, attempt: 1, input }]);
    expect([queues.jobs.list(), queues.dead.list()]).toEqual([[], []]);
  });

  it('is refused with a key, and in a transaction', async () => {
    const named = /^The job mail was enqueued with the option (key|transaction), but AWS Lambda stores it in/;
    const refusal = { code: 'ERR_JOB_INVALID', message: expect.stringMatching(named) };
    await expect(store().enqueue(envelopeOf('mail', { key: 'one' }))).rejects.toMatchObject(refusal);
    const transaction = { query: async () => ({ rows: [] }) };
    await expect(store().enqueue(envelopeOf('mail'), transaction)).rejects.toMatchObject(refusal);
    expect(queues.jobs.list()).toEqual([]);
  });

  it('that fails comes again after its delay, and its attempts are counted by SQS', async () => {
    await store().enqueue(envelopeOf('mail'));
    const handler = functionOf({ mail: noting({ fail: 2 }) });
    await call(handler);
    const [{ inMs = 0 } = {}] = waiting();
    expect(inMs).toBeGreaterThan(0);
    expect(inMs).toBeLessThanOrEqual(1000);
    expect(await call(handler)).toBe(0);
    for (let attempt = 2; attempt <= 3; attempt += 1) {
      pass(1000);
      await call(handler);
    }
    expect(ran.map(({ attempt }) => attempt)).toEqual([1, 2, 3]);
    expect(waiting()).toEqual([]);
  });

  it('whose attempts are used up is in the dead-letter queue with its error, and runs again from there', async () => {
    const envelope = envelopeOf('mail', { input: 1 });
    await store().enqueue(envelope);
    const handler = functionOf({ mail: noting({ fail: 2, attempts: 2 }) });
    await call(handler);
    pass(1000);
    await call(handler);
    expect(waiting()).toEqual([]);
    const [{ body = '', attributes = {} } = {}, ...more] = queues.dead.list();
    expect(more).toEqual([]);
    expect(attributes['error']?.StringValue).toMatch(/^Error: It failed in 2\n/);
    expect(attributes['attempts']?.StringValue).toBe('2');
    expect(JSON.parse(body)).toEqual({ ...envelope, attempt: 0 });
    queues.jobs.send(body);
    await call(handler);
    expect(ran.at(-1)).toMatchObject({ id: envelope.id, attempt: 1 });
  });

  it('that is dead is reported in the log with its place', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const envelope = envelopeOf('mail');
    await store().enqueue(envelope);
    await call(functionOf({ mail: noting({ fail: 1, attempts: 1 }) }, { onError: undefined }));
    expect(log.mock.calls[0]?.[0]).toBe(
      `The job mail (${envelope.id}) failed in attempt 1. It is not tried again: see the dead-letter queue.`,
    );
    log.mockRestore();
  });

  it('whose error has characters that SQS refuses is dead too', async () => {
    await store().enqueue(envelopeOf('mail'));
    const run = (): never => {
      throw new Error('\u0000\uffff\ud800');
    };
    await call(functionOf({ mail: defineJob({ retry: { attempts: 1 }, run }) }));
    expect(queues.dead.list()[0]?.attributes['error']?.StringValue).toContain('\ufffd\ufffd\ufffd');
  });

  it('that throws a value without text is tried again, and dead with a text that says so', async () => {
    for (const [thrown, text] of [
      ['', 'It threw "" instead of an Error.'],
      [undefined, 'It threw undefined instead of an Error.'],
      [null, 'It threw null instead of an Error.'],
      [{ code: 7 }, 'It threw {"code":7} instead of an Error.'],
    ]) {
      await store().enqueue(envelopeOf('mail'));
      const run = (): never => {
        throw thrown;
      };
      const handler = functionOf({ mail: defineJob({ retry: { attempts: 2, delayMs: 1000, factor: 1 }, run }) });
      await call(handler);
      expect(waiting()).toMatchObject([{ receiveCount: 1 }]);
      pass(1000);
      await call(handler);
      expect([waiting(), queues.dead.list().at(-1)?.attributes['error']?.StringValue]).toEqual([[], text]);
    }
    expect(errors).toHaveLength(8);
  });

  it('that waits longer than SQS can delay it goes back until its time, and no attempt counts', async () => {
    const runAt = Date.now() + 40 * 60_000;
    await store().enqueue(envelopeOf('mail', { runAt }));
    const handler = functionOf({ mail: noting() });
    const delays: number[] = [];
    while (ran.length === 0) {
      const [{ inMs = 0 } = {}] = waiting();
      delays.push(inMs / 60_000);
      pass(inMs);
      expect(await call(handler)).toBe(1);
    }
    expect(delays).toEqual([15, 15, 10]);
    expect(Date.now()).toBe(runAt);
    expect(ran).toMatchObject([{ attempt: 1 }]);
  });

  it('whose retry waits longer than SQS hides a message is sent again, with its attempts', async () => {
    await store().enqueue(envelopeOf('mail'));
    const handler = functionOf({
      mail: defineJob({
        retry: { delayMs: 20 * HOUR_MS, maxDelayMs: 20 * HOUR_MS },
        run(input, run) {
          ran.push({ ...run, input });
          if (run.attempt === 1) throw new Error('not yet');
        },
      }),
    });
    await call(handler);
    expect(waiting()).toMatchObject([{ envelope: { attempt: 1 }, inMs: 900_000 }]);
    while (waiting().length > 0) {
      pass(900_000);
      await call(handler);
    }
    expect(ran.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });

  it('that fails for longer than a queue keeps a message is not forgotten', async () => {
    await store().enqueue(envelopeOf('mail'));
    const handler = functionOf({ mail: noting({ fail: 40, attempts: 41, delayMs: 10 * HOUR_MS }) });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const begunAt = Date.now();
    while (waiting().length > 0) {
      pass(Math.max(0, waiting()[0]?.inMs ?? 0));
      await call(handler);
    }
    expect(ran.map(({ attempt }) => attempt)).toEqual(Array.from({ length: 41 }, (_, index) => index + 1));
    expect(Date.now() - begunAt).toBeGreaterThan(14 * 24 * HOUR_MS);
  });
});

describe('a batch', () => {
  it('is not affected by a bad message, which goes to the dead-letter queue', async () => {
    queues.jobs.send('{"job":"mail"}');
    queues.jobs.send('no JSON');
    await store().enqueue(envelopeOf('mail', { input: 'good' }));
    vi.spyOn(console, 'error').mockImplementation(() => {});
    await call(functionOf({ mail: noting() }));
    expect(ran).toMatchObject([{ input: 'good' }]);
    expect(queues.jobs.list()).toEqual([]);
    expect(
      queues.dead
        .list()
        .map(({ body }) => body)
        .toSorted(),
    ).toEqual(['no JSON', '{"job":"mail"}']);
  });

  it('is not affected by a job that fails', async () => {
    const good = envelopeOf('good');
    const bad = envelopeOf('bad');
    const event = await eventOf(bad, good);
    const handler = functionOf({ good: noting(), bad: noting({ fail: 1 }) });
    const [first] = event.Records;
    expect(await handler(event)).toEqual({ batchItemFailures: [{ itemIdentifier: first?.messageId }] });
    expect(ran.map(({ id }) => id)).toEqual([bad.id, good.id]);
  });

  it('is delivered again as far as its results could not be reported to SQS', async () => {
    const event = await eventOf(envelopeOf('mail'), envelopeOf('good'));
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    await queues.stop();
    const handler = functionOf({ mail: noting({ fail: 1, attempts: 1 }), good: noting({ fail: 0 }) });
    const [first] = event.Records;
    expect(await handler(event)).toEqual({ batchItemFailures: [{ itemIdentifier: first?.messageId }] });
    expect(log.mock.calls[0]?.[0]).toMatch(/cannot be reported to SQS/);
    queues = await startQueues();
  });
});

describe('SQS', () => {
  it('may deliver a message twice: the job runs twice with one id', async () => {
    const envelope = envelopeOf('mail');
    const event = await eventOf(envelope);
    const handler = functionOf({ mail: noting() });
    const [first] = event.Records;
    queues.jobs.repeat(first?.receiptHandle ?? '');
    const again = { Records: queues.jobs.receive(1) };
    await handler(event);
    await handler(again);
    expect(ran.map(({ id }) => id)).toEqual([envelope.id, envelope.id]);
  });

  it('may have delivered the message again: a late failure does not hide it', async () => {
    const event = await eventOf(envelopeOf('mail'));
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const handler = functionOf({ mail: noting({ fail: 1 }) });
    pass(721_000);
    const [other] = queues.jobs.receive(1);
    expect(await handler(event)).toMatchObject({ batchItemFailures: [{}] });
    expect(log.mock.calls[0]?.[0]).toMatch(/cannot be reported to SQS/);
    expect(waiting()).toMatchObject([{ inMs: 720_000, receiveCount: 2 }]);
    expect(await handler({ Records: [other] })).toEqual({ batchItemFailures: [] });
    expect(ran.map(({ attempt }) => attempt)).toEqual([1, 2]);
  });
});

describe('a build', () => {
  it('leaves an unknown job alone, and no attempt counts', async () => {
    await store().enqueue(envelopeOf('mail'));
    const older = functionOf({ other: noting() });
    for (let times = 0; times < 20; times += 1) {
      await call(older);
      expect(waiting()).toMatchObject([{ inMs: 60_000 }]);
      pass(60_000);
    }
    await call(functionOf({ mail: noting() }));
    expect(ran).toMatchObject([{ attempt: 1 }]);
    expect(queues.dead.list()).toEqual([]);
  });

  it('leaves a job alone that it cannot load, and no attempt counts', async () => {
    await store().enqueue(envelopeOf('mail'));
    const broken = buildOf({ mail: noting() });
    broken.modules['mail.js'] = () => {
      throw new Error('it cannot be loaded');
    };
    await call(functionOf({}, { build: broken }));
    expect(waiting()).toMatchObject([{ inMs: 60_000, envelope: { attempt: 0 } }]);
    pass(60_000);
    await call(functionOf({ mail: noting() }));
    expect(ran).toMatchObject([{ attempt: 1 }]);
  });
});

describe('the time of the function', () => {
  const hanging = (timeoutMs: number): Job =>
    defineJob({
      timeoutMs,
      run: (_, { signal }) =>
        new Promise((_resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error));
        }),
    });

  it('ends an attempt before Lambda ends the function', async () => {
    const event = await eventOf(envelopeOf('mail'));
    await functionOf({ mail: hanging(60_000) })(event, { getRemainingTimeInMillis: () => 100 });
    expect(errors).toMatchObject([{ name: 'TimeoutError' }]);
    expect(String(errors[0])).toContain('longer than 50 ms, which is all that its host gives it');
    expect(waiting()).toMatchObject([{ receiveCount: 1 }]);
  });

  it('gives back an attempt whose time was lost to loading, and does not count it', async () => {
    const event = await eventOf(envelopeOf('mail'));
    const handler = functionOf({ mail: noting() });
    // Asked before and after loading.
    const left = [63_000, 50_000];
    const getRemainingTimeInMillis = (): number => left.shift() ?? 50_000;
    expect(await handler(event, { getRemainingTimeInMillis })).toEqual({ batchItemFailures: [] });
    expect(ran).toEqual([]);
    expect(waiting().at(-1)).toMatchObject({ inMs: 0, envelope: { attempt: 0 }, receiveCount: 0 });
  });

  it('does not give back an attempt that lacks only a moment: it would never run', async () => {
    const event = await eventOf(envelopeOf('mail'));
    const left = [62_010];
    await functionOf({ mail: noting() })(event, { getRemainingTimeInMillis: () => left.shift() ?? 61_990 });
    expect(ran).toHaveLength(1);
  });
});

describe('an event', () => {
  const record = {
    messageId: 'one',
    receiptHandle: 'handle',
    body: '{}',
    attributes: { ApproximateReceiveCount: '1', SentTimestamp: '1' },
    eventSource: 'aws:sqs',
    eventSourceARN: 'arn:aws:sqs:eu-central-1:123456789012:jobs',
  };
  const others: [name: string, event: unknown][] = [
    ['nothing', undefined],
    ['a request', { version: '2.0', rawPath: '/', requestContext: { http: { method: 'GET' } } }],
    ['no record', { Records: [] }],
    ['a record of another service', { Records: [{ ...record, eventSource: 'aws:s3' }] }],
    ['a message of another queue', { Records: [{ ...record, eventSourceARN: `${record.eventSourceARN}-2` }] }],
    ['a message without a count', { Records: [record, { ...record, attributes: {} }] }],
    ['a schedule without a time', { source: 'appkit.schedule', job: 'mail', scheduledAt: '<aws.scheduler' }],
    [
      'a schedule of a job that has none',
      { source: 'appkit.schedule', job: 'mail', scheduledAt: '2026-01-01T08:00:00Z' },
    ],
  ];
  for (const [name, event] of others) {
    it(`that is ${name} is refused`, async () => {
      const handler = functionOf({ mail: noting() });
      await expect(handler(event)).rejects.toMatchObject({ code: 'ERR_EVENT_INVALID' });
      expect(ran).toEqual([]);
    });
  }
});

describe('a schedule', () => {
  const AT = '2026-03-02T08:00:00Z';
  const event = { source: 'appkit.schedule', job: 'report', scheduledAt: AT };
  const report = (missed: 'skip' | 'once'): Job =>
    defineJob({
      schedule: { cron: '0 8 * * 1', missed, input: { team: 'sales' } },
      run: (input, run) => void ran.push({ ...run, input }),
    });

  it('stores a run with the same id for the same time', async () => {
    vi.setSystemTime(Date.parse(AT) + 20_000);
    const handler = functionOf({ report: report('skip') });
    await handler(event);
    await handler({ ...event, scheduledAt: '2026-03-02T08:00:07Z' });
    await call(handler);
    expect(ran).toMatchObject([
      { scheduledAt: new Date(AT), input: { team: 'sales' }, attempt: 1 },
      { scheduledAt: new Date(AT) },
    ]);
    expect(new Set(ran.map(({ id }) => id)).size).toBe(1);
  });

  it('that was missed is left out, unless it says once', async () => {
    vi.setSystemTime(Date.parse(AT) + HOUR_MS);
    await functionOf({ report: report('skip') })(event);
    expect(waiting()).toEqual([]);
    await functionOf({ report: report('once') })(event);
    expect(waiting()).toMatchObject([{ envelope: { scheduledAt: Date.parse(AT) } }]);
  });
});

describe('the SDK', () => {
  /** The result of storing a job with the engine alone in a folder. */
  const said = async (modules: string): Promise<string> => {
    const folder = mkdtempSync(path.join(tmpdir(), 'appkit-sqs-'));
    const bundle = path.join(import.meta.dirname, '../../runtime/lib/adapters/aws-lambda/jobs.js');
    copyFileSync(bundle, path.join(folder, 'jobs.mjs'));
    const program = `
      const { createSqsJobs } = await import('./jobs.mjs');
      const { enqueue } = createSqsJobs().connect({});
      await enqueue({ v: 1, id: 'one', job: 'mail', runAt: 0, attempt: 0 }).catch(({ code, message }) => console.log(code, message));`;
    const env = { ...process.env, NODE_PATH: modules };
    const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '-e', program], {
      cwd: folder,
      env,
    });
    rmSync(folder, { recursive: true });
    return stdout;
  };

  it('is named as missing when it is not installed', async () => {
    expect(await said('')).toMatch(
      /^ERR_JOBS_UNAVAILABLE Jobs in SQS need @aws-sdk\/client-sqs, .* npm install @aws-sdk\/client-sqs\n$/,
    );
  });

  it('is found where Lambda has it, outside the folders that imports search', async () => {
    expect(await said(path.join(import.meta.dirname, '../../node_modules'))).toBe('');
    expect(waiting()).toMatchObject([{ envelope: { id: 'one' } }]);
  });
});

describe('the options', () => {
  it('are the variables of the template by default', async () => {
    vi.stubEnv('APPKIT_JOBS_DEAD_LETTER_QUEUE_URL', 'jobs');
    expect(() => createSqsJobs()).toThrow(/deadLetterQueueUrl .* is "jobs"/);
    vi.stubEnv('APPKIT_JOBS_DEAD_LETTER_QUEUE_URL', undefined);
    const jobs = createSqsJobs();
    await expect(createJobHandler({ build: buildOf({}), jobs })({})).rejects.toThrow(
      /deadLetterQueueUrl .* is undefined/,
    );
    vi.stubEnv('APPKIT_JOBS_QUEUE_URL', undefined);
    expect(() => createSqsJobs()).toThrow(/The option queueUrl .* is undefined.*APPKIT_JOBS_QUEUE_URL/);
  });
});
