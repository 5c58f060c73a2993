import { describe, expect, it, vi } from 'vitest';
import { buildOf, handlerOf } from './fixtures/app.ts';
import type { App } from './fixtures/app.ts';
import { createHandler } from './handler.ts';
import { cache, deferTask, invalidate, nonce, origin, setResponseHeaders } from './index.ts';
import { StatusError } from './http/status-error.ts';
import type { FetchContext } from './request/fetch-context.ts';
import { toHostRequest } from './request/host-request.ts';

const url = 'http://app.test/posts/1?page=2';
const kept = { 'cache-control': 'public, max-age=0, s-maxage=60', 'cdn-cache-control': 'public, max-age=60' };
const personal = { 'cache-control': 'private, no-cache' };

type Get = (request: Request) => unknown;

/** The cache headers of an answer. */
async function answer(GET: Get, init: RequestInit = {}, app: Partial<App> = {}): Promise<Record<string, string>> {
  const handler = handlerOf({ usesCache: true, routes: { '/posts/[id]': { GET, HEAD: GET, POST: GET } }, ...app });
  const { headers } = await handler(new Request(url, init));
  return Object.fromEntries([...headers].filter(([name]) => /cache-control|vary/.test(name)));
}

const text = (headers: Record<string, string> = {}): Response =>
  new Response('text', { headers: { 'content-type': 'text/plain', ...headers } });

describe('cache()', () => {
  it('tells shared caches how long an answer is fresh, and browsers to revalidate', async () => {
    expect(await answer(() => (cache({ maxAge: 60 }), text()))).toEqual(kept);
  });

  it("tells a CDN's caches for how long a stale answer may be sent", async () => {
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

  it('keeps the shortest of several times, and everything that an answer depends on', async () => {
    const headers = await answer(() => {
      cache({ maxAge: 600, swr: 5, staleIfError: 7, vary: ['a'] });
      cache({ maxAge: 60, swr: 50, staleIfError: 70, vary: ['b'] });
      return text();
    });
    expect(headers).toEqual({
      'cache-control': 'public, max-age=0, s-maxage=60',
      'cdn-cache-control': 'public, max-age=60, stale-while-revalidate=5, stale-if-error=7',
      vary: 'a, b',
    });
  });

  it('accepts 0 seconds, and no more than caches can count', async () => {
    const longest = await answer(() => (cache({ maxAge: 2 ** 40 }), text()));
    expect(longest['cdn-cache-control']).toBe('public, max-age=2147483647');
    const shortest = await answer(() => (cache({ maxAge: 0 }), text()));
    expect(shortest['cdn-cache-control']).toBe('public, max-age=0');
  });

  it('lets false win over every other call', async () => {
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

  it('makes a personal answer private whose own headers let others keep it', async () => {
    const open = {
      'cache-control': 'public, max-age=5',
      'cdn-cache-control': 'max-age=5',
      'netlify-cdn-cache-control': 'max-age=5',
    };
    expect(await answer(() => (cache(false), text(open)))).toEqual(personal);
    expect(await answer(() => (cache({ maxAge: 60 }), text({ ...open, 'set-cookie': 'a=1' })))).toEqual(personal);
    const get: Get = ({ headers }) => (
      cache({ maxAge: 60 }),
      text({ ...open, 'x-user': String(headers.get('x-user')) })
    );
    expect(await answer(get)).toEqual(personal);
    expect(await answer(() => text({ ...open, 'set-cookie': 'a=1' }))).toEqual(open);
  });

  it.each([
    'no-store',
    'private',
    'private,max-age=5',
    'max-age=5, Private',
    'public, no-cache',
    'private="x-a", max-age=5',
    'max-age=5',
  ])('leaves %s to a personal answer only if no other visitor can get it by that', async (own) => {
    const isEnough = /no-store|private(?!=)/i.test(own);
    const headers = await answer(() => (cache(false), text({ 'cache-control': own })));
    expect(headers).toEqual(isEnough ? { 'cache-control': own } : personal);
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
    for (const vary of ['*', 'accept, *']) {
      expect(await answer(() => (cache({ maxAge: 60 }), text({ vary })))).toEqual({ ...personal, vary });
    }
  });

  it('keeps no event stream, which never ends', async () => {
    const ofType = (type: string) => answer(() => (cache({ maxAge: 60 }), text({ 'content-type': type })));
    expect(await ofType('text/event-stream; charset=utf-8')).toEqual(personal);
    expect(await ofType('text/plain; of="text/event-stream"')).toEqual(kept);
  });

  it('says nothing of an answer to another method than GET and HEAD', async () => {
    const get: Get = () => (cache({ maxAge: 60 }), text());
    expect(await answer(get, { method: 'POST' })).toEqual({});
    expect(await answer(get, { method: 'HEAD' })).toEqual(kept);
  });

  it("applies to a rule by path too, in addition to the route's own call", async () => {
    const rules = [{ source: '/posts/[...rest]', maxAge: 60, swr: 5, vary: ['a'] }];
    expect(await answer(() => text(), {}, { cache: rules })).toEqual({
      'cache-control': 'public, max-age=0, s-maxage=60',
      'cdn-cache-control': 'public, max-age=60, stale-while-revalidate=5',
      vary: 'a',
    });
    expect(await answer(() => (cache(false), text()), {}, { cache: rules })).toEqual(personal);
  });

  it('passes the rule and its tags to the host, first the path below the mount', async () => {
    const GET: Get = () => (
      cache({ maxAge: 60, tags: ['posts'] }),
      cache({ maxAge: 60, tags: ['posts', 'b'] }),
      text()
    );
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

  it('refuses an invalid rule, and names the value', async () => {
    const messageOf = async (rule: unknown): Promise<string> => {
      const onError = vi.fn();
      const app = { routes: { '/posts/[id]': { GET: () => (cache(rule as false), text()) } } };
      await handlerOf(app, { onError })(new Request(url));
      const error: unknown = onError.mock.calls[0]?.[0];
      expect(error).toMatchObject({ code: 'ERR_CACHE_INVALID' });
      return String(error).replace(/^TypeError: /, '');
    };
    const seconds = "Give it seconds: cache({ maxAge: 60, tags: ['posts'] }), or false.";
    const characters = 'Give it visible ASCII characters without a comma, at most 200, not starting with "/".';
    for (const [rule, message] of [
      [null, `was given null. ${seconds}`],
      [5, `was given 5. ${seconds}`],
      [{}, `was given no maxAge. ${seconds}`],
      [{ maxAge: 1.5 }, 'was given 1.5 as maxAge. Give it a whole number of seconds.'],
      [{ maxAge: 1, swr: -1 }, 'was given -1 as swr. Give it a whole number of seconds.'],
      [{ maxAge: 1, ttl: 1 }, 'was given ttl, which it does not know. It knows maxAge, swr, staleIfError, tags, vary.'],
      [{ maxAge: 1, tags: 'a' }, 'was given a as tags. Give it a list of strings.'],
      [{ maxAge: 1, tags: [5] }, `was given 5 in tags. ${characters}`],
      [{ maxAge: 1, vary: ['a b'] }, 'was given "a b" in vary. Give it names of request headers.'],
    ] as const) {
      expect(await messageOf(rule)).toBe(`cache() ${message}`);
    }
    for (const tag of ['', 'a b', 'a,b', '/a', 'é']) {
      expect(await messageOf({ maxAge: 1, tags: [tag] })).toBe(
        `cache() was given ${JSON.stringify(tag)} in tags. ${characters}`,
      );
    }
  });
});

describe('an answer that may be kept', () => {
  interface Late {
    seen: unknown;
    /** The errors passed to `onError`. */
    codes: unknown[];
    /** The body that the client received, or the code of the error that aborted it. */
    body: unknown;
    hasFailed: boolean;
  }

  /** Requests an answer, and reads its request while it is being sent. */
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

  it('is aborted when its stream may depend on a header, and onError is called', async () => {
    expect(await lookLate(({ headers }) => headers.get('Cookie'))).toEqual({ ...brokenOff, seen: 'a=1' });
    expect(await lookLate(({ headers }) => headers.has('x-a'))).toEqual({ ...brokenOff, seen: false });
    expect(await lookLate(({ headers }) => [...headers].length)).toEqual({ ...brokenOff, seen: 2 });
    expect(await lookLate(() => origin())).toEqual({ ...brokenOff, seen: 'https://a.test' });
    expect(await lookLate(() => typeof nonce())).toEqual({ ...brokenOff, seen: 'string' });
  });

  it('allows reading the headers in vary and those that only affect its form, and any for an answer that is not kept', async () => {
    const whole = { codes: [], body: 'late', hasFailed: false };
    expect(await lookLate(({ headers }) => headers.get('cookie'), { rule: { vary: ['cookie'] } })).toEqual({
      ...whole,
      seen: 'a=1',
    });
    expect(await lookLate(({ headers }) => headers.get('range'))).toEqual({ ...whole, seen: null });
    expect(await lookLate(({ headers }) => headers.get('cookie'), { rule: false })).toEqual({ ...whole, seen: 'a=1' });
  });

  it('is not changed when its body was complete before, whatever is read later', async () => {
    const whole = { codes: [], body: 'text', hasFailed: false };
    expect(await lookLate(({ headers }) => headers.get('cookie'), { isStream: false })).toEqual({
      ...whole,
      seen: 'a=1',
    });
    expect(await lookLate(() => origin(), { isStream: false })).toEqual({ ...whole, seen: 'https://a.test' });
  });

  it('lets tasks and hooks read all headers after it', async () => {
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

describe('the stream of code with a fetch', () => {
  type Look = (request: Request, context: FetchContext) => unknown;

  /** The error that aborts an answer, or its body. */
  async function sent(late: Look, early: Look = () => undefined): Promise<unknown> {
    const app = {
      usesCache: true,
      fetch(request: Request, context: FetchContext) {
        early(request, context);
        cache({ maxAge: 60 });
        const looked = new Promise((resolve) => setTimeout(resolve)).then(() => late(request, context));
        return new Response(new ReadableStream({ pull: (to) => looked.then(() => to.close()) }));
      },
    };
    const response = await createHandler(app, { onError: () => undefined })(new Request(url));
    return response.text().catch((error: unknown) => (error as Error).message);
  }

  it('says what came too late, where, and what to do', async () => {
    const end =
      ' came too late: /posts/1 was streaming an answer that caches may keep, and was broken off. Read before the ' +
      'first await of what is streamed, name a header in vary, or call cache(false).';
    expect(await sent(({ headers }) => headers.get('Cookie'))).toBe(`The request header cookie${end}`);
    expect(await sent(({ headers }) => [...headers])).toBe(`All request headers${end}`);
    expect(await sent((_, context) => context.platform)).toBe(`All request headers${end}`);
    expect(await sent((_, context) => context.clientAddress)).toBe(`clientAddress${end}`);
    expect(await sent(() => nonce())).toBe(`nonce()${end}`);
  });

  it('is not aborted if the answer is not kept anyway', async () => {
    const early: Look = ({ headers }) => headers.get('x-a');
    expect(await sent(({ headers }) => headers.get('cookie'), early)).toBe('');
  });
});

describe('development', () => {
  /** What is said of an answer of code with a fetch, after its path. */
  async function saidOf(
    look: (request: Request, context: FetchContext) => unknown,
    { environment = 'development', usesCache = true } = {},
  ): Promise<string[]> {
    const path = `/${crypto.randomUUID()}`;
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const fetch = (request: Request, context: FetchContext): Response => {
      cache({ maxAge: 60 });
      look(request, context);
      return text();
    };
    const request = new Request(`http://app.test${path}?page=2`, { headers: { cookie: 'a=1' } });
    await createHandler({ fetch, usesCache }, { environment })(request);
    const said = warn.mock.calls.map(([line]) => String(line).replace(path, ''));
    warn.mockRestore();
    return said;
  }

  it('says why an answer is not kept', async () => {
    const start = ' calls cache(), but its answer is not kept: ';
    expect(await saidOf(({ headers }) => headers.get('cookie'))).toEqual([
      `${start}the request header cookie was read. Name it in vary, or do not read it.`,
    ]);
    expect(await saidOf((_, context) => context.platform)).toEqual([
      `${start}all headers of the request were read. Read only those that it depends on, and name them in vary.`,
    ]);
    expect(await saidOf((_, context) => context.clientAddress)).toEqual([
      `${start}clientAddress was read. Leave it out of answers that are kept.`,
    ]);
  });

  it('says nothing of an answer that is kept, nor if reads are not tracked, nor elsewhere', async () => {
    expect(await saidOf(() => undefined)).toEqual([]);
    expect(await saidOf(({ headers }) => headers.get('cookie'), { usesCache: false })).toEqual([]);
    expect(await saidOf(({ headers }) => headers.get('cookie'), { environment: 'staging' })).toEqual([]);
  });

  it('says it once per route, and names the route', async () => {
    const warn = vi.spyOn(console, 'warn').mockReturnValue();
    const folder = `/${crypto.randomUUID()}`;
    const GET: Get = ({ headers }) => (cache({ maxAge: 60 }), headers.get('cookie'), text());
    const app = { usesCache: true, routes: { [`${folder}/[id]`]: { GET } } };
    const handler = handlerOf(app, { environment: 'development' });
    for (const id of [1, 2]) await handler(new Request(`http://app.test${folder}/${id}`));
    const lines = warn.mock.calls.flat();
    warn.mockRestore();
    expect(lines).toEqual([
      `${folder}/[id] calls cache(), but its answer is not kept: the request header cookie was read. ` +
        'Name it in vary, or do not read it.',
    ]);
  });
});

describe('an app that passes its request on to another', () => {
  const asAda = { headers: { cookie: 'user=ada' } };

  /** Answers as two apps that both call `cache()`. */
  async function passedOn(look: Get, { vary = [] as string[], middleware = {} } = {}): Promise<unknown> {
    const rule = { maxAge: 60, vary };
    const GET: Get = (request) => (cache(rule), text({ 'x-user': String(look(request)) }));
    const inner = handlerOf({ usesCache: true, routes: { '/posts/[id]': { GET } }, ...middleware });
    const fetch = (request: Request): Response | Promise<Response> => (cache(rule), inner(request));
    const { status, headers } = await createHandler({ fetch, usesCache: true })(toHostRequest(new Request(url, asAda)));
    return [status, headers.get('x-user'), headers.get('cache-control')];
  }

  it('is not kept if the other has read a header, or has copied the request', async () => {
    expect(await passedOn(({ headers }) => headers.get('cookie'))).toEqual([200, 'user=ada', 'private, no-cache']);
    expect(await passedOn((request) => new Request(request).headers.get('cookie'))).toEqual([
      200,
      'user=ada',
      'private, no-cache',
    ]);
  });

  it('is not kept if middleware of the other has read a header', async () => {
    const middleware = { default: ({ headers }: Request) => void headers.get('cookie') };
    expect(await passedOn(() => 'ada', { middleware: { middleware } })).toEqual([200, 'ada', 'private, no-cache']);
  });

  it('is kept if neither has read a header, or both name it in vary', async () => {
    expect(await passedOn(() => 'all')).toEqual([200, 'all', 'public, max-age=0, s-maxage=60']);
    expect(await passedOn(({ headers }) => headers.get('cookie'), { vary: ['cookie'] })).toEqual([
      200,
      'user=ada',
      'public, max-age=0, s-maxage=60',
    ]);
  });
});

it('tells the host of an answer only if it may be kept', async () => {
  const onKept = vi.fn();
  const looking: Get = ({ headers }) => (cache({ maxAge: 60 }), headers.get('cookie'), text());
  const own: Get = () => (cache({ maxAge: 60 }), text({ 'cache-control': 'private' }));
  for (const GET of [looking, own]) {
    const handler = handlerOf({ usesCache: true, routes: { '/posts/[id]': { GET } } });
    await handler(new Request(url), { onKept });
  }
  expect(onKept).not.toHaveBeenCalled();
});

it('keeps an answer for each origin, if it is in vary', async () => {
  const get: Get = () => (cache({ maxAge: 60, vary: ['origin'] }), origin(), text());
  expect(await answer(get, { headers: { origin: 'https://a.test' } })).toEqual({ ...kept, vary: 'origin' });
});

it('keeps a page that the export has finished by a rule, instead of the Cache-Control of such pages', async () => {
  const page = { prerendered: { html: '<p>hello</p>', etag: '"v1"' } };
  const pages = { '/posts/[id]': page };
  const finished = { 'cache-control': 'public, max-age=0, must-revalidate' };
  expect(await answer(() => undefined, {}, { routes: {}, pages })).toEqual(finished);
  const rules = [{ source: '/posts/[id]', maxAge: 60 }];
  expect(await answer(() => undefined, {}, { routes: {}, pages, cache: rules })).toEqual(kept);
});

describe('a page that is rendered for a request', () => {
  const ask = async (path: string, own?: string): Promise<string | null> => {
    const headers = own === undefined ? {} : { 'cache-control': own };
    const handler = handlerOf({ pages: { '/': { GET: () => new Response('page', { headers }) } } });
    return (await handler(new Request(`http://app.test${path}`))).headers.get('cache-control');
  };

  it('is kept by no shared cache, and its data by no cache', async () => {
    expect(await ask('/')).toBe('private, no-cache');
    expect(await ask('/?_appkit_data')).toBe('private, no-store');
  });

  it('has its own Cache-Control, if it sets one', async () => {
    expect(await ask('/', 'public, max-age=5')).toBe('public, max-age=5');
  });
});

describe('an answer is not sent to others', () => {
  const cookie = { headers: { cookie: 'a=1' } };
  const read =
    (look: Get, rule: { vary?: string[] } = {}): Get =>
    (request) => (look(request), cache({ maxAge: 60, ...rule }), text());

  it('when the route has read a cookie, whether or not it exists', async () => {
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

  it('when it has copied the request, because reads of a copy are not tracked', async () => {
    const get: Get = (request) => (
      cache({ maxAge: 60 }),
      text({ 'x-user': request.clone().headers.get('cookie') ?? '' })
    );
    expect(await answer(get, { headers: { cookie: 'user=alice' } })).toEqual(personal);
  });

  it('when it has read a header that is not in vary, but not for one that is', async () => {
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

  it('when it uses a nonce', async () => {
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

  it('but unread cookies make no difference', async () => {
    expect(
      await answer(
        read(() => undefined),
        cookie,
      ),
    ).toEqual(kept);
  });

  it('when a cookie was sent and the build does not enable the tracking of reads', async () => {
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

  it('when its middleware has read a header', async () => {
    const routes = { '/posts/[id]': { GET: read(() => undefined) } };
    const looking = { default: ({ headers }: Request) => void headers.get('cookie') };
    expect(await answer(() => undefined, {}, { routes, middleware: looking })).toEqual(personal);
    const blind = { default: () => undefined };
    expect(await answer(() => undefined, cookie, { routes, middleware: blind })).toEqual(kept);
  });

  it('when the destination of a rewrite has read a header', async () => {
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
      { onError: (error) => new Response(`${(error as { code?: string }).code} ${String(error)}`) },
    );
    const response = await handler(new Request(url, { method: 'POST' }), { purge });
    return purge.mock.calls[0]?.at(0) ?? (await response.text());
  };

  it('makes the host forget tags and paths, however a path is written', async () => {
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
      expect(await call(what)).toMatch(/^ERR_CACHE_INVALID TypeError: invalidate\(\) was given/);
  });
});

it("clears the host's cache before the one in front of it, and fails when either fails", async () => {
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

it('names the helper that was called outside a request', async () => {
  expect(() => cache(false)).toThrow('cache() of appkit-server was called outside a request.');
  await expect(invalidate('posts')).rejects.toThrow('invalidate() was called outside a request.');
});
