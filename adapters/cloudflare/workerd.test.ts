import { once } from 'node:events';
import { createRequire } from 'node:module';
import path from 'node:path';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installLocked } from '../../conformance/install-locked.ts';

interface Settled {
  outcome: string;
  explicitAcks: string[];
  retryMessages: { msgId: string; delaySeconds?: number }[];
}

interface TestMessage {
  id: string;
  timestamp: Date;
  attempts: number;
  body: unknown;
}

/** What we use of miniflare. */
interface MiniflareInstance {
  ready: Promise<URL>;
  getWorker(): Promise<{
    queue(name: string, messages: TestMessage[]): Promise<Settled>;
    scheduled(options: { cron: string; scheduledTime: Date }): Promise<{ outcome: string }>;
  }>;
  dispatchFetch(url: string, init: { headers: Record<string, string> }): Promise<Upgraded>;
  dispose(): Promise<void>;
}

/** A response of miniflare. */
interface Upgraded {
  status: number;
  headers: Headers;
  webSocket?: { accept(): void; close(): void };
}

interface Seen {
  runs: { id: string; [what: string]: unknown }[];
  dead: { id: string; dead: object }[];
}

const NOW = Date.UTC(2026, 10, 23, 8);

let miniflare: MiniflareInstance;
let url: URL;

beforeAll(async () => {
  const tools = path.resolve(import.meta.dirname, '../../.cache/tools/cloudflare/tools');
  await installLocked(path.join(import.meta.dirname, 'tools'), tools);
  const { Miniflare, kCurrentWorker } = createRequire(path.join(tools, 'package.json'))('miniflare') as {
    Miniflare: new (options: object) => MiniflareInstance;
    kCurrentWorker: symbol;
  };
  const bundle = await rolldown({ input: path.join(import.meta.dirname, 'worker.cases.ts'), external: [/^node:/] });
  const { output } = await bundle.generate({ format: 'esm' });
  await bundle.close();
  const consumer = { maxBatchSize: 1, maxBatchTimeout: 0 };
  miniflare = new Miniflare({
    cf: false,
    modules: [{ type: 'ESModule', path: 'worker.mjs', contents: output[0].code }],
    compatibilityDate: '2026-06-01',
    compatibilityFlags: ['nodejs_compat'],
    serviceBindings: { SELF: kCurrentWorker },
    queueProducers: { JOBS: 'jobs', DEAD_JOBS: 'dead' },
    queueConsumers: { jobs: { ...consumer, maxRetries: 100, deadLetterQueue: 'dead' }, dead: consumer },
  });
  url = await miniflare.ready;
});

afterAll(() => miniflare.dispose());

async function look(): Promise<Seen> {
  return (await (await fetch(new URL('/mail', url))).json()) as Seen;
}

/** The events that the Worker has recorded, as soon as there are enough. */
async function seen(isEnough: (found: Seen) => boolean): Promise<Seen> {
  for (;;) {
    const found = await look();
    if (isEnough(found)) return found;
  }
}

async function enqueue(input: unknown): Promise<string> {
  const response = await fetch(new URL('/mail', url), { method: 'POST', body: JSON.stringify(input) });
  return ((await response.json()) as { id: string }).id;
}

function messageOf(id: string, input: unknown, { attempts = 1, job = 'mail' } = {}): TestMessage {
  return { id, timestamp: new Date(), attempts, body: { v: 1, id, job, input, runAt: 0, attempt: 0 } };
}

async function deliver(...messages: TestMessage[]): Promise<Settled> {
  return (await miniflare.getWorker()).queue('jobs', messages);
}

it('runs a job that a route has enqueued', async () => {
  const id = await enqueue('ada');
  const { runs } = await seen((found) => found.runs.some((run) => run.id === id));
  expect(runs).toContainEqual({ id, attempt: 1, input: 'ada' });
});

it('counts the attempts of a job, and sends a dead job with its error to the dead-letter queue', async () => {
  const id = await enqueue('bad');
  const { runs, dead } = await seen((found) => found.dead.some((one) => one.id === id));
  expect(runs.filter((run) => run.id === id).map(({ attempt }) => attempt)).toEqual([1, 2]);
  expect(dead.find((one) => one.id === id)).toMatchObject({
    attempt: 0,
    dead: { attempts: 2, error: expect.stringContaining('no such address') },
  });
});

it('accepts the largest input, even with the longest error when the job is dead', async () => {
  const id = await enqueue('x'.repeat(99_998));
  const { dead } = await seen((found) => found.dead.some((one) => one.id === id));
  expect(JSON.stringify(dead.find((one) => one.id === id)).length).toBeGreaterThan(120_000);
});

it('settles each message of a batch separately', async () => {
  const { outcome, explicitAcks, retryMessages } = await deliver(
    messageOf('good-1', 'ada'),
    messageOf('bad-1', 'bad'),
    messageOf('slow-1', 'slow'),
    { ...messageOf('forged-1', 'ada'), body: { v: 1 } },
    messageOf('good-2', 'grace'),
  );
  expect([outcome, explicitAcks.toSorted()]).toEqual(['ok', ['good-1', 'good-2']]);
  expect(retryMessages.map(({ msgId }) => msgId).toSorted()).toEqual(['bad-1', 'forged-1', 'slow-1']);
  const { runs } = await look();
  expect(runs).toContainEqual({ id: 'slow-1', aborted: 'TimeoutError' });
});

it('runs a message that is delivered twice twice, as the same job', async () => {
  const twice = messageOf('twice', 'ada');
  for (let delivery = 0; delivery < 2; delivery++) expect((await deliver(twice)).explicitAcks).toEqual(['twice']);
  const { runs } = await look();
  expect(runs.filter(({ id }) => id === 'twice')).toHaveLength(2);
});

it('does not run a job that has been delivered too often', async () => {
  expect((await deliver(messageOf('often', 'ada', { attempts: 3 }))).explicitAcks).toEqual(['often']);
  const { runs, dead } = await seen((found) => found.dead.some(({ id }) => id === 'often'));
  expect(runs.some(({ id }) => id === 'often')).toBe(false);
  expect(dead.find(({ id }) => id === 'often')?.dead).toMatchObject({ attempts: 3 });
});

it('puts back a job that this build does not know', async () => {
  const { explicitAcks } = await deliver(messageOf('unknown', 'ada', { job: 'other' }));
  expect(explicitAcks).toEqual(['unknown']);
  expect((await look()).dead.some(({ id }) => id === 'unknown')).toBe(false);
});

it('stores the jobs of a cron trigger, with its time', async () => {
  const worker = await miniflare.getWorker();
  const trigger = { cron: '0 8 * * MON', scheduledTime: new Date(NOW + 999) };
  expect(await worker.scheduled(trigger)).toMatchObject({ outcome: 'ok' });
  const { runs } = await seen((found) => found.runs.some(({ scheduledAt }) => scheduledAt !== undefined));
  expect(runs.filter(({ scheduledAt }) => scheduledAt !== undefined)).toEqual([
    { id: expect.any(String), input: { team: 'sales' }, scheduledAt: new Date(NOW).toISOString() },
  ]);
  expect(await worker.scheduled({ ...trigger, cron: '0 9 * * MON' })).toMatchObject({ outcome: 'ok' });
});

it.each(['/socket', '/passed-on'])('lets a route answer with a WebSocket: %s', async (path) => {
  const socket = new WebSocket(new URL(path, url.href.replace('http', 'ws')));
  const [opened] = (await Promise.race([once(socket, 'open'), once(socket, 'close')])) as [Event];
  expect(opened.type).toBe('open');
  socket.send('a word');
  const [{ data }] = (await once(socket, 'message')) as [{ data: string }];
  expect(data).toBe('heard a word');
  socket.close();
});

it.each(['/socket', '/passed-on'])(
  'sends the headers of middleware with the WebSocket of a route: %s',
  async (path) => {
    const { status, headers, webSocket } = await miniflare.dispatchFetch(String(new URL(path, url)), {
      headers: { upgrade: 'websocket' },
    });
    webSocket?.accept();
    webSocket?.close();
    expect([status, headers.get('x-set'), headers.get('x-changed')]).toEqual([101, 'by a helper', path]);
  },
);
