import { describe, expect, it, vi } from 'vitest';
import { requestStore } from './request/context.ts';
import { buildOf, handlerOf, routeOf } from './fixtures/app.ts';
import { createHandler } from './handler.ts';
import { setResponseHeaders } from './helpers.ts';
import { MANIFEST_VERSION } from './manifest.ts';

describe('a handler', () => {
  it('answers 404 where no route matches', async () => {
    const response = await handlerOf({ routes: {} })(new Request('http://app.test/x'));
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      404,
      'text/plain',
      'Not found',
    ]);
  });

  it('answers 405 with the exported methods, in their usual order, where the method is not exported', async () => {
    const handler = handlerOf({ routes: { '/': { DELETE: () => null, GET: () => null, helper: () => null } } });
    for (const method of ['POST', 'HEAD', 'OPTIONS', 'PROPFIND', 'constructor', 'toString', 'helper']) {
      const response = await handler(new Request('http://app.test/', { method }));
      expect([method, response.status, response.headers.get('allow'), await response.text()]).toEqual([
        method,
        405,
        'GET, DELETE',
        'Method not allowed',
      ]);
    }
  });

  it('answers HEAD from GET only with implicitHead, and says so in Allow', async () => {
    const GET = (): Response => new Response('hello', { headers: { 'x-from': 'get' } });
    const handler = handlerOf({ routes: { '/': { GET } }, implicitHead: true });
    const head = await handler(new Request('http://app.test/', { method: 'HEAD' }));
    expect([head.status, head.headers.get('x-from')]).toEqual([200, 'get']);
    const put = await handler(new Request('http://app.test/', { method: 'PUT' }));
    expect(put.headers.get('allow')).toBe('GET, HEAD');
  });

  it('prefers a HEAD of the route over implicitHead', async () => {
    const handler = handlerOf({
      routes: {
        '/': { GET: () => new Response('get'), HEAD: () => new Response(null, { headers: { 'x-from': 'head' } }) },
      },
      implicitHead: true,
    });
    const head = await handler(new Request('http://app.test/', { method: 'HEAD' }));
    expect(head.headers.get('x-from')).toBe('head');
  });

  it('answers 400 for a path whose encoding is malformed, even where no route matches', async () => {
    const handler = handlerOf({ routes: { '/[id]': { GET: () => new Response() } } });
    for (const path of ['/%zz', '/%', '/a/b/%ff', '/%C3%28']) {
      expect((await handler(new Request(`http://app.test${path}`))).status, path).toBe(400);
    }
  });

  it('matches below the mount and answers 404 elsewhere', async () => {
    const handler = handlerOf({
      routes: { '/': { GET: () => new Response('root') }, '/a': { GET: () => new Response('a') } },
    });
    const at = async (path: string): Promise<string> =>
      (await handler(new Request(`http://app.test${path}`), { basePath: '/sub' })).text();
    expect(await at('/sub')).toBe('root');
    expect(await at('/sub/')).toBe('root');
    expect(await at('/sub/a')).toBe('a');
    expect(await at('/subject')).toBe('Not found');
    expect(await at('/sub/../a')).toBe('Not found');
  });

  it('matches below the base of the build, unless the host provides its own mount path', async () => {
    const route = (request: Request): Response => new Response(new URL(request.url).pathname);
    const handler = handlerOf({ base: '/shop', routes: { '/': { GET: route }, '/a': { GET: route } } });
    const at = async (path: string, basePath?: string): Promise<string> =>
      (await handler(new Request(`http://app.test${path}`), { basePath })).text();
    expect(await at('/shop')).toBe('/shop');
    expect(await at('/shop/a')).toBe('/shop/a');
    expect(await at('/a')).toBe('Not found');
    // Lambda and Express provide it at the root.
    expect(await at('/shop/a', '')).toBe('/shop/a');
    expect(await at('/sub/a', '/sub')).toBe('/sub/a');
    expect(await at('/shop/a', '/sub')).toBe('Not found');
  });

  const notResponses: [what: string, value: unknown][] = [
    ['nothing', undefined],
    ['a plain object', { status: 200 }],
    ['text', 'hello'],
    ['Response.error()', Response.error()],
  ];
  for (const [what, value] of notResponses) {
    it(`answers 500 and reports where ${what} came from when a route returns it`, async () => {
      const onError = vi.fn();
      const response = await routeOf(() => value, { onError })();
      expect([response.status, await response.text()]).toEqual([500, 'Internal server error']);
      expect(String(onError.mock.calls[0]?.[0])).toContain('GET of /+api.js');
    });
  }

  it('answers 500 instead of an empty body when a route returns a Response it has sent before', async () => {
    const onError = vi.fn();
    const shared = new Response('once');
    const get = routeOf(() => shared, { onError });
    expect(await (await get()).text()).toBe('once');
    expect((await get()).status).toBe(500);
    expect(String(onError.mock.calls[0]?.[0])).toContain('already been read');
  });

  it('reveals nothing about an error to the client, and everything to onError', async () => {
    const onError = vi.fn();
    const error = new Error('password=hunter2');
    const request = new Request('http://app.test/');
    const response = await handlerOf({ routes: { '/': { GET: () => Promise.reject(error) } } }, { onError })(request);
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      500,
      'text/plain',
      'Internal server error',
    ]);
    expect(onError.mock.calls).toEqual([[error, request]]);
  });

  it('sends what onError returns in place of the 500, with its own headers before those of the route', async () => {
    const route = (): never => {
      setResponseHeaders({ 'cache-control': 'public', 'x-from': 'route' });
      throw new Error('broken');
    };
    const onError = (error: unknown): Response =>
      Response.json(String(error), { status: 503, headers: { 'cache-control': 'no-store', 'set-cookie': 'a=1' } });
    const response = await routeOf(route, { onError })();
    expect([response.status, await response.json()]).toEqual([503, 'Error: broken']);
    expect([...response.headers]).toEqual([
      ['cache-control', 'no-store'],
      ['content-type', 'application/json'],
      ['set-cookie', 'a=1'],
      ['x-from', 'route'],
    ]);
  });

  it('sends what onError returns when headers of the route cannot be set', async () => {
    const route = (): Response => {
      setResponseHeaders(() => {
        throw new Error('broken');
      });
      return new Response('never sent');
    };
    const response = await routeOf(route, { onError: () => new Response('sorry', { status: 503 }) })();
    expect([response.status, await response.text()]).toEqual([503, 'sorry']);
  });

  it('ignores other return values of onError', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const route = (): never => {
      throw new Error('broken');
    };
    for (const returned of [undefined, 1, 'text', {}]) {
      expect((await routeOf(route, { onError: () => returned })()).status).toBe(500);
    }
    expect(log).not.toHaveBeenCalled();
  });

  it('answers 500 when onError returns a Response that cannot be sent, and says so', async () => {
    const log = vi.spyOn(console, 'error').mockReturnValue();
    const route = (): never => {
      throw new Error('broken');
    };
    const response = await routeOf(route, { onError: () => Response.error() })();
    expect([response.status, await response.text()]).toEqual([500, 'Internal server error']);
    expect(String(log.mock.calls)).toContain('onError of the options gave a Response of status 0');
  });

  it('does not wait for an onError that is asynchronous', async () => {
    const route = (): never => {
      throw new Error('broken');
    };
    const response = await routeOf(route, { onError: async () => new Response('late') })();
    expect([response.status, await response.text()]).toEqual([500, 'Internal server error']);
  });

  it('answers even when onError itself fails', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const fail = (): never => {
      throw new Error('hook');
    };
    const route = (): never => {
      throw new Error('route');
    };
    expect((await routeOf(route, { onError: fail })()).status).toBe(500);
    expect((await routeOf(route, { onError: async () => fail() })()).status).toBe(500);
    await vi.waitFor(() => expect(log).toHaveBeenCalledTimes(4));
    log.mockRestore();
  });

  it('leaves the query, which may carry a token, out of the log', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => {});
    const handler = handlerOf({ routes: { '/x': { GET: () => Promise.reject(new Error('e')) } } });
    await handler(new Request('http://app.test/x?token=secret'));
    expect(JSON.stringify(log.mock.calls)).not.toContain('secret');
    expect(log.mock.calls[0]?.[0]).toContain('GET /x');
    log.mockRestore();
  });

  it("enters a request's context for app code, unless that code never uses it", async () => {
    const GET = () => Response.json(requestStore().getStore() !== undefined);
    const build = buildOf({ routes: { '/asks': { GET }, '/plain': { GET } } });
    for (const route of build.manifest.routes) if (route.pattern === '/plain') route.usesContext = false;
    const handler = createHandler(build);
    const ask = async (path: string): Promise<unknown> =>
      (await handler(new Request(`http://localhost${path}`))).json();
    expect([await ask('/asks'), await ask('/plain')]).toEqual([true, false]);
  });

  it('retries a module that failed to load', async () => {
    let tries = 0;
    const build = buildOf({ routes: { '/': {} } });
    build.modules['/+api.js'] = () => {
      tries++;
      return tries === 1 ? Promise.reject(new Error('disk')) : Promise.resolve({ GET: () => new Response('ok') });
    };
    const handler = createHandler(build, { onError: () => {} });
    expect((await handler(new Request('http://app.test/'))).status).toBe(500);
    expect(await (await handler(new Request('http://app.test/'))).text()).toBe('ok');
  });

  it('loads a module once for many first requests', async () => {
    let loads = 0;
    const build = buildOf({ routes: { '/': {} } });
    build.modules['/+api.js'] = async () => {
      loads++;
      return { GET: () => new Response('ok') };
    };
    const handler = createHandler(build);
    await Promise.all(Array.from({ length: 50 }, () => handler(new Request('http://app.test/'))));
    expect(loads).toBe(1);
  });
});

describe('createHandler', () => {
  it('refuses a build of a newer manifest version and says which release to install', () => {
    const build = buildOf({ routes: {} });
    build.manifest.version = MANIFEST_VERSION + 1;
    expect(() => createHandler(build)).toThrow(/manifest version \d+.*understands up to \d+/);
  });

  it('accepts the namespace of an imported CommonJS build', async () => {
    const build = buildOf({ routes: { '/': { GET: () => new Response('ok') } } });
    const handler = createHandler({ default: build, 'module.exports': build });
    expect(await (await handler(new Request('http://app.test/'))).text()).toBe('ok');
  });

  it('refuses a value that is not a build', () => {
    for (const build of [undefined, {}, 'dist/server', { manifest: {} }, { manifest: {}, modules: {} }]) {
      expect(() => createHandler(build), JSON.stringify(build)).toThrow(TypeError);
    }
  });

  it('refuses an origins option that no Origin header can equal', () => {
    for (const origin of ['https://a.test/', 'a.test', 'null', '*']) {
      expect(() => createHandler(buildOf({ routes: {} }), { origins: [origin] }), origin).toThrow(TypeError);
    }
  });
});

describe('a response that cannot be sent', () => {
  it('is replaced by a 500 that keeps the headers that could be set, and its source is told to stop', async () => {
    const cancel = vi.fn();
    const source = new ReadableStream({ cancel });
    const response = await routeOf(
      () => {
        setResponseHeaders({ 'set-cookie': ['kept=1'] });
        setResponseHeaders(() => {
          throw new Error('callback');
        });
        return new Response(source);
      },
      { onError: () => {} },
    )();
    expect([response.status, response.headers.getSetCookie()]).toEqual([500, ['kept=1']]);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });
});

describe('a client that disconnects', () => {
  it('is not reported as an error of the route', async () => {
    const onError = vi.fn();
    const handler = handlerOf(
      { routes: { '/': { GET: (request: Request) => Promise.reject(request.signal.reason) } } },
      { onError },
    );
    await handler(new Request('http://app.test/', { signal: AbortSignal.abort() }));
    expect(onError).not.toHaveBeenCalled();
  });
});

it('reports a route that exports something else than a function', async () => {
  const onError = vi.fn();
  const handler = handlerOf({ routes: { '/': { GET: 'text' } } }, { onError });
  expect((await handler(new Request('http://app.test/'))).status).toBe(500);
  expect(onError.mock.calls[0]?.[0]).toMatchObject({
    code: 'ERR_ROUTE_INVALID',
    message: '/+api.js exports GET, but it is not a function. Export a function of that name.',
  });
});
