import { describe, expect, it, vi } from 'vitest';
import { buildOf, handlerOf } from './fixtures/app.ts';
import type { App } from './fixtures/app.ts';
import { createHandler } from './handler.ts';
import { cache, deferTask, invalidate, nonce, origin, setResponseHeaders } from './index.ts';
import { StatusError } from './http/status-error.ts';

const url = 'http://app.test/posts/1?page=2';
const kept = { 'cache-control': 'public, max-age=0, s-maxage=60', 'cdn-cache-control': 'public, max-age=60' };
const personal = { 'cache-control': 'private, no-cache' };

type Get = (request: Request) => unknown;

/** The headers of an answer that are about caches. */
async function answer(GET: Get, init: RequestInit = {}, app: Partial<App> = {}): Promise<Record<string, string>> {
  const handler = handlerOf({ usesCache: true, routes: { '/posts/[id]': { GET, HEAD: GET, POST: GET } }, ...app });
  const { headers } = await handler(new Request(url, init));
  return Object.fromEntries([...headers].filter(([name]) => /cache-control|vary/.test(name)));
}

const text = (headers: Record<string, string> = {}): Response =>
  new Response('text', { headers: { 'content-type': 'text/plain', ...headers } });

describe('cache()', () => {
  it('tells shared caches how long an answer is fresh, and browsers to ask again', async () => {
    expect(await answer(() => (cache({ maxAge: 60 }), text()))).toEqual(kept);
  });

  it('tells caches of a CDN for how long a stale answer may be given', async () => {
    const headers = await answer(() => (cache({ maxAge: 60, swr: 600, staleIfError: 3600 }), text()));
    expect(headers).toEqual({
      ...kept,
      'cdn-cache-control': 'public, max-age=60, stale-while-revalidate=600, stale-if-error=3600',
    });
  });

  it('adds to Vary what the answer depends on', async () => {
    const get: Get = () => (cache({ maxAge: 60, vary: ['Accept-Language', 'X-A'] }), text({ vary: 'x-a' }));
    expect(await answer(get)).toEqual({ ...kept, vary: 'x-a, accept-language' });
  });

  it('keeps the shortest of several times, and all that an answer depends on', async () => {
    const headers = await answer(() => {
      cache({ maxAge: 600, swr: 5, vary: ['a'] });
      cache({ maxAge: 60, swr: 50, vary: ['b'] });
      return text();
    });
    expect(headers).toEqual({
      'cache-control': 'public, max-age=0, s-maxage=60',
      'cdn-cache-control': 'public, max-age=60, stale-while-revalidate=5',
      vary: 'a, b',
    });
  });

  it('has false win over every other call', async () => {
    expect(await answer(() => (cache(false), cache({ maxAge: 60 }), text()))).toEqual(personal);
    expect(await answer(() => (cache({ maxAge: 60 }), cache(false), text()))).toEqual(personal);
  });

  it('leaves the Cache-Control of the answer itself to browsers', async () => {
    const get: Get = () => (cache({ maxAge: 60 }), text({ 'cache-control': 'public, max-age=5' }));
    expect(await answer(get)).toEqual({ ...kept, 'cache-control': 'public, max-age=5' });
  });

  it('replaces the Cache-Control that the config has for every answer', async () => {
    const headers = { 'Cache-Control': 'private, max-age=3' };
    expect(await answer(() => (cache({ maxAge: 60 }), text()), {}, { headers })).toEqual(kept);
  });

  it.each(['private', 'no-store', 'public, no-cache'])('keeps nothing whose own Cache-Control is %s', async (own) => {
    expect(await answer(() => (cache({ maxAge: 60 }), text({ 'cache-control': own })))).toEqual({
      'cache-control': own,
    });
  });

  it('keeps nothing that sets a cookie, however it does', async () => {
    expect(await answer(() => (cache({ maxAge: 60 }), text({ 'set-cookie': 'a=1' })))).toEqual(personal);
    const late: Get = () => (cache({ maxAge: 60 }), setResponseHeaders({ 'set-cookie': 'a=1' }), text());
    expect(await answer(late)).toEqual(personal);
  });

  it('keeps no failure, no part and nothing that varies by everything', async () => {
    const withStatus =
      (status: number): Get =>
      () => (cache({ maxAge: 60 }), new Response('', { status }));
    for (const status of [206, 400, 404, 500, 503]) expect(await answer(withStatus(status))).toEqual(personal);
    const failing: Get = () => {
      cache({ maxAge: 60 });
      throw new StatusError(503);
    };
    expect(await answer(failing)).toEqual(personal);
    expect(await answer(() => (cache({ maxAge: 60 }), text({ vary: '*' })))).toEqual({ ...personal, vary: '*' });
  });

  it('says nothing of an answer to another method than GET and HEAD', async () => {
    const get: Get = () => (cache({ maxAge: 60 }), text());
    expect(await answer(get, { method: 'POST' })).toEqual({});
    expect(await answer(get, { method: 'HEAD' })).toEqual(kept);
  });

  it('is for the answer of a rule by path too, beside what the route says', async () => {
    const rules = [{ source: '/posts/[...rest]', maxAge: 60, swr: 5, vary: ['a'] }];
    expect(await answer(() => text(), {}, { cache: rules })).toEqual({
      'cache-control': 'public, max-age=0, s-maxage=60',
      'cdn-cache-control': 'public, max-age=60, stale-while-revalidate=5',
      vary: 'a',
    });
    expect(await answer(() => (cache(false), text()), {}, { cache: rules })).toEqual(personal);
  });

  it('gives the host the rule and its tags, in front the path below the mount', async () => {
    const GET: Get = () => (cache({ maxAge: 60, tags: ['posts', 'b'] }), text());
    const handler = createHandler(buildOf({ usesCache: true, routes: { '/[...all]': { GET } } }));
    const onKept = vi.fn();
    const toCacheHeaders = (rule: { maxAge: number }, tags: readonly string[]): Record<string, string> => ({
      'x-host': `${rule.maxAge} ${tags.join()}`,
    });
    const request = new Request('http://app.test/sub/caf%c3%a9,/');
    const { headers } = await handler(request, { basePath: '/sub', onKept, toCacheHeaders });
    expect(headers.get('x-host')).toBe('60 /caf%C3%A9%2C,posts,b');
    expect(onKept.mock.calls).toEqual([[['/caf%C3%A9%2C', 'posts', 'b']]]);
  });

  it('refuses what is no rule, naming it', async () => {
    const messageOf = async (rule: unknown): Promise<string> => {
      const onError = vi.fn();
      const app = { routes: { '/posts/[id]': { GET: () => (cache(rule as false), text()) } } };
      await handlerOf(app, { onError })(new Request(url));
      const error: unknown = onError.mock.calls[0]?.[0];
      expect(error).toMatchObject({ code: 'ERR_CACHE_INVALID' });
      return String(error).replace(/^TypeError: /, '');
    };
    expect(await messageOf(null)).toMatch(/^cache\(\) was given null\. /);
    expect(await messageOf({})).toMatch(/^cache\(\) was given no maxAge\. /);
    expect(await messageOf({ maxAge: 1.5 })).toMatch(/^cache\(\) was given 1\.5 as maxAge\. /);
    expect(await messageOf({ maxAge: 1, swr: -1 })).toMatch(/^cache\(\) was given -1 as swr\. /);
    expect(await messageOf({ maxAge: 1, ttl: 1 })).toMatch(/^cache\(\) was given ttl, which it does not know\. /);
    expect(await messageOf({ maxAge: 1, tags: 'a' })).toMatch(/^cache\(\) was given a as tags\. /);
    for (const tag of ['', 'a b', 'a,b', '/a', 'é']) {
      expect(await messageOf({ maxAge: 1, tags: [tag] })).toContain(`was given ${JSON.stringify(tag)} in tags.`);
    }
    expect(await messageOf({ maxAge: 1, vary: ['a b'] })).toContain('was given "a b" in vary.');
  });
});

describe('an answer that may be kept', () => {
  interface Late {
    seen: unknown;
    /** What `onError` was called with. */
    codes: unknown[];
    /** What the client has got, or the code of the error with which it broke off. */
    body: unknown;
    hasFailed: boolean;
  }

  /** Has an answer made, and looks at its request while it is on its way. */
  async function lookLate(
    look: (request: Request) => unknown,
    { rule = {}, isStream = true }: { rule?: { vary?: string[] } | false; isStream?: boolean } = {},
  ): Promise<Late> {
    const late: Late = { seen: 'nothing', codes: [], body: undefined, hasFailed: false };
    const looked = Promise.withResolvers<void>();
    const GET: Get = (request) => {
      cache(rule && { maxAge: 60, ...rule });
      // In the context of the request, as code that nobody awaits.
      const sent = new Promise((resolve) => setTimeout(resolve)).then(() => void (late.seen = look(request)));
      void sent.then(looked.resolve, looked.reject);
      return isStream
        ? new Response(new ReadableStream({ pull: (to) => sent.then(() => (to.enqueue(bytes), to.close())) }))
        : text();
    };
    const onError = (error: unknown): void => void late.codes.push((error as { code?: unknown }).code);
    const handler = handlerOf({ usesCache: true, routes: { '/posts/[id]': { GET } } }, { onError });
    const request = new Request(url, { headers: { cookie: 'a=1', origin: 'https://a.test' } });
    const response = await handler(request, { onFailure: () => void (late.hasFailed = true) });
    late.body = await response.text().catch((error: unknown) => (error as { code?: unknown }).code);
    await looked.promise;
    return late;
  }
  const bytes = new TextEncoder().encode('late');
  const brokenOff = { codes: ['ERR_HEADER_LATE'], body: 'ERR_HEADER_LATE', hasFailed: true };

  it('is broken off when what it streams may depend on a header, and onError is told', async () => {
    expect(await lookLate(({ headers }) => headers.get('Cookie'))).toEqual({ ...brokenOff, seen: 'a=1' });
    expect(await lookLate(({ headers }) => headers.has('x-a'))).toEqual({ ...brokenOff, seen: false });
    expect(await lookLate(({ headers }) => [...headers].length)).toEqual({ ...brokenOff, seen: 2 });
    expect(await lookLate(() => origin())).toEqual({ ...brokenOff, seen: 'https://a.test' });
    expect(await lookLate(() => typeof nonce())).toEqual({ ...brokenOff, seen: 'string' });
  });

  it('lets be looked at what it names, what changes its form alone, and all of one that is not kept', async () => {
    const whole = { codes: [], body: 'late', hasFailed: false };
    expect(await lookLate(({ headers }) => headers.get('cookie'), { rule: { vary: ['cookie'] } })).toEqual({
      ...whole,
      seen: 'a=1',
    });
    expect(await lookLate(({ headers }) => headers.get('range'))).toEqual({ ...whole, seen: null });
    expect(await lookLate(({ headers }) => headers.get('cookie'), { rule: false })).toEqual({ ...whole, seen: 'a=1' });
  });

  it('stays as it is when all of it was there before, whatever is looked at later', async () => {
    const whole = { codes: [], body: 'text', hasFailed: false };
    expect(await lookLate(({ headers }) => headers.get('cookie'), { isStream: false })).toEqual({
      ...whole,
      seen: 'a=1',
    });
    expect(await lookLate(() => origin(), { isStream: false })).toEqual({ ...whole, seen: 'https://a.test' });
  });

  it('lets tasks and hooks look at all headers after it', async () => {
    const seen: unknown[] = [];
    const done = Promise.withResolvers<void>();
    const GET: Get = ({ headers }) => {
      cache({ maxAge: 60 });
      deferTask(async () => {
        await undefined;
        seen.push(['task', headers.get('user-agent')]);
        done.resolve();
        throw new Error('for onError');
      });
      return text();
    };
    const look =
      (name: string) =>
      ({ request }: { request: Request }): void =>
        void seen.push([name, request.headers.get('user-agent')]);
    const errors = Promise.withResolvers<void>();
    const handler = handlerOf(
      { usesCache: true, routes: { '/posts/[id]': { GET } } },
      {
        onRequest: look('onRequest'),
        onResponse: look('onResponse'),
        onError: (_, request) => (look('onError')({ request }), errors.resolve()),
      },
    );
    const { headers } = await handler(new Request(url, { headers: { 'user-agent': 'a' } }));
    await Promise.all([done.promise, errors.promise]);
    expect(headers.get('cdn-cache-control')).toBe('public, max-age=60');
    expect(seen).toEqual(['onRequest', 'onResponse', 'task', 'onError'].map((name) => [name, 'a']));
  });
});

describe('an answer is for nobody else', () => {
  const cookie = { headers: { cookie: 'a=1' } };
  const read =
    (look: Get, rule: { vary?: string[] } = {}): Get =>
    (request) => (look(request), cache({ maxAge: 60, ...rule }), text());

  it('when the route has looked for a cookie, whether or not there is one', async () => {
    const get = read(({ headers }) => headers.get('Cookie'));
    expect(await answer(get)).toEqual(personal);
    expect(await answer(get, cookie)).toEqual(personal);
    expect(
      await answer(
        read(({ headers }) => headers.get('cookie'), { vary: ['Cookie'] }),
        cookie,
      ),
    ).toEqual({
      ...kept,
      vary: 'cookie',
    });
  });

  it('when it has copied the request, whose copy nobody watches', async () => {
    const get: Get = (request) => (
      cache({ maxAge: 60 }),
      text({ 'x-user': request.clone().headers.get('cookie') ?? '' })
    );
    expect(await answer(get, { headers: { cookie: 'user=alice' } })).toEqual(personal);
  });

  it('when it has looked for any header that it does not name, but not for one that it does', async () => {
    expect(await answer(read(({ headers }) => headers.has('x-forwarded-host')))).toEqual(personal);
    expect(await answer(read(({ headers }) => [...headers]))).toEqual(personal);
    expect(await answer(read(({ headers }) => headers.get('x-a'), { vary: ['x-a'] }))).toEqual({
      ...kept,
      vary: 'x-a',
    });
    expect(await answer(read(({ headers }) => headers.get('if-none-match')))).toEqual(kept);
    expect(await answer(read(() => origin()))).toEqual(kept);
    expect(
      await answer(
        read(() => origin()),
        { headers: { origin: 'https://a.test' } },
      ),
    ).toEqual(personal);
  });

  it('when it has a nonce', async () => {
    expect(await answer(read(() => nonce()))).toEqual(personal);
    const middleware = {
      default: () => setResponseHeaders({ 'content-security-policy': `script-src 'nonce-${nonce()}'` }),
    };
    expect(
      await answer(
        read(() => undefined),
        {},
        { middleware },
      ),
    ).toEqual(personal);
  });

  it('when the visitor has sent Authorization', async () => {
    const authorized = { headers: { authorization: 'Basic YTpi' } };
    expect(
      await answer(
        read(() => undefined),
        authorized,
      ),
    ).toEqual(personal);
    expect(
      await answer(
        read(() => undefined, { vary: ['authorization'] }),
        authorized,
      ),
    ).toEqual({
      ...kept,
      vary: 'authorization',
    });
  });

  it('but the cookies that nobody has looked at make no difference', async () => {
    expect(
      await answer(
        read(() => undefined),
        cookie,
      ),
    ).toEqual(kept);
  });

  it('when a cookie was sent and the build does not say that reads are to be noted', async () => {
    expect(
      await answer(
        read(() => undefined),
        cookie,
        { usesCache: false },
      ),
    ).toEqual(personal);
    expect(
      await answer(
        read(() => undefined),
        {},
        { usesCache: false },
      ),
    ).toEqual(kept);
  });

  it('and in development is said to be, once, with what was looked at', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const GET = read(({ headers }) => headers.get('cookie'));
    const handler = handlerOf({ usesCache: true, routes: { '/posts/[id]': { GET } } }, { environment: 'development' });
    for (let times = 0; times < 2; times++) await handler(new Request(url));
    const production = handlerOf(
      { usesCache: true, routes: { '/other/[id]': { GET } } },
      { environment: 'production' },
    );
    await production(new Request('http://app.test/other/1'));
    const calls = [...warn.mock.calls];
    warn.mockRestore();
    expect(calls).toEqual([
      [
        '/posts/[id] calls cache(), but its answer is kept by nobody: the request header cookie was looked at. ' +
          'Name it in vary, or do not look at it.',
      ],
    ]);
  });

  it('when its middleware has looked', async () => {
    const routes = { '/posts/[id]': { GET: read(() => undefined) } };
    const looking = { default: ({ headers }: Request) => void headers.get('cookie') };
    expect(await answer(() => undefined, {}, { routes, middleware: looking })).toEqual(personal);
    const blind = { default: () => undefined };
    expect(await answer(() => undefined, cookie, { routes, middleware: blind })).toEqual(kept);
  });

  it('when a route that was rewritten to has looked', async () => {
    const rewrites = [{ source: '/posts/1', destination: '/other' }];
    const get = (look: Get): Partial<App> => ({ rewrites, routes: { '/other': { GET: read(look) } } });
    expect(
      await answer(
        () => undefined,
        cookie,
        get(({ headers }) => headers.get('cookie')),
      ),
    ).toEqual(personal);
    expect(
      await answer(
        () => undefined,
        cookie,
        get(() => undefined),
      ),
    ).toEqual(kept);
  });
});

describe('invalidate()', () => {
  const call = async (what: unknown): Promise<unknown> => {
    const purge = vi.fn(async () => undefined);
    const handler = handlerOf(
      { routes: { '/posts/[id]': { POST: async () => (await invalidate(what as string), text()) } } },
      { onError: (error) => new Response(String(error)) },
    );
    const response = await handler(new Request(url, { method: 'POST' }), { purge });
    return purge.mock.calls[0]?.at(0) ?? (await response.text());
  };

  it('has the host forget tags and paths, however a path is written', async () => {
    expect(await call('posts')).toEqual(['posts']);
    expect(await call(['posts', '/posts/1/', '/café?x', '/caf%c3%a9', '/'])).toEqual([
      'posts',
      '/posts/1',
      '/caf%C3%A9',
      '/caf%C3%A9',
      '/',
    ]);
  });

  it('refuses what is neither a tag nor a path', async () => {
    for (const what of ['', 'a b', undefined, 5])
      expect(await call(what)).toMatch(/^TypeError: invalidate\(\) was given/);
  });
});

it('has the cache of the host forget before the one in front of it, and fails when either does', async () => {
  const order: string[] = [];
  const GET = async (): Promise<Response> => (await invalidate('posts'), text());
  const onInvalidate = async (tags: readonly string[]): Promise<void> => void order.push(`front ${tags.join()}`);
  const purge = async (tags: readonly string[]): Promise<void> => void order.push(`host ${tags.join()}`);
  const app = { routes: { '/posts/[id]': { GET } } };
  await handlerOf(app, { onInvalidate })(new Request(url), { purge });
  expect(order).toEqual(['host posts', 'front posts']);
  const refuse = (): Promise<never> => Promise.reject(new Error('refused'));
  const onError = (error: unknown): Response => new Response(String(error));
  const response = await handlerOf(app, { onInvalidate: refuse, onError })(new Request(url));
  expect(await response.text()).toBe('Error: refused');
});
