import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { defineJob } from '../../runtime/jobs.ts';
import type { Job } from '../../runtime/jobs.ts';
import type { JobEnvelope } from '../../runtime/host.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createQueues, toHeaders } from './emulator/host/queue.mjs';
import type { Queues, Topic } from './emulator/host/queue.mjs';
import { createJobHandler, createScheduleHandler, createVercelJobs } from './jobs.ts';
import type { DeadJob } from './jobs.ts';

const NOW = Date.UTC(2026, 10, 23, 8);
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const TOKEN = ['{}', '{"exp":4102444800}', ''].map((part) => Buffer.from(part).toString('base64url')).join('.');

let queues: Queues;
let topic: Topic;
let deadTopic: Topic;

beforeEach(async () => {
  vi.useFakeTimers({ now: NOW, toFake: ['Date'] });
  vi.spyOn(Math, 'random').mockReturnValue(0);
  for (const [name, value] of Object.entries({
    VERCEL_OIDC_TOKEN: TOKEN,
    VERCEL_DEPLOYMENT_ID: 'dpl_1',
    VERCEL_REGION: 'iad1',
  })) {
    vi.stubEnv(name, value);
  }
  vi.stubEnv('CRON_SECRET', 'of the crons');
  queues = createQueues(TOKEN);
  queues.server.listen(0, '127.0.0.1');
  await once(queues.server, 'listening');
  const { port } = queues.server.address() as AddressInfo; // it listens on a port
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
    fetch(url.replace('https://iad1.vercel-queue.com', `http://127.0.0.1:${port}`), init),
  );
  [topic, deadTopic] = [queues.topic('appkit-jobs'), queues.topic('appkit-jobs-dead')];
});

afterEach(async () => {
  vi.useRealTimers();
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
  queues.server.closeAllConnections();
  await new Promise((resolve) => queues.server.close(resolve));
});

function buildOf(defined: Record<string, Job>): ServerBuild {
  const jobs = Object.keys(defined).map((name) => ({ name, file: name, schedule: 'unknown' as const }));
  const modules = Object.fromEntries(jobs.map(({ name }) => [name, () => ({ default: defined[name] })]));
  return { manifest: { version: 6, routes: [], jobs }, modules };
}

function envelope(job: string, rest: Partial<JobEnvelope> = {}): JobEnvelope {
  return { v: 1, id: 'id-1', job, runAt: NOW, attempt: 0, ...rest };
}

async function store(rest: Partial<JobEnvelope> = {}, transaction?: object): Promise<unknown> {
  const { enqueue } = createVercelJobs().connect({ build: buildOf({}) });
  return enqueue(envelope('mail', rest), transaction as never); // refused
}

/** Calls the function with the next message, as Vercel does. */
async function deliver(defined: Record<string, Job>, onError = vi.fn()): Promise<number> {
  const run = createJobHandler({ build: buildOf(defined), jobs: createVercelJobs(), onError });
  const message = topic.receive();
  if (!message) throw new Error('Nothing is to be delivered.');
  const headers = toHeaders(topic, message);
  const body = new Uint8Array(message.body);
  return (await run(new Request('https://app.test/api/jobs', { method: 'POST', headers, body }))).status;
}

function quiet(): void {
  vi.spyOn(console, 'error').mockImplementation(() => {});
}

describe('a message', () => {
  it('runs its job once, and is gone', async () => {
    const run = vi.fn();
    await store({ input: { to: 'a' } });
    expect(await deliver({ mail: defineJob({ run }) })).toBe(200);
    expect(run).toHaveBeenCalledExactlyOnceWith({ to: 'a' }, expect.objectContaining({ id: 'id-1', attempt: 1 }));
    expect(topic.list()).toEqual([]);
  });

  it('is delivered again after a failed attempt, with the delay of the job, and counts', async () => {
    const attempts: number[] = [];
    const mail = defineJob({
      retry: { delayMs: 5000 },
      run: (_, { attempt }) => {
        attempts.push(attempt);
        throw new Error('no');
      },
    });
    await store();
    await deliver({ mail });
    expect(topic.list()).toMatchObject([{ deliveryCount: 1, delay: 5000 }]);
    vi.setSystemTime(NOW + 5000);
    await deliver({ mail });
    expect(attempts).toEqual([1, 2]);
  });

  it('goes to the topic for dead jobs with its error, and runs again with all attempts if it is sent back', async () => {
    const mail = defineJob({ retry: { attempts: 1 }, run: () => Promise.reject(new Error('no such address')) });
    await store();
    await deliver({ mail });
    expect(topic.list()).toEqual([]);
    const [letter] = deadTopic.list();
    const dead = { attempts: 1, error: expect.stringContaining('no such address'), at: NOW };
    expect(letter?.body).toEqual({ ...envelope('mail'), dead });
    await store(letter?.body as DeadJob);
    const run = vi.fn();
    await deliver({ mail: defineJob({ run }) });
    expect(run).toHaveBeenCalledExactlyOnceWith(undefined, expect.objectContaining({ attempt: 1 }));
  });

  it('that is delivered a second time counts as another attempt', async () => {
    const run = vi.fn();
    await store();
    topic.receive();
    topic.repeat();
    await deliver({ mail: defineJob({ run }) });
    expect(run).toHaveBeenCalledExactlyOnceWith(undefined, expect.objectContaining({ id: 'id-1', attempt: 2 }));
  });

  it('of a job that this build does not know is replaced by another message, and no attempt counts', async () => {
    await store();
    await deliver({ other: defineJob({ run: () => {} }) });
    expect(topic.list()).toMatchObject([{ body: envelope('mail', { runAt: NOW + 60_000 }), delay: 60_000 }]);
  });

  it('waits longer than Vercel keeps it, three days at a time', async () => {
    const run = vi.fn();
    await store({ runAt: NOW + 10 * DAY_MS });
    expect(topic.list()).toMatchObject([{ delay: 3 * DAY_MS }]);
    vi.setSystemTime(NOW + 3 * DAY_MS);
    await deliver({ mail: defineJob({ run }) });
    expect(run).not.toHaveBeenCalled();
    expect(topic.list()).toMatchObject([{ body: envelope('mail', { runAt: NOW + 10 * DAY_MS }), delay: 3 * DAY_MS }]);
  });

  it('is sent again with its attempts for a retry after more than an hour', async () => {
    const retry = { delayMs: 2 * HOUR_MS, maxDelayMs: 2 * HOUR_MS };
    await store();
    await deliver({ mail: defineJob({ retry, run: () => Promise.reject(new Error('no')) }) });
    expect(topic.list()).toMatchObject([
      { body: envelope('mail', { attempt: 1, runAt: NOW + 2 * HOUR_MS }), deliveryCount: 0 },
    ]);
  });

  it('that is not a job goes to the topic for dead jobs', async () => {
    quiet();
    await store({ v: 2 as never }); // of no version that there is
    await deliver({});
    expect(deadTopic.list()).toMatchObject([{ body: { message: { v: 2 }, dead: { attempts: 1 } } }]);
    expect(topic.list()).toEqual([]);
  });

  it('stays if its result cannot be stored', async () => {
    quiet();
    await store();
    const { fetch } = globalThis;
    vi.stubGlobal('fetch', (url: string, init: RequestInit) =>
      url.includes('-dead') ? Promise.reject(new Error('away')) : fetch(url, init),
    );
    await deliver({ mail: defineJob({ retry: { attempts: 1 }, run: () => Promise.reject(new Error('no')) }) });
    expect(topic.list()).toMatchObject([{ deliveryCount: 1, delay: 60_000 }]);
  });
});

describe('enqueue', () => {
  it('stores a key once, with one id', async () => {
    const first = await store({ key: 'order-1' });
    const second = await store({ id: 'id-2', key: 'order-1' });
    expect(second).toEqual(first);
    expect(topic.list()).toHaveLength(1);
  });

  it('refuses a transaction, naming job and host', async () => {
    const refused = expect.stringMatching(/^The job mail .*Vercel/);
    await expect(store({}, {})).rejects.toMatchObject({ code: 'ERR_JOB_INVALID', message: refused });
  });

  it('rejects when the queue does', async () => {
    vi.stubEnv('VERCEL_OIDC_TOKEN', `${TOKEN}x`);
    await expect(store()).rejects.toThrow();
    expect(topic.list()).toEqual([]);
  });
});

describe('a cron', () => {
  const report = defineJob({ schedule: { cron: '0 8 * * 1', input: { team: 'sales' } }, run: () => {} });
  const call = async (authorization: string, job = 'report'): Promise<number> => {
    const handler = createScheduleHandler({ build: buildOf({ report }), jobs: createVercelJobs() });
    const request = new Request(`https://app.test/api/schedules?job=${job}`, { headers: { authorization } });
    return (await handler(request)).status;
  };

  it('stores the run of a time once, however often Vercel calls', async () => {
    vi.setSystemTime(NOW + 30_000);
    expect(await call('Bearer of the crons')).toBe(202);
    vi.setSystemTime(NOW + 59 * 60_000);
    expect(await call('Bearer of the crons')).toBe(202);
    expect(topic.list()).toMatchObject([{ body: { job: 'report', scheduledAt: NOW, input: { team: 'sales' } } }]);
  });

  it('is refused without the secret, with another, and if none is set', async () => {
    quiet();
    const statuses = [await call(''), await call('Bearer of the cron'), await call('of the crons')];
    vi.stubEnv('CRON_SECRET', '');
    statuses.push(await call('Bearer '));
    expect(statuses).toEqual([401, 401, 401, 401]);
    expect(topic.list()).toEqual([]);
  });

  it('is refused for a job without a schedule, and at an unscheduled time', async () => {
    quiet();
    expect(await call('Bearer of the crons', 'other')).toBe(404);
    vi.setSystemTime(NOW + 2 * HOUR_MS);
    expect(await call('Bearer of the crons')).toBe(409);
    expect(topic.list()).toEqual([]);
  });
});

it('needs its engine', () => {
  expect(() => createJobHandler({ build: buildOf({}) } as never)).toThrow(/createVercelJobs/);
});
