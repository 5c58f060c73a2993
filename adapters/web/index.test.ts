import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { defineJob, enqueue } from '../../runtime/jobs.ts';
import type { JobRun } from '../../runtime/jobs.ts';
import { createSqliteJobs } from '../_jobs/index.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { runTask } from '../../runtime/index.ts';
import { createRequestHandler } from './index.ts';

const build: ServerBuild = {
  manifest: { version: 1, routes: [{ pattern: '/x', file: 'x.js', methods: ['GET', 'POST'] }] },
  modules: {
    'x.js': () => ({
      GET: (request: Request) => new Response(request.url),
      POST: async (request: Request) => new Response(await request.text()),
    }),
  },
};

/** A Request as a server on Node may pass it: the platform's members would throw on it. */
function lookalike(request: Request): Request {
  const like = { __proto__: Request.prototype };
  for (const name of ['method', 'url', 'headers', 'signal', 'body', 'bodyUsed'] as const) {
    Object.defineProperty(like, name, { value: request[name] });
  }
  return Object.create(like) as Request;
}

/** A Request with a URL that is not normalised, as `deno serve` passes it. */
function withUrl(url: string, host: string): Request {
  return Object.defineProperty(new Request('http://a.test/', { headers: { host } }), 'url', { value: url });
}

describe('the URL of a request', () => {
  const { fetch } = createRequestHandler({ build });

  it('is normalised', async () => {
    const response = await fetch(withUrl('http://a.test/y/../x', 'a.test'));
    expect(await response.text()).toBe('http://a.test/x');
  });

  for (const [host, url] of [
    ['a.test/x', 'http://a.test/x/'],
    ['u@a.test', 'http://u@a.test/x'],
    ['a.test, b.test', 'http://a.test/x'],
  ] as const) {
    it(`is refused with the Host ${host}`, async () => {
      expect((await fetch(withUrl(url, host))).status).toBe(400);
    });
  }
});

describe("a Request that is not the platform's", () => {
  const { fetch } = createRequestHandler({ build });

  it('is answered', async () => {
    expect(await (await fetch(lookalike(new Request('http://a.test/x')))).text()).toBe('http://a.test/x');
  });

  it('has its body', async () => {
    const request = new Request('http://a.test/x', { method: 'POST', body: 'sent' });
    expect(await (await fetch(lookalike(request))).text()).toBe('sent');
  });

  it('is answered when code in front has read its body, as middleware of Hono does', async () => {
    const onError = vi.fn();
    const request = new Request('http://a.test/x', { method: 'POST', body: 'sent' });
    await request.text();
    expect((await createRequestHandler({ build, onError }).fetch(lookalike(request))).status).toBe(500);
    expect(onError.mock.calls).toEqual([[expect.objectContaining({ code: 'ERR_BODY_CONSUMED' }), expect.anything()]]);
  });
});

describe('a Request with a URL that no Request can have', () => {
  const { fetch } = createRequestHandler({ build });

  for (const url of ['http://u:p@a.test/x', '/x']) {
    it(`is answered with 400: ${url}`, async () => {
      const request = Object.defineProperty(lookalike(new Request('http://a.test/')), 'url', { value: url });
      expect((await fetch(request)).status).toBe(400);
    });
  }
});

it("returns the platform's Response for one that only looks like it", async () => {
  class Lookalike extends Response {}
  const { fetch } = createRequestHandler({
    fetch: () => new Lookalike('body', { status: 201, headers: [['x-a', 'b']] }),
  });
  const response = await fetch(new Request('http://a.test/'));
  expect(Object.getPrototypeOf(response)).toBe(Response.prototype);
  expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'body']);
});

describe('tasks', () => {
  const app = createRequestHandler({
    fetch() {
      runTask(() => task);
      return new Response('answered');
    },
  });
  let task: Promise<void>;

  it('are passed to the host if it accepts them', async () => {
    task = Promise.resolve();
    const given: unknown[] = [];
    await app.fetch(new Request('http://a.test/'), { waitUntil: (promise) => given.push(promise) });
    expect(given).toHaveLength(1);
  });

  it('are awaited by drain() otherwise', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    task = promise;
    await app.fetch(new Request('http://a.test/'));
    let isDrained = false;
    const drained = app.drain().then(() => (isDrained = true));
    await Promise.resolve();
    expect(isDrained).toBe(false);
    resolve();
    await drained;
  });
});

it('passes what the host says about the request to a fetch function', async () => {
  const app = createRequestHandler({
    fetch: (_, { clientAddress, requestId, platform }) => Response.json({ clientAddress, requestId, platform }),
  });
  const context = { clientAddress: '203.0.113.7', requestId: 'of-the-host', region: 'north' };
  expect(await (await app.fetch(new Request('http://a.test/'), context)).json()).toEqual({
    ...context,
    region: undefined,
    platform: context,
  });
});

it('stores jobs, runs them where the engine does, and ends them with drain()', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'appkit-web-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const run = vi.fn(
    (_input: unknown, { signal }: JobRun) =>
      new Promise<void>((resolve) => signal.addEventListener('abort', () => resolve())),
  );
  const job = defineJob({ run });
  Object.assign(job['~job'], { name: 'mail' });
  const { fetch, drain } = createRequestHandler({
    build: {
      manifest: {
        version: 6,
        routes: [{ pattern: '/x', file: 'x.js', methods: ['POST'] }],
        jobs: [{ name: 'mail', file: 'mail.js' }],
      },
      modules: {
        'x.js': () => ({ POST: async () => Response.json(await enqueue(job, 'input')) }),
        'mail.js': () => ({ default: job }),
      },
    },
    jobs: createSqliteJobs({ file: path.join(folder, 'jobs.sqlite') }),
  });
  const response = await fetch(new Request('http://a.test/x', { method: 'POST' }));
  expect(await response.json()).toMatchObject({ duplicate: false });
  await vi.waitFor(() => expect(run).toHaveBeenCalledWith('input', expect.objectContaining({ attempt: 1 })));
  await drain();
  expect(run.mock.calls[0]?.[1].signal.aborted).toBe(true);
});
