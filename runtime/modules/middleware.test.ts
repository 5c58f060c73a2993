import { describe, expect, it } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';

describe('middleware', () => {
  const ok = { GET: () => new Response('route'), POST: async (request: Request) => new Response(await request.text()) };

  it('answers the request with a Response, and lets it pass with undefined', async () => {
    const handler = handlerOf({
      routes: { '/[...path]': ok },
      middleware: {
        default: (request: Request) =>
          request.url.endsWith('stop') ? new Response('stopped', { status: 401 }) : undefined,
      },
    });
    expect(await (await handler(new Request('http://app.test/stop'))).text()).toBe('stopped');
    expect(await (await handler(new Request('http://app.test/go'))).text()).toBe('route');
  });

  it('answers 500, not the route, when it returns something else, throws, or has no default export', async () => {
    const broken = [
      { default: () => ({ ok: true }) },
      { default: () => Promise.reject(new Error('db')) },
      { other: 1 },
    ];
    for (const middleware of broken) {
      const handler = handlerOf({ routes: { '/': ok }, middleware }, { onError: () => {} });
      expect((await handler(new Request('http://app.test/'))).status).toBe(500);
    }
  });

  async function reached(matcher: unknown, path: string, method = 'GET', implicitHead = false): Promise<boolean> {
    const handler = handlerOf(
      {
        routes: { '/[...path]': { ...ok, PUT: ok.GET } },
        middleware: { default: () => new Response('stopped', { status: 401 }), config: { matcher } },
        implicitHead,
      },
      { onError: () => {} },
    );
    return (await handler(new Request(`http://app.test${path}`, { method }))).status === 401;
  }

  it('runs for exactly the paths that a route of its pattern answers', async () => {
    const matcher = { patterns: ['/(g)/admin', '/users/[id]', '/files/[...path]'] };
    for (const path of ['/admin', '/admin/', '/%61dmin', '/x/../admin', '/users/7/', '/files/a/b']) {
      expect(await reached(matcher, path), path).toBe(true);
    }
    for (const path of ['/admins', '/Admin', '/admin/x', '/users', '/users/7/x', '/files']) {
      expect(await reached(matcher, path), path).toBe(false);
    }
  });

  it('tests a RegExp on the decoded path without its trailing slash, and ignores its lastIndex', async () => {
    const matcher = { patterns: [/^\/admin$/g] };
    for (const path of ['/admin', '/admin/', '/%61dmin', '/admin'])
      expect(await reached(matcher, path), path).toBe(true);
    expect(await reached(matcher, '/admin/x')).toBe(false);
  });

  it('runs for the listed methods, both conditions holding; an empty list fits nothing', async () => {
    expect(await reached({ methods: ['put'] }, '/x', 'PUT')).toBe(true);
    expect(await reached({ methods: ['put'] }, '/x', 'GET')).toBe(false);
    expect(await reached({ methods: ['PUT'], patterns: ['/y'] }, '/x', 'PUT')).toBe(false);
    expect(await reached({ methods: [] }, '/x')).toBe(false);
    expect(await reached({ patterns: [] }, '/x')).toBe(false);
  });

  it('guards HEAD where it guards GET, when HEAD runs GET', async () => {
    expect(await reached({ methods: ['GET'] }, '/x', 'HEAD', true)).toBe(true);
    expect(await reached({ methods: ['GET'] }, '/x', 'HEAD', false)).toBe(false);
  });

  it('matches a pattern to a route in any Unicode normalization form', async () => {
    expect(await reached({ patterns: ['/cafe\u0301'] }, '/caf%C3%A9')).toBe(true);
  });

  it('gives fetch and new Request all headers, and never an empty body instead of the real one', async () => {
    let copied: [string, string][] = [];
    const handler = handlerOf({
      routes: { '/': ok },
      middleware: {
        default: async (request: Request) => {
          const copy = new Request(request);
          copied = [...copy.headers];
          await expect(copy.text()).rejects.toThrow('request.clone()');
        },
      },
    });
    const headers = { authorization: 'Bearer x', 'content-length': '4' };
    const answer = await handler(new Request('http://app.test/', { method: 'POST', body: 'body', headers }));
    expect(await answer.text()).toBe('body');
    expect(copied).toContainEqual(['authorization', 'Bearer x']);
  });

  it('refuses all requests when its matcher cannot be read', async () => {
    const patterns = ['/admin/*', 'admin', '/:page', '/%61dmin', '/admin/index'];
    for (const matcher of [
      ...patterns.map((one) => ({ patterns: [one] })),
      { patterns: '/admin' },
      { methods: 'GET' },
    ]) {
      const handler = handlerOf(
        { routes: { '/admin': ok }, middleware: { default: () => undefined, config: { matcher } } },
        { onError: () => {} },
      );
      expect((await handler(new Request('http://app.test/admin'))).status, JSON.stringify(matcher)).toBe(500);
    }
  });

  /** The error reported for an app with this middleware. */
  async function mistakeOf(middleware: Record<string, unknown>): Promise<unknown> {
    const reported: unknown[] = [];
    const handler = handlerOf({ routes: { '/admin': ok }, middleware }, { onError: (error) => reported.push(error) });
    await handler(new Request('http://app.test/admin'));
    return reported[0];
  }

  it('says what to write when it has no function as its default export', async () => {
    expect(await mistakeOf({ other: 1 })).toMatchObject({
      code: 'ERR_MIDDLEWARE_INVALID',
      message: expect.stringMatching(/^\+middleware\.js has no function.*export default function middleware/),
    });
  });

  it.each([
    [{ patterns: '/admin' }, "patterns must be a list of patterns, such as ['/admin'"],
    [{ patterns: ['/admin', 1] }, 'patterns must be a list of patterns'],
    [{ patterns: [{ test: () => true }] }, 'patterns must be a list of patterns'],
    [{ methods: 'GET' }, "methods must be a list of HTTP methods, such as ['POST', 'PUT']"],
    [{ methods: ['GET', 1] }, 'methods must be a list of HTTP methods'],
    [{ patterns: ['/admin/*'] }, 'the pattern "/admin/*" fits no path. Write [...path] for one or more segments.'],
    [{ patterns: ['/:page'] }, 'Write [name] for a parameter.'],
    [{ patterns: ['/%61dmin'] }, 'Write the character itself: paths are matched decoded.'],
    [{ patterns: ['/%6Cogin'] }, 'Write the character itself: paths are matched decoded.'],
    [{ patterns: ['/admin/index'] }, 'Leave /index out: it is not part of the URL.'],
    [{ patterns: ['/admin/index/'] }, 'Leave /index out: it is not part of the URL.'],
  ])('reports for the matcher %o: %s', async (matcher, advice) => {
    expect(await mistakeOf({ default: () => undefined, config: { matcher } })).toMatchObject({
      code: 'ERR_MATCHER_INVALID',
      message: expect.stringContaining(advice),
    });
  });

  it('accepts a percent sign without two digits, and a name that begins with index', async () => {
    expect(await reached({ patterns: ['/5%az'] }, '/5%25az')).toBe(true);
    expect(await reached({ patterns: ['/index-of'] }, '/index-of')).toBe(true);
    expect(await reached({ patterns: ['/x/indexes'] }, '/x/indexes')).toBe(true);
  });

  it('runs when one of several patterns fits, with any mixture of strings and RegExps', async () => {
    const matcher = { patterns: ['/a', /^\/b$/, /^\/c\/d$/] };
    for (const path of ['/a', '/b', '/c/d']) expect(await reached(matcher, path), path).toBe(true);
    for (const path of ['/c', '/x', '/ab', '/x/a']) expect(await reached(matcher, path), path).toBe(false);
    expect(await reached({ patterns: [/^\/$/] }, '/')).toBe(true);
  });

  it('reads unstable_settings as well', async () => {
    const handler = handlerOf({
      routes: { '/': ok },
      middleware: { default: () => new Response('stopped'), unstable_settings: { matcher: { patterns: ['/other'] } } },
    });
    expect(await (await handler(new Request('http://app.test/'))).text()).toBe('route');
  });

  it('cannot change the headers or read the body, but can read a clone', async () => {
    const seen: unknown[] = [];
    const handler = handlerOf({
      routes: { '/': ok },
      middleware: {
        default: async (request: Request) => {
          for (const change of ['set', 'append', 'delete'] as const) {
            expect(() => request.headers[change]('x-a', 'b'), change).toThrow('setResponseHeaders');
          }
          await expect(request.text()).rejects.toThrow('request.clone()');
          seen.push(request instanceof Request, request.headers.get('x-in'), await request.clone().text());
          seen.push(new URL(request.url).pathname, request.method);
        },
      },
    });
    const request = new Request('http://app.test/', {
      method: 'POST',
      body: 'payload',
      headers: { 'x-in': '1', 'content-length': '7' },
    });
    expect(await (await handler(request)).text()).toBe('payload');
    expect(seen).toEqual([true, '1', 'payload', '/', 'POST']);
  });

  it("sees the page's URL, whether a client requests the page or its data", async () => {
    const seen: string[] = [];
    const handler = handlerOf({
      middleware: { default: (request: Request) => void seen.push(request.url) },
      pages: { '/[...path]': { GET: () => new Response('page'), POST: () => new Response('posted') } },
    });
    const urls = [
      '/a?_appkit_data',
      '/a?x=1&_appkit_data=1.2&y=2',
      '/a?_appkit_data=x&_appkit_data',
      '/a?b=_appkit_data',
    ];
    for (const url of urls) await handler(new Request(`http://app.test${url}`));
    expect(seen).toEqual(['/a', '/a?x=1&y=2', '/a', '/a?b=_appkit_data'].map((url) => `http://app.test${url}`));
  });

  it('sees the unchanged URL in an app without pages', async () => {
    let seen = '';
    const handler = handlerOf({
      middleware: { default: (request: Request) => void (seen = request.url) },
      routes: { '/a': ok },
    });
    await handler(new Request('http://app.test/a?_appkit_data'));
    expect(seen).toBe('http://app.test/a?_appkit_data');
  });

  it('can read a clone of what is sent to an action, by a form or by code, and leaves it to the action', async () => {
    const seen: string[] = [];
    const handler = handlerOf({
      middleware: {
        async default(request: Request) {
          await expect(request.text()).rejects.toThrow('request.clone()');
          const copy = request.clone();
          seen.push(copy.url, await copy.text());
        },
      },
      pages: { '/a': { GET: () => new Response('page'), POST: async (request) => new Response(await request.text()) } },
    });
    for (const url of ['http://app.test/a', 'http://app.test/a?_appkit_data']) {
      const headers = { 'content-length': '3' };
      const answer = await handler(new Request(url, { method: 'POST', body: 'b=1', headers }));
      expect(await answer.text()).toBe('b=1');
    }
    expect(seen).toEqual(['http://app.test/a', 'b=1', 'http://app.test/a', 'b=1']);
  });
});
