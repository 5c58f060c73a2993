import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineJob } from '../../runtime/jobs.ts';
import type { Job, JobRun } from '../../runtime/jobs.ts';
import { environment, runTask } from '../../runtime/index.ts';
import type { JobEnvelope } from '../../runtime/host.ts';
import type { ManifestJob, ServerBuild } from '../../runtime/manifest.ts';
import { keepBindings } from './bindings.ts';
import { createRequestHandler } from './index.ts';
import type { CloudflareHandlerWithJobs } from './index.ts';
import { createCloudflareJobs } from './jobs.ts';
import type { CloudflareMessage, DeadJob } from './jobs.ts';

const NOW = Date.UTC(2026, 10, 23, 8);
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

interface Sent {
  body: JobEnvelope & Partial<DeadJob>;
  delaySeconds?: number;
}

/** A queue in the form in which a Worker has it. It fails as many times as told. */
class TestQueue {
  sent: Sent[] = [];
  failures = 0;

  async send(body: unknown, { delaySeconds }: { delaySeconds?: number } = {}): Promise<void> {
    if (this.failures-- > 0) throw new Error('the queue is away');
    // Longer than a failure takes.
    await new Promise((resolve) => setImmediate(resolve));
    this.sent.push({ body: body as Sent['body'], ...(delaySeconds === undefined ? {} : { delaySeconds }) });
  }
}

class Message implements CloudflareMessage {
  settled: string[] = [];
  readonly body: unknown;
  readonly attempts: number;
  readonly timestamp: Date;

  constructor(body: unknown, attempts = 1, ageMs = 0) {
    this.body = body;
    this.attempts = attempts;
    this.timestamp = new Date(Date.now() - ageMs);
  }

  ack(): void {
    this.settled.push('ack');
  }

  retry(options?: { delaySeconds?: number }): void {
    this.settled.push(`retry ${options?.delaySeconds}`);
  }
}

let jobs: TestQueue;
let dead: TestQueue;
let waiting: Promise<unknown>[];

beforeEach(() => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  [jobs, dead, waiting] = [new TestQueue(), new TestQueue(), []];
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  keepBindings(undefined);
});

function workerOf(
  defined: Record<string, Job>,
  described: Record<string, Partial<ManifestJob>> = {},
  onError = vi.fn(),
): CloudflareHandlerWithJobs {
  const names = Object.keys(defined);
  const build: ServerBuild = {
    manifest: { version: 6, routes: [], jobs: names.map((name) => ({ name, file: name, ...described[name] })) },
    modules: Object.fromEntries(names.map((name) => [name, () => ({ default: defined[name] })])),
  };
  return createRequestHandler({ build, jobs: createCloudflareJobs(), onError });
}

function env(): object {
  return { JOBS: jobs, DEAD_JOBS: dead };
}

const context = { waitUntil: (promise: Promise<unknown>) => void waiting.push(promise) };

async function deliver(worker: CloudflareHandlerWithJobs, ...messages: Message[]): Promise<string[][]> {
  await worker.queue({ queue: 'my-app-jobs', messages }, env(), context);
  return messages.map(({ settled }) => settled);
}

function envelope(job: string, rest: Partial<JobEnvelope> = {}): JobEnvelope {
  return { v: 1, id: 'id-1', job, runAt: NOW, attempt: 0, ...rest };
}

const silent = (): void => void vi.spyOn(console, 'error').mockImplementation(() => {});

describe('queue', () => {
  it('runs a job with its input and the number of the delivery, and has its tasks awaited', async () => {
    const runs: unknown[] = [];
    const mail = defineJob({
      run(input, { id, attempt }: JobRun) {
        runTask(() => runs.push('task'));
        runs.push({ input, id, attempt });
      },
    });
    const message = new Message(envelope('mail', { input: { to: 'ada' } }), 3);
    expect(await deliver(workerOf({ mail }), message)).toEqual([['ack']]);
    await Promise.all(waiting);
    expect(waiting).toHaveLength(1);
    expect(runs.filter((run) => run !== 'task')).toEqual([{ input: { to: 'ada' }, id: 'id-1', attempt: 3 }]);
    expect(runs).toContain('task');
  });

  it('gives a job the environment of the routes: the option, otherwise a variable of the Worker', async () => {
    const seen: unknown[] = [];
    const mail = defineJob({ run: () => void seen.push(environment()) });
    const build: ServerBuild = {
      manifest: { version: 6, routes: [], jobs: [{ name: 'mail', file: 'mail' }] },
      modules: { mail: () => ({ default: mail }) },
    };
    for (const option of [undefined, 'preview']) {
      const worker = createRequestHandler({ build, jobs: createCloudflareJobs(), environment: option });
      const messages = [new Message(envelope('mail'))];
      await worker.queue({ queue: 'my-app-jobs', messages }, { ...env(), NODE_ENV: 'staging' }, context);
    }
    expect(seen).toEqual(['staging', 'preview']);
  });

  it('runs a job again that is delivered twice', async () => {
    const run = vi.fn();
    const twice = [new Message(envelope('mail')), new Message(envelope('mail'))];
    expect(await deliver(workerOf({ mail: defineJob({ run }) }), ...twice)).toEqual([['ack'], ['ack']]);
    expect(run).toHaveBeenCalledTimes(2);
  });

  it('has a failed job delivered again after its delay, and does not affect the rest of the batch', async () => {
    silent();
    const mail = defineJob({
      retry: { delayMs: 60_000, factor: 10, maxDelayMs: 600_000 },
      run(input) {
        if (input === 'bad') throw new Error('no');
      },
    });
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const bad = (attempts: number): Message => new Message(envelope('mail', { input: 'bad' }), attempts);
    const settled = await deliver(workerOf({ mail }), bad(1), new Message(envelope('mail')), bad(2), new Message('x'));
    expect(settled).toEqual([['retry 60'], ['ack'], ['retry 600'], ['retry 600']]);
    expect([jobs.sent, dead.sent]).toEqual([[], []]);
  });

  it('puts a job into the queue for dead jobs with its error when its attempts are used up', async () => {
    const onError = vi.fn();
    const mail = defineJob({
      retry: { attempts: 2 },
      run() {
        throw new Error('the mail service is away');
      },
    });
    const message = new Message(envelope('mail', { input: [1] }), 2);
    expect(await deliver(workerOf({ mail }, {}, onError), message)).toEqual([['ack']]);
    expect(dead.sent).toEqual([
      {
        body: {
          ...envelope('mail', { input: [1] }),
          dead: { attempts: 2, error: expect.stringContaining('the mail service is away'), at: NOW },
        },
      },
    ]);
    expect(onError.mock.calls[0]?.[2]).toMatchObject({ job: 'mail', attempt: 2, isDead: true });
  });

  it('says in the log where a dead job is', async () => {
    silent();
    const mail = defineJob({
      retry: { attempts: 1 },
      run() {
        throw new Error('no');
      },
    });
    const failing = vi.fn(() => {
      throw new Error('the hook is away too');
    });
    await deliver(workerOf({ mail }, {}, failing), new Message(envelope('mail')));
    expect(vi.mocked(console.error).mock.calls[0]?.[0]).toBe(
      'The job mail (id-1) failed in attempt 1. It is not tried again: see the queue DEAD_JOBS.',
    );
  });

  it('runs a dead job again with all its attempts when it is sent unchanged', async () => {
    const attempts: number[] = [];
    const mail = defineJob({ retry: { attempts: 2 }, run: (_, { attempt }) => void attempts.push(attempt) });
    const body: DeadJob = { ...envelope('mail'), dead: { attempts: 2, error: 'x', at: NOW } };
    expect(await deliver(workerOf({ mail }), new Message(body))).toEqual([['ack']]);
    expect(attempts).toEqual([1]);
  });

  it('counts attempts that ended with their process', async () => {
    silent();
    const run = vi.fn();
    const mail = defineJob({ retry: { attempts: 2 }, run });
    expect(await deliver(workerOf({ mail }), new Message(envelope('mail'), 3))).toEqual([['ack']]);
    expect(run).not.toHaveBeenCalled();
    expect(dead.sent[0]?.body.dead?.error).toContain('Its 2 attempts have ended without a result');
  });

  it('leaves a job that it does not know or cannot load to another build, and no attempt counts', async () => {
    silent();
    const broken = Object.defineProperty({}, '~job', { get: () => undefined }) as Job;
    const messages = ['unknown', 'broken'].map((job) => new Message(envelope(job, { attempt: 1 }), 2));
    expect(await deliver(workerOf({ broken }), ...messages)).toEqual([['ack'], ['ack']]);
    expect(jobs.sent).toEqual(
      ['unknown', 'broken'].map((job) => ({
        body: envelope(job, { attempt: 2, runAt: NOW + MINUTE_MS }),
        delaySeconds: 60,
      })),
    );
  });

  it('makes a job that is due later wait, half a day at a time', async () => {
    const run = vi.fn();
    const message = new Message(envelope('mail', { runAt: NOW + 3 * DAY_MS }), 1);
    expect(await deliver(workerOf({ mail: defineJob({ run }) }), message)).toEqual([['ack']]);
    expect(run).not.toHaveBeenCalled();
    expect(jobs.sent).toEqual([{ body: envelope('mail', { runAt: NOW + 3 * DAY_MS }), delaySeconds: 43_200 }]);
  });

  it('tries a job again after more than half a day', async () => {
    silent();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const mail = defineJob({ retry: { delayMs: 2 * DAY_MS, maxDelayMs: 2 * DAY_MS }, run: () => Promise.reject(1) });
    expect(await deliver(workerOf({ mail }), new Message(envelope('mail'), 2))).toEqual([['ack']]);
    expect(jobs.sent).toEqual([
      { body: envelope('mail', { attempt: 2, runAt: NOW + 2 * DAY_MS }), delaySeconds: 43_200 },
    ]);
  });

  it('sends a job again whose message gets old, since a queue deletes it after a day', async () => {
    silent();
    vi.spyOn(Math, 'random').mockReturnValue(0);
    const mail = defineJob({
      retry: { attempts: 100, delayMs: HOUR_MS, maxDelayMs: HOUR_MS },
      run: () => Promise.reject(1),
    });
    const messages = [11, 12].map((hours) => new Message(envelope('mail', { attempt: 7 }), 12, hours * HOUR_MS));
    expect(await deliver(workerOf({ mail }), ...messages)).toEqual([['retry 3600'], ['ack']]);
    expect(jobs.sent).toEqual([{ body: envelope('mail', { attempt: 19, runAt: NOW + HOUR_MS }), delaySeconds: 3600 }]);
  });

  it('does not acknowledge a job that it could not store elsewhere', async () => {
    silent();
    [jobs.failures, dead.failures] = [1, 1];
    const mail = defineJob({ retry: { attempts: 1 }, run: () => Promise.reject(new Error('no')) });
    const messages = [new Message(envelope('mail')), new Message(envelope('unknown'))];
    expect(await deliver(workerOf({ mail }), ...messages)).toEqual([['retry 60'], ['retry 60']]);
  });

  it('aborts the signal of a job that takes too long, and has it delivered again', async () => {
    silent();
    const reasons: unknown[] = [];
    const mail = defineJob({
      timeoutMs: 5,
      run: (_, { signal }) =>
        new Promise((end) => {
          signal.addEventListener('abort', () => end(reasons.push((signal.reason as Error).name)));
        }),
    });
    expect(await deliver(workerOf({ mail }), new Message(envelope('mail')))).toEqual([['retry 1']]);
    expect(reasons).toEqual(['TimeoutError']);
  });

  it('never drops a message that is not a job', async () => {
    silent();
    const forged = [undefined, null, 'mail', {}, { ...envelope('mail'), v: 2 }, { ...envelope('mail'), attempt: 'x' }];
    const settled = await deliver(workerOf({}), ...forged.map((body) => new Message(body)));
    expect(settled).toEqual(forged.map(() => ['retry 600']));
  });
});

describe('scheduled', () => {
  const schedule = { cron: '0 8 * * 1', timeZone: 'UTC', missed: 'skip' } as const;
  const report = defineJob({ schedule: { cron: '0 8 * * 1', input: { team: 'sales' } }, run: () => {} });
  const other = defineJob({ schedule: { cron: '0 9 * * 1' }, run: () => {} });
  const described = { report: { schedule }, other: { schedule: { ...schedule, cron: '0 9 * * 1' } } };

  it('stores the jobs of the cron, with the time and an id derived from it', async () => {
    const worker = workerOf({ report, other }, described);
    const trigger = { cron: '0 8 * * MON', scheduledTime: NOW + 1234 };
    await worker.scheduled(trigger, env(), context);
    await worker.scheduled({ ...trigger, scheduledTime: NOW }, env(), context);
    const [first, second] = jobs.sent.map(({ body }) => body);
    expect(first).toMatchObject({ job: 'report', input: { team: 'sales' }, scheduledAt: NOW, runAt: NOW, attempt: 0 });
    expect(second).toEqual(first);
    await worker.scheduled({ ...trigger, scheduledTime: NOW + 7 * DAY_MS }, env(), context);
    expect(jobs.sent[2]?.body.id).not.toBe(first?.id);
    expect(jobs.sent).toHaveLength(3);
  });

  it('reads the numbers of a cron as Cloudflare does', async () => {
    const worker = workerOf({ report }, described);
    await worker.scheduled({ cron: '0 8 * * 1', scheduledTime: NOW }, env(), context);
    expect(jobs.sent).toEqual([]);
    await worker.scheduled({ cron: '0 8 * * 2', scheduledTime: NOW }, env(), context);
    expect(jobs.sent).toHaveLength(1);
  });

  it('loads a job whose source does not show its schedule', async () => {
    const worker = workerOf({ report, other }, { report: { schedule: 'unknown' }, other: { schedule: 'unknown' } });
    await worker.scheduled({ cron: '0 9 * * MON', scheduledTime: NOW }, env(), context);
    expect(jobs.sent.map(({ body }) => body.job)).toEqual(['other']);
  });

  it('fails if a job cannot be stored, and stores the others', async () => {
    jobs.failures = 1;
    const worker = workerOf({ report, other: report }, { report: { schedule }, other: { schedule } });
    const failed = worker.scheduled({ cron: '0 8 * * MON', scheduledTime: NOW }, env(), context);
    await expect(failed).rejects.toThrow('the queue is away');
    expect(jobs.sent).toHaveLength(1);
  });
});

describe('enqueue', () => {
  const store = (rest: Partial<JobEnvelope>, transaction?: object): Promise<unknown> => {
    const build = { manifest: { version: 6, routes: [], jobs: [] }, modules: {} };
    return createCloudflareJobs()
      .connect({ build })
      .enqueue(envelope('mail', rest), transaction as never); // refused
  };

  it('sends the job, delayed for as long as the queue can', async () => {
    keepBindings(env());
    expect(await store({})).toEqual({ id: 'id-1', duplicate: false });
    await store({ runAt: NOW + 1500 });
    await store({ runAt: NOW + 2 * DAY_MS });
    expect(jobs.sent.map(({ delaySeconds }) => delaySeconds)).toEqual([0, 2, 43_200]);
    expect(jobs.sent[0]?.body).toEqual(envelope('mail'));
  });

  it('refuses keys and transactions, naming the job and the host', async () => {
    keepBindings(env());
    for (const refused of [store({ key: 'k' }), store({}, { query: () => {} })]) {
      await expect(refused).rejects.toMatchObject({
        code: 'ERR_JOB_INVALID',
        message: expect.stringMatching(/^The job mail .*Cloudflare/),
      });
    }
    expect(jobs.sent).toEqual([]);
  });

  it('rejects when the queue does, and without a queue', async () => {
    keepBindings(env());
    jobs.failures = 1;
    await expect(store({})).rejects.toThrow('the queue is away');
    keepBindings({});
    await expect(store({})).rejects.toMatchObject({ code: 'ERR_JOBS_UNAVAILABLE' });
  });
});

it('has neither queue nor scheduled without the option', () => {
  const build: ServerBuild = { manifest: { version: 1, routes: [] }, modules: {} };
  expect(Object.keys(createRequestHandler({ build }))).toEqual(['fetch']);
  const handler = createRequestHandler({ build, jobs: createCloudflareJobs() });
  expect(Object.keys(handler)).toEqual(['fetch', 'queue', 'scheduled']);
});
