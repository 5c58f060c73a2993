import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { buildOf } from '../../runtime/fixtures/app.ts';
import type { App } from '../../runtime/fixtures/app.ts';
import { createHandler } from '../../runtime/handler.ts';
import type { Handler } from '../../runtime/handler.ts';
import { cache, invalidate } from '../../runtime/index.ts';
import type { CacheRule } from '../../runtime/index.ts';
import type { RequestContext } from '../../runtime/request/context.ts';
import { toHostRequest } from '../../runtime/host.ts';
import { withSharedCache } from './index.ts';
import type { CacheOptions } from './index.ts';
import type { KeptAnswer } from './kept-answer.ts';
import { createMemoryStore } from './memory-store.ts';
import type { CacheStore } from './store.ts';

const origin = 'http://app.test';
const STORE = Symbol.for('appkit.requestContext');
const tasks: Promise<unknown>[] = [];
const waitUntil = (task: Promise<unknown>): void => void tasks.push(task);

beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'] }));
afterEach(() => void vi.useRealTimers());

const later = (seconds: number): void => void vi.setSystemTime(Date.now() + seconds * 1000);

/** An app with one route, and how often that route was called. */
function serve(
  GET: (request: Request) => unknown,
  { settings, ...more }: Partial<App> & { settings?: CacheOptions['cache'] } = {},
): { ask: Ask; handler: Handler; made: () => number } {
  let count = 0;
  const route = (request: Request): unknown => ((count += 1), GET(request));
  const app = {
    usesCache: true,
    routes: { '/posts/[id]': { GET: route, POST: () => new Response('written') } },
    ...more,
  };
  const build = buildOf(app);
  for (const one of build.manifest.routes) one.usesCache = true;
  const handler = withSharedCache(createHandler(build, { onError: () => undefined }), build, { cache: settings });
  const ask: Ask = async (path = '/posts/1', init = {}) =>
    handler(toHostRequest(new Request(origin + path, init)), { waitUntil });
  return { ask, handler, made: () => count };
}

type Ask = (path?: string, init?: RequestInit) => Promise<Response>;

let number = 0;
const numbered =
  (rule: CacheRule, headers: Record<string, string> = {}) =>
  (): Response => {
    cache(rule);
    return new Response(`number ${(number += 1)}`, { headers });
  };

/** A route of which one call never ends. */
function hangs(which: number, rule: CacheRule): () => Promise<Response> {
  let calls = 0;
  return async () => {
    cache(rule);
    const call = ++calls;
    if (call === which) await new Promise(() => undefined);
    return new Response(`call ${call}`);
  };
}

const textOf = async (response: Response | Promise<Response>): Promise<string> => (await response).text();

describe('the shared cache', () => {
  it('makes a new answer after the clock was set back by more than the answer is fresh', async () => {
    const { ask, made } = serve(numbered({ maxAge: 60 }));
    const first = await textOf(ask());
    // As little as the clocks of two machines with one store may differ.
    later(-2);
    expect(await textOf(ask())).toBe(first);
    later(-7200);
    const second = await textOf(ask());
    expect([second === first, made()]).toEqual([false, 2]);
    expect([await textOf(ask()), made()]).toEqual([second, 2]);
  });

  it('sends a fresh answer to the next visitor, and makes a new one after that', async () => {
    const { ask, made } = serve(numbered({ maxAge: 60 }));
    const first = await textOf(ask());
    later(59);
    const second = await ask();
    expect([await textOf(second), second.headers.get('age'), second.headers.get('cache-status')]).toEqual([
      first,
      '59',
      'appkit; hit; ttl=1',
    ]);
    expect(second.headers.get('cache-control')).toBe('public, max-age=0, s-maxage=60');
    later(1);
    expect(await textOf(ask())).not.toBe(first);
    expect(made()).toBe(2);
  });

  it('keeps each URL separately, including its host and its query', async () => {
    const { ask, handler, made } = serve(numbered({ maxAge: 60 }));
    const other = toHostRequest(new Request('http://other.test/posts/1'));
    const texts = [
      await textOf(ask()),
      await textOf(ask('/posts/1?a')),
      await textOf(ask('/posts/2')),
      await textOf(handler(other, {})),
    ];
    expect([new Set(texts).size, made()]).toEqual([4, 4]);
  });

  it('answers HEAD from the answer to GET, and keeps nothing from HEAD', async () => {
    const { ask, made } = serve(numbered({ maxAge: 60 }), { implicitHead: true });
    await ask('/posts/1', { method: 'HEAD' });
    await ask();
    const head = await ask('/posts/1', { method: 'HEAD' });
    expect([head.status, head.headers.get('age'), made()]).toEqual([200, '0', 2]);
  });

  it('keeps one answer for each value of a header that it depends on', async () => {
    const { ask, made } = serve(({ headers }) => {
      cache({ maxAge: 60, vary: ['accept-language'] });
      return new Response(headers.get('accept-language'));
    });
    const inLanguage = (language: string): Promise<string> =>
      textOf(ask('/posts/1', { headers: { 'accept-language': language } }));
    const asked = ['de', 'en', 'de', 'en', 'de,  en', 'de,en'];
    expect(await Promise.all(asked.map(inLanguage))).toEqual([
      'de',
      'en',
      'de',
      'en',
      expect.any(String),
      expect.any(String),
    ]);
    expect(await inLanguage('de')).toBe('de');
    const before = made();
    expect([await inLanguage('en'), await inLanguage('de, en'), made()]).toEqual([
      'en',
      expect.stringContaining('de'),
      before,
    ]);
  });

  it('makes one answer for all requests that arrive at once', async () => {
    const gate = Promise.withResolvers<void>();
    const { ask, made } = serve(async () => {
      cache({ maxAge: 60 });
      await gate.promise;
      return new Response('one for all');
    });
    const asked = Array.from({ length: 100 }, () => textOf(ask()));
    gate.resolve();
    expect([new Set(await Promise.all(asked)).size, made()]).toEqual([1, 1]);
  });

  it('makes no request wait for an answer that turns out to be for another visitor', async () => {
    const { ask, made } = serve(({ headers }) => (cache({ maxAge: 60 }), new Response(headers.get('cookie'))));
    const texts = await Promise.all(['a', 'b', 'c'].map((cookie) => textOf(ask('/posts/1', { headers: { cookie } }))));
    expect([texts, made()]).toEqual([['a', 'b', 'c'], 3]);
  });

  it('makes another answer for those who have waited ten seconds for one', async () => {
    vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
    const { ask, made } = serve(hangs(1, { maxAge: 60 }));
    void ask();
    const waiting = [ask(), ask()];
    await vi.advanceTimersByTimeAsync(9_999);
    expect(made()).toBe(1);
    await vi.advanceTimersByTimeAsync(1);
    expect(await Promise.all(waiting.map(textOf))).toEqual(['call 2', 'call 2']);
    expect([await textOf(ask()), made()]).toEqual(['call 2', 2]);
  });

  it('makes another answer in the background when one has taken ten seconds', async () => {
    const { ask, made } = serve(hangs(2, { maxAge: 60, swr: 600 }));
    await ask();
    later(61);
    expect([await textOf(ask()), await textOf(ask()), made()]).toEqual(['call 1', 'call 1', 2]);
    later(10);
    expect(await textOf(ask())).toBe('call 1');
    await tasks.splice(0).at(-1);
    expect([await textOf(ask()), made()]).toEqual(['call 3', 3]);
  });

  it('sends a stale answer while it makes a new one, once', async () => {
    const { ask, made } = serve(numbered({ maxAge: 60, swr: 600 }));
    const first = await textOf(ask());
    later(61);
    const stale = await Promise.all([ask(), ask(), ask()]);
    expect(await Promise.all(stale.map(textOf))).toEqual([first, first, first]);
    expect(stale[0]?.headers.get('age')).toBe('61');
    await Promise.all(tasks.splice(0));
    expect(await textOf(ask())).not.toBe(first);
    expect(made()).toBe(2);
    later(661);
    const second = made();
    await ask();
    expect(made()).toBe(second + 1);
  });

  it('does not end the process when an answer that is not sent to anyone breaks off', async () => {
    const unhandled = vi.fn();
    process.on('unhandledRejection', unhandled);
    let isBroken = false;
    const { ask } = serve(() => {
      cache({ maxAge: 60, staleIfError: 600 });
      if (!isBroken) return new Response('whole');
      const body = new ReadableStream({ start: (controller) => controller.error(new Error('broken off')) });
      return new Response(body, { status: 503 });
    });
    await ask();
    isBroken = true;
    later(61);
    expect(await textOf(ask())).toBe('whole');
    for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
    process.off('unhandledRejection', unhandled);
    expect(unhandled.mock.calls).toEqual([]);
  });

  it('keeps nothing that a route has made of a copy of the request', async () => {
    const { ask } = serve((request) => {
      cache({ maxAge: 60, swr: 60 });
      return new Response(new Request(request).headers.get('x-user'));
    });
    const askAs = (user: string): Promise<string> => textOf(ask('/posts/1', { headers: { 'x-user': user } }));
    expect([await askAs('ada'), await askAs('bob'), await askAs('eve')]).toEqual(['ada', 'bob', 'eve']);
  });

  it('sends a stale answer when making a new one fails', async () => {
    let isBroken = false;
    const GET = (): Response => {
      cache({ maxAge: 60, staleIfError: 600 });
      if (isBroken) throw new Error('broken');
      return new Response('whole');
    };
    const { ask } = serve(GET, { implicitHead: true });
    await ask();
    isBroken = true;
    later(61);
    const stale = await ask();
    expect([stale.status, await stale.text(), stale.headers.get('age')]).toEqual([200, 'whole', '61']);
    const head = await ask('/posts/1', { method: 'HEAD' });
    expect([head.status, head.headers.get('age')]).toEqual([200, '61']);
    later(600);
    expect((await ask()).status).toBe(500);
  });

  it('keeps no failure, no answer with a cookie, and none to a request with Authorization', async () => {
    const failing = serve(() => (cache({ maxAge: 60 }), new Response('', { status: 503 })));
    await failing.ask();
    await failing.ask();
    const setting = serve(numbered({ maxAge: 60 }, { 'set-cookie': 'a=1' }));
    await setting.ask();
    await setting.ask();
    const plain = serve(numbered({ maxAge: 60 }));
    await plain.ask();
    await plain.ask('/posts/1', { headers: { authorization: 'Basic YTpi' } });
    await plain.ask('/posts/1', { headers: { authorization: 'Basic YTpi' } });
    expect([failing.made(), setting.made(), plain.made()]).toEqual([2, 2, 3]);
  });

  it('does not share what a stream has made from a header that it reads late', async () => {
    const { ask, made } = serve(({ headers }) => {
      cache({ maxAge: 60 });
      const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
        await new Promise((resolve) => setImmediate(resolve));
        controller.enqueue(new TextEncoder().encode(String(headers.get('cookie'))));
        controller.close();
      };
      return new Response(new ReadableStream({ pull }));
    });
    const first = await ask('/posts/1', { headers: { cookie: 'ada' } });
    expect(first.headers.get('cdn-cache-control')).toBe('public, max-age=60');
    await expect(first.text()).rejects.toMatchObject({ code: 'ERR_HEADER_LATE' });
    await expect(textOf(ask())).rejects.toMatchObject({ code: 'ERR_HEADER_LATE' });
    expect(made()).toBe(2);
  });

  it('cannot be filled through a header that the answer does not name', async () => {
    const { ask, made } = serve(({ headers }) => {
      cache({ maxAge: 60 });
      return new Response(`<script src="//${headers.get('x-forwarded-host') ?? 'own'}">`);
    });
    await ask('/posts/1', { headers: { 'x-forwarded-host': 'evil' } });
    expect([await textOf(ask()), made()]).toEqual(['<script src="//own">', 2]);
  });

  it('answers 304 to a client that already has the kept answer', async () => {
    const { ask, made } = serve(numbered({ maxAge: 60 }, { etag: '"v1"' }));
    await ask();
    const known = await ask('/posts/1', { headers: { 'if-none-match': 'W/"v1"' } });
    expect([
      known.status,
      await known.text(),
      known.headers.get('etag'),
      known.headers.get('content-type'),
      made(),
    ]).toEqual([304, '', '"v1"', null, 1]);
    expect((await ask('/posts/1', { headers: { 'if-none-match': '"v2"' } })).status).toBe(200);
  });

  it('revalidates an answer that is no longer fresh, and keeps it when it is confirmed', async () => {
    const conditions: (string | null)[] = [];
    const { ask } = serve(({ headers }) => {
      cache({ maxAge: 60 });
      const known = headers.get('if-none-match');
      conditions.push(known);
      const own = { etag: '"v1"', 'x-time': String(conditions.length) };
      return known === '"v1"'
        ? new Response(null, { status: 304, headers: own })
        : new Response('body', { headers: own });
    });
    await ask();
    later(61);
    const validated = await ask();
    expect([validated.status, await validated.text(), validated.headers.get('x-time')]).toEqual([200, 'body', '2']);
    later(59);
    const again = await ask();
    expect([await again.text(), again.headers.get('x-time'), again.headers.get('age')]).toEqual(['body', '2', '59']);
    later(2);
    expect((await ask('/posts/1', { headers: { 'if-none-match': '"v1"' } })).status).toBe(304);
    expect(conditions).toEqual([null, '"v1"', '"v1"']);
  });

  it('sends the complete answer when it is confirmed, even if the confirmation is not for others', async () => {
    let count = 0;
    const { ask } = serve(() => {
      if ((count += 1) > 1) return new Response(null, { status: 304, headers: { etag: '"v1"' } });
      cache({ maxAge: 60 });
      return new Response('body', { headers: { etag: '"v1"' } });
    });
    await ask();
    later(61);
    expect([await textOf(ask()), await textOf(ask()), count]).toEqual(['body', 'body', 3]);
  });

  it('answers a visitor separately once the answer is no longer for all', async () => {
    let isPublic = true;
    const { ask, made } = serve(({ headers }) => {
      cache({ maxAge: 60 });
      const own = { etag: '"v1"' };
      if (isPublic) return new Response('for all', { headers: own });
      return new Response(`for ${headers.get('cookie')}`, { headers: own });
    });
    await ask();
    isPublic = false;
    later(61);
    const withCookie = (): Promise<string> => textOf(ask('/posts/1', { headers: { cookie: 'ada' } }));
    expect(await withCookie()).toBe('for ada');
    const before = made();
    expect([await withCookie(), made()]).toEqual(['for ada', before + 1]);
  });

  it('does not keep an answer because making it involved a request for another one', async () => {
    const inner = { GET: (): Response => (cache({ maxAge: 60 }), new Response('inner')) };
    const GET = async (): Promise<Response> => {
      const context = (globalThis as unknown as Record<symbol, { getStore(): RequestContext }>)[STORE]?.getStore();
      const response = await context?.dispatch(new Request(`${origin}/inner`));
      return new Response(`${await response?.text()} ${(number += 1)}`, { headers: { etag: '"v1"' } });
    };
    const { ask } = serve(GET, { routes: { '/posts/[id]': { GET }, '/inner': inner } });
    const first = await ask();
    expect([await first.text(), first.headers.get('cache-status')]).toEqual([expect.stringMatching(/^inner \d/), null]);
    expect((await ask()).headers.get('cache-status')).toBe(null);
  });

  it('keeps nothing that varies by everything or has an invalid age', async () => {
    const varying = serve(numbered({ maxAge: 60 }, { vary: 'accept, *' }));
    const ageless = serve(numbered({ maxAge: 60 }, { age: '-1' }));
    for (const { ask } of [varying, ageless]) for (let times = 0; times < 2; times++) await ask();
    expect([varying.made(), ageless.made()]).toEqual([2, 2]);
  });

  it('streams to the first client part by part, and keeps the stream once it has ended', async () => {
    let source: ReadableStreamDefaultController<Uint8Array> | undefined;
    const { ask, made } = serve(() => {
      cache({ maxAge: 60 });
      return new Response(new ReadableStream({ start: (controller) => void (source = controller) }));
    });
    const reader = (await ask()).body?.getReader();
    source?.enqueue(new TextEncoder().encode('one '));
    expect(new TextDecoder().decode((await reader?.read())?.value)).toBe('one ');
    const second = textOf(ask());
    source?.enqueue(new TextEncoder().encode('two'));
    source?.close();
    expect([await second, made()]).toEqual(['one two', 1]);
  });

  describe('while an answer is being streamed', () => {
    /** A route that streams what the test enqueues, and its first client, which has the first part. */
    async function stream(
      settings?: CacheOptions['cache'],
      headers: Record<string, string> = {},
    ): Promise<{
      ask: Ask;
      made: () => number;
      send: (text: string) => void;
      source: ReadableStreamDefaultController<Uint8Array>;
      signal: AbortSignal;
      client: AbortController;
      first: ReadableStreamDefaultReader<Uint8Array>;
      /** Resolves when a stream of the route has been cancelled. */
      cancelled: Promise<void>;
    }> {
      const { promise: cancelled, resolve: cancel } = Promise.withResolvers<void>();
      const client = new AbortController();
      let source: ReadableStreamDefaultController<Uint8Array> | undefined;
      let signal: AbortSignal | undefined;
      const { ask, made } = serve(
        (request) => {
          cache({ maxAge: 60, tags: ['posts'], vary: ['x-version'] });
          signal = request.signal;
          const start = (controller: ReadableStreamDefaultController<Uint8Array>): void => {
            source = controller;
            controller.enqueue(new TextEncoder().encode(`${made()} `));
          };
          return new Response(new ReadableStream({ start, cancel: () => cancel() }), { headers });
        },
        { settings },
      );
      const first = (await ask('/posts/1', { signal: client.signal })).body?.getReader();
      if (!first || !source || !signal) throw new Error('The route was not called.');
      await first.read();
      const send = (text: string): void => source?.enqueue(new TextEncoder().encode(text));
      return { ask, made, send, source, signal, client, first, cancelled };
    }

    it('streams it from its beginning to each request that arrives meanwhile', async () => {
      const { ask, made, send, source, first } = await stream();
      const others = await Promise.all(Array.from({ length: 100 }, () => ask()));
      send('two');
      expect(new TextDecoder().decode((await first.read()).value)).toBe('two');
      source.close();
      expect(new Set(await Promise.all(others.map(textOf)))).toEqual(new Set(['1 two']));
      expect([made(), others[0]?.headers.get('cache-status')]).toEqual([1, 'appkit; fwd=miss; collapsed']);
      // It is kept.
      expect([await textOf(ask()), made()]).toEqual(['1 two', 1]);
    });

    it('goes on for the others when the client that it was begun for leaves', async () => {
      const { ask, made, send, source, signal, client, first } = await stream();
      const other = await ask();
      client.abort();
      await first.cancel();
      send('two');
      source.close();
      expect([await textOf(other), signal.aborted, made()]).toEqual(['1 two', false, 1]);
    });

    it('tells the app when the client leaves and nobody else waits', async () => {
      const { signal, client } = await stream();
      client.abort('left');
      expect([signal.aborted, signal.reason]).toEqual([true, 'left']);
    });

    it('is cancelled when its last client leaves, and made again for who asks next', async () => {
      const { ask, made, cancelled, first } = await stream();
      const other = (await ask()).body;
      await first.cancel();
      const next = await ask();
      expect(made()).toBe(1);
      await other?.cancel();
      await next.body?.cancel();
      await cancelled;
      await ask();
      expect(made()).toBe(2);
    });

    it('goes on when its last client leaves while others wait for it', async () => {
      const { ask, made, source, first } = await stream();
      const waiting = textOf(ask());
      await first.cancel();
      source.close();
      expect([await waiting, made()]).toEqual(['1 ', 1]);
    });

    it('is cancelled when those who waited as its last client left do not want it', async () => {
      const { ask, made, cancelled, first } = await stream();
      const waiting = ask('/posts/1', { headers: { 'x-version': '2' } });
      await first.cancel();
      expect((await waiting).status).toBe(200);
      await cancelled;
      expect(made()).toBe(2);
    });

    it('breaks off for all when the app breaks it off', async () => {
      const { ask, source } = await stream();
      const other = await ask();
      source.error(new Error('broken off'));
      await expect(other.text()).rejects.toThrow('broken off');
    });

    it('makes another one for who asks after an invalidation, or with other headers', async () => {
      const { ask, made, source } = await stream();
      const version = await ask('/posts/1', { headers: { 'x-version': '2' } });
      expect(made()).toBe(2);
      await ask('/posts/1', { method: 'POST' });
      const later = await ask();
      expect(made()).toBe(3);
      source.close();
      for (const { body } of [version, later]) await body?.cancel();
    });

    it('makes another one for who asks a second after its first part', async () => {
      vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'] });
      const { ask, made } = await stream();
      vi.advanceTimersByTime(999);
      await ask();
      expect(made()).toBe(1);
      vi.advanceTimersByTime(1);
      await ask();
      expect(made()).toBe(2);
    });

    it('reads no faster than the slowest client beyond what can be kept, and shares that no more', async () => {
      const { ask, made, send, source, first } = await stream({ maxBytes: 40 });
      const slow = (await ask()).body?.getReader();
      send('more than ten bytes');
      await first.read();
      const wanted = source.desiredSize;
      send('and more');
      const next = first.read();
      await (await ask()).body?.cancel();
      expect([made(), source.desiredSize]).toEqual([2, (wanted ?? 0) - 1]);
      for (const text of ['1 ', 'more than ten bytes']) {
        expect(new TextDecoder().decode((await slow?.read())?.value)).toBe(text);
      }
      expect(new TextDecoder().decode((await next).value)).toBe('and more');
      await slow?.cancel();
      source.close();
      expect((await first.read()).done).toBe(true);
    });
  });

  it('lets other instances make their own answer while a stream is open', async () => {
    const unlocked = Promise.withResolvers<void>();
    const lock = async (): Promise<() => Promise<void>> => async () => unlocked.resolve();
    const store: CacheStore = { ...createMemoryStore(1024 * 1024), lock, waitFor: () => unlocked.promise };
    const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
      controller.enqueue(new TextEncoder().encode('first'));
    const { ask } = serve(() => (cache({ maxAge: 60 }), new Response(new ReadableStream({ start }))), {
      settings: { store },
    });
    expect((await ask()).status).toBe(200);
    await unlocked.promise;
  });

  it("keeps no event streams, and makes no request wait for another's", async () => {
    const { ask, made } = serve(() => {
      cache({ maxAge: 60 });
      return new Response('data: one\n\n', { headers: { 'content-type': 'text/event-stream; charset=utf-8' } });
    });
    const { headers } = await ask();
    expect([headers.get('cache-control'), headers.get('cdn-cache-control')]).toEqual(['private, no-cache', null]);
    await ask();
    expect(made()).toBe(2);
  });

  it('makes the answer for those who wait although the client that it was begun for leaves', async () => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const { ask, made } = serve(async ({ signal }) => {
      cache({ maxAge: 60 });
      begun.resolve();
      await gate.promise;
      signal.throwIfAborted();
      return new Response('whole');
    });
    const client = new AbortController();
    const first = ask('/posts/1', { signal: client.signal });
    await begun.promise;
    const waiting = Array.from({ length: 50 }, () => textOf(ask()));
    client.abort();
    gate.resolve();
    await first;
    expect(new Set(await Promise.all(waiting))).toEqual(new Set(['whole']));
    expect(made()).toBe(1);
  });

  it('lets who asks next make the answer when the client has left before', async () => {
    const begun = Promise.withResolvers<void>();
    const { ask, made } = serve(async ({ signal }) => {
      cache({ maxAge: 60 });
      if (made() > 1) return new Response('whole');
      begun.resolve();
      await new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason as Error)));
      return new Response('never');
    });
    const client = new AbortController();
    const first = ask('/posts/1', { signal: client.signal });
    await begun.promise;
    client.abort();
    const next = textOf(ask());
    await first;
    expect([await next, made()]).toEqual(['whole', 2]);
  });

  it('keeps no stream that breaks off', async () => {
    let [isBroken, isAtOnce] = [true, false];
    const { ask, made } = serve(() => {
      cache({ maxAge: 60 });
      if (!isBroken) return new Response('whole');
      return new Response(
        new ReadableStream({
          async pull(controller) {
            if (!isAtOnce) await new Promise((resolve) => setTimeout(resolve));
            controller.error(new Error('broken off'));
          },
        }),
      );
    });
    await expect(textOf(ask())).rejects.toThrow('broken off');
    isAtOnce = true;
    await expect(textOf(ask())).rejects.toThrow('broken off');
    isBroken = false;
    expect([await textOf(ask()), made()]).toEqual(['whole', 3]);
  });

  it('evicts the oldest answer when the store is full, and keeps nothing that would fill it alone', async () => {
    const { ask, made } = serve(
      ({ url }) => (cache({ maxAge: 60 }), new Response('x'.repeat(url.includes('large') ? 9000 : 1000))),
      { settings: { maxBytes: 20_000 } },
    );
    for (let id = 0; id < 20; id++) await ask(`/posts/${id}`);
    expect(made()).toBe(20);
    await ask('/posts/19');
    expect(made()).toBe(20);
    await ask('/posts/0');
    expect(made()).toBe(21);
    await ask('/posts/large');
    expect((await textOf(ask('/posts/large'))).length).toBe(9000);
    expect(made()).toBe(23);
  });

  it('keeps no more of a large buffer than the body that is a part of it', async () => {
    const store = createMemoryStore(20_000);
    const part = new Uint8Array(65_536).fill(120).subarray(0, 100);
    const source = {
      start: (controller: ReadableStreamDefaultController) => (controller.enqueue(part), controller.close()),
    };
    const { ask, made } = serve(() => (cache({ maxAge: 60 }), new Response(new ReadableStream(source))), {
      settings: { store },
    });
    expect(await textOf(ask())).toBe(await textOf(ask()));
    expect(made()).toBe(1);
    const kept = (await store.get(`${origin}/posts/1`)) as KeptAnswer;
    expect([kept.body.byteLength, kept.body.buffer.byteLength]).toEqual([100, 100]);
  });

  it('is off when the option cache is false, and refuses an invalid value', () => {
    const build = buildOf({ usesCache: true });
    const handler = createHandler(build);
    expect(withSharedCache(handler, build, { cache: false })).toBe(handler);
    expect(withSharedCache(handler, buildOf({}), {})).toBe(handler);
    for (const cache of [true, { maxBytes: -1 }, { store: {} }]) {
      expect(() => withSharedCache(handler, build, { cache: cache as false })).toThrow('The option cache is neither');
    }
  });
});

describe('invalidate()', () => {
  const invalidating = {
    POST: async ({ url }: Request) => {
      await invalidate(new URL(url).searchParams.get('what') ?? '');
      return new Response('done');
    },
  };
  const serveTagged = (): ReturnType<typeof serve> => {
    const GET = (): Response => (cache({ maxAge: 60, tags: ['posts'] }), new Response(`number ${(number += 1)}`));
    return serve(GET, { routes: { '/posts/[id]': { GET }, '/invalidate': invalidating } });
  };

  it('invalidates by tag and by path, whatever the query', async () => {
    const { ask } = serveTagged();
    const texts = async (): Promise<string[]> =>
      Promise.all(['/posts/1', '/posts/1?a', '/posts/2'].map((path) => textOf(ask(path))));
    const first = await texts();
    expect(await texts()).toEqual(first);
    await ask('/invalidate?what=/posts/1', { method: 'POST' });
    const second = await texts();
    expect(second.map((text, index) => text === first[index])).toEqual([false, false, true]);
    await ask('/invalidate?what=posts', { method: 'POST' });
    const third = await texts();
    expect(third.map((text, index) => text === second[index])).toEqual([false, false, false]);
    await ask('/invalidate?what=other', { method: 'POST' });
    expect(await texts()).toEqual(third);
  });

  it('neither keeps nor shares an answer that is invalidated while it is being made', async () => {
    let value = 'old';
    const gates: PromiseWithResolvers<void>[] = [];
    const GET = async (): Promise<Response> => {
      const read = value;
      cache({ maxAge: 60, tags: ['posts'] });
      const gate = Promise.withResolvers<void>();
      gates.push(gate);
      await gate.promise;
      return new Response(read);
    };
    const { ask } = serve(GET, { routes: { '/posts/[id]': { GET }, '/invalidate': invalidating } });
    const before = textOf(ask());
    await vi.waitFor(() => expect(gates.length).toBe(1));
    value = 'new';
    await ask('/invalidate?what=posts', { method: 'POST' });
    const after = textOf(ask());
    await vi.waitFor(() => expect(gates.length).toBe(2));
    gates[1]?.resolve();
    expect(await after).toBe('new');
    gates[0]?.resolve();
    expect(await before).toBe('old');
    expect(await textOf(ask())).toBe('new');
    expect(gates.length).toBe(2);
  });

  it('leaves answers for other paths alone while they are being made', async () => {
    const gate = Promise.withResolvers<void>();
    const GET = async (): Promise<Response> => {
      cache({ maxAge: 60, tags: ['posts'] });
      await gate.promise;
      return new Response(`number ${(number += 1)}`);
    };
    const { ask } = serve(GET, { routes: { '/posts/[id]': { GET }, '/beacon': { POST: () => new Response() } } });
    const asked: Promise<string>[] = [];
    for (let times = 0; times < 20; times++) {
      asked.push(textOf(ask()));
      await ask('/beacon', { method: 'POST' });
    }
    gate.resolve();
    expect(new Set(await Promise.all(asked)).size).toBe(1);
  });

  it('leaves alone an answer that is being made again with other tags, unless it now has this one', async () => {
    let gate = Promise.resolve();
    let tag = 'posts';
    const texts = async (): Promise<string> => {
      cache({ maxAge: 60, staleIfError: 600, tags: [tag] });
      const text = `number ${(number += 1)}`;
      await gate;
      return text;
    };
    const GET = async (): Promise<Response> => new Response(await texts());
    const { ask } = serve(GET, { routes: { '/posts/[id]': { GET }, '/invalidate': invalidating } });
    const makeAgain = async (): Promise<string[]> => {
      const { promise, resolve } = Promise.withResolvers<void>();
      gate = promise;
      later(61);
      const before = number;
      const first = textOf(ask());
      await vi.waitFor(() => expect(number).toBe(before + 1));
      await ask('/invalidate?what=other', { method: 'POST' });
      const second = textOf(ask());
      resolve();
      return Promise.all([first, second]);
    };
    await ask('/posts/1');
    // The tags of every kept answer that can still be requested are known.
    const [one, other] = await makeAgain();
    expect(other).toBe(one);
    tag = 'other';
    const [old, young] = await makeAgain();
    expect(young).not.toBe(old);
  });

  it('streams to nobody else what has a tag that was invalidated before they asked', async () => {
    let tag = 'posts';
    const GET = (): Response => {
      number += 1;
      cache({ maxAge: 60, staleIfError: 600, tags: [tag] });
      const start = (controller: ReadableStreamDefaultController<Uint8Array>): void =>
        controller.enqueue(new TextEncoder().encode(tag));
      return new Response(tag === 'posts' ? tag : new ReadableStream({ start }));
    };
    const { ask } = serve(GET, { routes: { '/posts/[id]': { GET }, '/invalidate': invalidating } });
    await ask();
    later(61);
    tag = 'other';
    await ask();
    const before = number;
    await ask();
    expect(number).toBe(before);
    await ask('/invalidate?what=other', { method: 'POST' });
    await ask();
    expect(number).toBe(before + 1);
  });

  it('follows a write to the URL that its answer names, unless that is on another host', async () => {
    const places: Record<string, string> = { a: '/posts/new', b: 'http://other.test/posts/new' };
    const GET = numbered({ maxAge: 60 });
    const POST = ({ url }: Request): Response =>
      new Response(null, { status: 201, headers: { location: places[url.at(-1) ?? ''] ?? '' } });
    const { ask } = serve(GET, { routes: { '/posts/[id]': { GET }, '/write': { POST } } });
    const first = await textOf(ask('/posts/new'));
    await ask('/write?b', { method: 'POST' });
    expect(await textOf(ask('/posts/new'))).toBe(first);
    await ask('/write?a', { method: 'POST' });
    expect(await textOf(ask('/posts/new'))).not.toBe(first);
  });

  it('follows a write to the same path', async () => {
    const { ask, made } = serve(numbered({ maxAge: 60 }));
    await ask();
    await ask('/posts/1', { method: 'POST', body: 'x' });
    await ask();
    expect(made()).toBe(2);
  });
});
