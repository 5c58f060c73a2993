import { afterEach, describe, expect, it, vi } from 'vitest';
import { deferTask, environment, runTask } from '../../runtime/index.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { keepBindings } from './bindings.ts';
import { bindings, createRequestHandler } from './index.ts';

type Route = (request: Request) => unknown;

function buildOf(route: Route): ServerBuild {
  return {
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'x.js', methods: ['GET', 'HEAD'] }] },
    modules: { 'x.js': () => ({ GET: route, HEAD: route }) },
  };
}

function createContext(): { waiting: Promise<unknown>[]; waitUntil(promise: Promise<unknown>): void } {
  const waiting: Promise<unknown>[] = [];
  return {
    waiting,
    // Like the platform's own method, it refuses to be called without its object.
    waitUntil(promise) {
      this.waiting.push(promise);
    },
  };
}

afterEach(() => keepBindings(undefined));

describe('fetch', () => {
  it('answers as a bare function', async () => {
    const { fetch } = createRequestHandler({ build: buildOf(() => new Response('hello')) });
    const response = await fetch(new Request('https://app.test/x'), {}, createContext());
    expect(await response.text()).toBe('hello');
  });

  it('answers a request of another Worker, which has no Host header', async () => {
    const { fetch } = createRequestHandler({ build: buildOf((request) => new Response(request.url)) });
    const response = await fetch(new Request('https://app.test/x?y=1'), {}, createContext());
    expect(await response.text()).toBe('https://app.test/x?y=1');
  });

  it('passes tasks to the waitUntil of their own request', async () => {
    const done: string[] = [];
    const route: Route = () => {
      runTask(() => done.push('run'));
      deferTask(() => done.push('deferred'));
      return new Response();
    };
    const { fetch } = createRequestHandler({ build: buildOf(route) });
    const [first, second] = [createContext(), createContext()];
    await fetch(new Request('https://app.test/x'), {}, first);
    await fetch(new Request('https://app.test/x'), {}, second);
    expect([first.waiting.length, second.waiting.length]).toEqual([2, 2]);
    await Promise.all([...first.waiting, ...second.waiting]);
    expect(done.toSorted()).toEqual(['deferred', 'deferred', 'run', 'run']);
  });

  it("reads the environment from the Worker's variable NODE_ENV", async () => {
    const { fetch } = createRequestHandler({ build: buildOf(() => Response.json(environment())) });
    const ask = async (env: unknown): Promise<unknown> =>
      (await fetch(new Request('https://app.test/x'), env, createContext())).json();
    expect(await ask({ NODE_ENV: 'staging' })).toBe('staging');
    expect(await ask({ NODE_ENV: 'production' })).toBe(null);
  });

  it('cancels the stream of an answer to HEAD and keeps its headers', async () => {
    const cancel = vi.fn();
    const body = new ReadableStream({ cancel });
    const { fetch } = createRequestHandler({
      build: buildOf(() => new Response(body, { status: 206, headers: { 'x-kept': 'yes' } })),
    });
    const response = await fetch(new Request('https://app.test/x', { method: 'HEAD' }), {}, createContext());
    expect([response.status, response.headers.get('x-kept'), response.body]).toEqual([206, 'yes', null]);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it('follows a trusted proxy in front of Cloudflare', async () => {
    const build = buildOf((request) => new Response(request.url));
    const headers = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'http' };
    const ask = async (trustProxy: boolean): Promise<string> => {
      const { fetch } = createRequestHandler({ build, trustProxy });
      return (await fetch(new Request('https://app.test/x?y', { headers }), {}, createContext())).text();
    };
    expect(await ask(false)).toBe('https://app.test/x?y');
    expect(await ask(true)).toBe('http://shop.example/x?y');
  });
});

describe('bindings', () => {
  it("passes the Worker's arguments to a route", async () => {
    const env = { GREETING: 'hello' };
    const { fetch } = createRequestHandler({
      build: buildOf(() => new Response(bindings<typeof env>().GREETING)),
    });
    const response = await fetch(new Request('https://app.test/x'), env, createContext());
    expect(await response.text()).toBe('hello');
  });

  it('says where it works when called outside a Worker', () => {
    expect(() => bindings()).toThrow('not in a Cloudflare Worker');
  });
});
