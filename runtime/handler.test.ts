import { describe, expect, it, vi } from 'vitest';
import { createHandler } from './handler.ts';
import type { Handler, HandlerOptions } from './handler.ts';
import { deferTask, environment, origin, runTask, setResponseHeaders } from './helpers.ts';
import type { ServerBuild } from './manifest.ts';
import { StatusError } from './status-error.ts';
import { createTaskSet } from './tasks.ts';

type Routes = Record<string, Record<string, unknown>>;

interface App {
  routes: Routes;
  middleware?: Record<string, unknown>;
  implicitHead?: boolean;
}

function buildOf({ routes, middleware, implicitHead }: App): ServerBuild {
  const modules: ServerBuild['modules'] = {};
  for (const [pattern, module] of Object.entries(routes)) modules[`${pattern}+api.js`] = () => module;
  if (middleware) modules['+middleware.js'] = () => middleware;
  return {
    manifest: {
      version: 1,
      routes: Object.keys(routes).map((pattern) => ({ pattern, file: `${pattern}+api.js`, methods: [] })),
      ...(middleware && { middleware: { file: '+middleware.js' } }),
      ...(implicitHead && { implicitHead }),
    },
    modules,
  };
}

function handlerOf(app: App, options?: HandlerOptions): Handler {
  return createHandler(buildOf(app), options);
}

function routeOf(
  GET: (request: Request) => unknown,
  options?: HandlerOptions,
): (init?: RequestInit) => Promise<Response> {
  const handler = handlerOf({ routes: { '/': { GET } } }, options);
  return (init) => handler(new Request('http://app.test/', init));
}

describe('a handler', () => {
  it('answers 404 where no route is', async () => {
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

  it('answers 400 for a path whose encoding is malformed, also where no route is', async () => {
    const handler = handlerOf({ routes: { '/[id]': { GET: () => new Response() } } });
    for (const path of ['/%zz', '/%', '/a/b/%ff', '/%C3%28']) {
      expect((await handler(new Request(`http://app.test${path}`))).status, path).toBe(400);
    }
  });

  it('matches below the mount and answers 404 beside it', async () => {
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

  it('answers 500 rather than nothing when a route returns a Response it has sent before', async () => {
    const onError = vi.fn();
    const shared = new Response('once');
    const get = routeOf(() => shared, { onError });
    expect(await (await get()).text()).toBe('once');
    expect((await get()).status).toBe(500);
    expect(String(onError.mock.calls[0]?.[0])).toContain('already been read');
  });

  it('tells the client nothing of an error, and onError everything', async () => {
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

  it('answers all the same when onError itself fails', async () => {
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

  it('tries a module again that failed to load', async () => {
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
    build.manifest.version = 2;
    expect(() => createHandler(build)).toThrow(/manifest version 2.*understands up to 1/);
  });

  it('takes the namespace of an imported CommonJS build', async () => {
    const build = buildOf({ routes: { '/': { GET: () => new Response('ok') } } });
    const handler = createHandler({ default: build, 'module.exports': build });
    expect(await (await handler(new Request('http://app.test/'))).text()).toBe('ok');
  });

  it('refuses what is no build', () => {
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

describe('setResponseHeaders', () => {
  it('applies to what is returned, thrown, refused and missing', async () => {
    const handler = handlerOf(
      {
        middleware: { default: () => setResponseHeaders({ 'x-all': 'yes' }) },
        routes: {
          '/returned': { GET: () => new Response('r') },
          '/response': { GET: () => Promise.reject(new Response('t', { status: 409 })) },
          '/status': { GET: () => Promise.reject(new StatusError(418)) },
          '/error': { GET: () => Promise.reject(new Error('e')) },
          '/redirect': { GET: () => Response.redirect('http://app.test/') },
        },
      },
      { onError: () => {} },
    );
    const statuses: [path: string, status: number, method?: string][] = [
      ['/returned', 200],
      ['/response', 409],
      ['/status', 418],
      ['/error', 500],
      ['/redirect', 302],
      ['/missing', 404],
      ['/returned', 405, 'PUT'],
    ];
    for (const [path, status, method = 'GET'] of statuses) {
      const response = await handler(new Request(`http://app.test${path}`, { method }));
      expect([path, response.status, response.headers.get('x-all')]).toEqual([path, status, 'yes']);
    }
  });

  it('sets strings, appends lists, appends the cookies of a Headers and sets its other names, in order', async () => {
    const get = routeOf(() => {
      setResponseHeaders({ 'x-a': '1', 'set-cookie': ['a=1', 'b=2'] });
      setResponseHeaders({ 'x-a': '2', 'x-b': ['1', '2'] });
      setResponseHeaders(
        new Headers([
          ['set-cookie', 'c=3'],
          ['set-cookie', 'd=4'],
          ['x-c', '1'],
        ]),
      );
      setResponseHeaders((headers) => headers.append('x-c', headers.get('content-type') ?? ''));
      setResponseHeaders((headers) => new Headers([['x-d', String(headers.getSetCookie().length)]]));
      return new Response('hello', { headers: { 'x-a': '0', 'x-b': '0', 'set-cookie': 'own=1' } });
    });
    const { headers } = await get();
    expect(headers.getSetCookie()).toEqual(['own=1', 'a=1', 'b=2', 'c=3', 'd=4']);
    expect([headers.get('x-a'), headers.get('x-b'), headers.get('x-c'), headers.get('x-d')]).toEqual([
      '2',
      '0, 1, 2',
      '1, text/plain;charset=UTF-8',
      '5',
    ]);
  });

  it('takes a Headers as it is when it is given', async () => {
    const response = await routeOf(() => {
      const given = new Headers({ 'x-a': '1' });
      setResponseHeaders(given);
      given.set('x-a', '2');
      return new Response();
    })();
    expect(response.headers.get('x-a')).toBe('1');
  });

  it('never lets the headers of one request into the next, when a route returns one constant Response', async () => {
    const constant = new Response(null, { status: 201, headers: { 'x-own': '1' } });
    let visit = 0;
    const get = routeOf(() => {
      visit++;
      if (visit < 3) setResponseHeaders({ 'set-cookie': [`session=${visit}`] });
      return constant;
    });
    const seen = [];
    for (let request = 0; request < 3; request++) {
      const { headers } = await get();
      seen.push([headers.getSetCookie(), headers.get('x-own')]);
    }
    expect(seen).toEqual([
      [['session=1'], '1'],
      [['session=2'], '1'],
      [[], '1'],
    ]);
  });

  it('throws at the call for a name or value that no header has', async () => {
    const onError = vi.fn();
    await routeOf(
      () => {
        expect(() => setResponseHeaders({ 'bad name': 'x' })).toThrow(TypeError);
        expect(() => setResponseHeaders({ 'x-a': 'a\r\nx-b: injected' })).toThrow(TypeError);
        expect(() => setResponseHeaders({ 'x-a': undefined as never })).toThrow('Leave the name out');
        return new Response();
      },
      { onError },
    )();
    expect(onError).not.toHaveBeenCalled();
  });

  it('answers 500 and reports it when a callback fails or is asynchronous', async () => {
    for (const callback of [
      () => Promise.reject(new Error('late')),
      () => {
        throw new Error('now');
      },
    ]) {
      const onError = vi.fn();
      const response = await routeOf(
        () => {
          setResponseHeaders(callback as never);
          return new Response('x');
        },
        { onError },
      )();
      expect(response.status).toBe(500);
      expect(onError).toHaveBeenCalledTimes(1);
    }
  });
});

describe('a response that cannot be sent', () => {
  it('is replaced by a 500 that keeps the headers that could be set, and its source is told to stop', async () => {
    let cancelled = false;
    const source = new ReadableStream({ cancel: () => void (cancelled = true) });
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
    expect([response.status, response.headers.getSetCookie(), cancelled]).toEqual([500, ['kept=1'], true]);
  });
});

describe('a client that leaves', () => {
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

describe('tasks', () => {
  it('runTask starts at once, keeps the host alive and cannot change the answer', async () => {
    const order: string[] = [];
    const kept: Promise<unknown>[] = [];
    const onError = vi.fn();
    const handler = handlerOf(
      {
        routes: {
          '/': {
            GET: () => {
              runTask(async () => {
                order.push('task');
                await Promise.resolve();
                throw new Error('rejected');
              });
              runTask(() => {
                throw new Error('thrown');
              });
              order.push('route');
              return new Response('ok');
            },
          },
        },
      },
      { onError },
    );
    const response = await handler(new Request('http://app.test/'), { waitUntil: (promise) => kept.push(promise) });
    expect(await response.text()).toBe('ok');
    await Promise.all(kept);
    expect(order).toEqual(['task', 'route']);
    expect(onError.mock.calls.map(([error]) => (error as Error).message).toSorted()).toEqual(['rejected', 'thrown']);
  });

  it('deferTask starts after the response, with origin() and environment(), and without setResponseHeaders()', async () => {
    const tasks = createTaskSet();
    const seen: unknown[] = [];
    const handler = handlerOf(
      {
        routes: {
          '/': {
            GET: () => {
              deferTask(() => {
                seen.push(origin(), environment());
                expect(() => setResponseHeaders({ 'x-late': '1' })).toThrow('already been sent');
                deferTask(() => seen.push('nested'));
              });
              return new Response('ok');
            },
          },
        },
      },
      { environment: 'staging' },
    );
    const response = await handler(new Request('http://app.test/'), { waitUntil: tasks.waitUntil });
    expect(seen).toEqual([]);
    expect(response.status).toBe(200);
    await tasks.drain();
    expect(seen).toEqual(['http://app.test', 'staging', 'nested']);
  });

  it('deferTask runs after a thrown Response and a StatusError, not after an unhandled error', async () => {
    const tasks = createTaskSet();
    const ran: string[] = [];
    const throwing = (name: string, thrown: unknown): Record<string, unknown> => ({
      GET: () => {
        deferTask(() => ran.push(name));
        throw thrown;
      },
    });
    const handler = handlerOf(
      {
        routes: {
          '/response': throwing('response', new Response('x')),
          '/status': throwing('status', new StatusError(400)),
          '/error': throwing('error', new Error('e')),
        },
      },
      { onError: () => {} },
    );
    for (const path of ['/response', '/status', '/error']) {
      await handler(new Request(`http://app.test${path}`), { waitUntil: tasks.waitUntil });
    }
    await tasks.drain();
    expect(ran.toSorted()).toEqual(['response', 'status']);
  });

  it('refuse what is not a function', async () => {
    const onError = vi.fn();
    await routeOf(() => runTask(Promise.resolve() as never), { onError })();
    expect(String(onError.mock.calls[0]?.[0])).toContain('runTask() was given a promise');
  });

  it('drain() waits for what begins until it ends', async () => {
    const tasks = createTaskSet();
    await tasks.drain();
    tasks.begin();
    let drained = false;
    const draining = tasks.drain().then(() => (drained = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(drained).toBe(false);
    tasks.end();
    await draining;
  });

  it('drain() waits for tasks that are added while it waits', async () => {
    const tasks = createTaskSet();
    const { promise, resolve } = Promise.withResolvers<void>();
    let second = false;
    tasks.waitUntil(promise.then(() => tasks.waitUntil(Promise.resolve().then(() => (second = true)))));
    resolve();
    await tasks.drain();
    expect(second).toBe(true);
  });
});

describe('origin()', () => {
  async function originFor(
    header: string | undefined,
    host?: { origin?: string },
    origins?: string[],
  ): Promise<string | null> {
    let seen: string | null = null;
    const handler = handlerOf({ routes: { '/': { GET: () => ((seen = origin()), new Response()) } } }, { origins });
    await handler(new Request('http://app.test/', header === undefined ? {} : { headers: { origin: header } }), host);
    return seen;
  }

  it('is the Origin header when that is one http(s) origin', async () => {
    expect(await originFor('https://shop.example')).toBe('https://shop.example');
    expect(await originFor('https://shop.example:8443', { origin: 'https://vouched.example' })).toBe(
      'https://shop.example:8443',
    );
  });

  it('is what the host vouches for, else of the URL, when the header is no such origin', async () => {
    for (const header of [
      undefined,
      'null',
      'https://a.test https://b.test',
      'file://x',
      'https://a.test/',
      'chrome-extension://x',
    ]) {
      expect(await originFor(header, { origin: 'https://vouched.example' }), String(header)).toBe(
        'https://vouched.example',
      );
      expect(await originFor(header), String(header)).toBe('http://app.test');
    }
  });

  it('takes only listed origins when origins are listed', async () => {
    expect(await originFor('https://evil.example', {}, ['https://shop.example'])).toBe('http://app.test');
    expect(await originFor('https://shop.example', {}, ['https://shop.example'])).toBe('https://shop.example');
  });
});

describe('environment()', () => {
  async function environmentFor(
    option: string | undefined,
    host: string | undefined,
    nodeEnv: string,
  ): Promise<string | null> {
    vi.stubEnv('NODE_ENV', nodeEnv);
    let seen: string | null = 'unset';
    const handler = handlerOf(
      { routes: { '/': { GET: () => ((seen = environment()), new Response()) } } },
      { environment: option },
    );
    await handler(new Request('http://app.test/'), { environment: host });
    vi.unstubAllEnvs();
    return seen;
  }

  it('is the option, else of the host, else NODE_ENV, and null for production and none', async () => {
    expect(await environmentFor('staging', 'preview', 'test')).toBe('staging');
    expect(await environmentFor(undefined, 'preview', 'test')).toBe('preview');
    expect(await environmentFor(undefined, undefined, 'test')).toBe('test');
    expect(await environmentFor('production', 'preview', 'test')).toBe(null);
    expect(await environmentFor(undefined, 'production', 'test')).toBe(null);
    expect(await environmentFor(undefined, undefined, '')).toBe(null);
  });
});

describe('middleware', () => {
  const ok = { GET: () => new Response('route'), POST: async (request: Request) => new Response(await request.text()) };

  it('ends the request with a Response, and lets it pass with nothing', async () => {
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

  it('tries a RegExp on the decoded path without its trailing slash, and forgets the last time', async () => {
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

  it('fits a pattern to a route whichever form of Unicode it is written in', async () => {
    expect(await reached({ patterns: ['/cafe\u0301'] }, '/caf%C3%A9')).toBe(true);
  });

  it('gives fetch and new Request all headers, and never an empty body in place of the real one', async () => {
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

  it('closes the app rather than open it when its matcher cannot be read', async () => {
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

  it('reads unstable_settings as well', async () => {
    const handler = handlerOf({
      routes: { '/': ok },
      middleware: { default: () => new Response('stopped'), unstable_settings: { matcher: { patterns: ['/other'] } } },
    });
    expect(await (await handler(new Request('http://app.test/'))).text()).toBe('route');
  });

  it('cannot change the headers or take the body, but can read a clone', async () => {
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
});

describe('the request context', () => {
  it('is each request’s own across 1,000 concurrent ones', async () => {
    const handler = handlerOf({
      routes: {
        '/[id]': {
          GET: async (_request: Request, { id }: { id: string }) => {
            for (let turn = 0; turn < Number(id) % 7; turn++) await new Promise((resolve) => setTimeout(resolve));
            setResponseHeaders({ 'x-id': id });
            return new Response(origin());
          },
        },
      },
    });
    const ids = Array.from({ length: 1000 }, (_, id) => id);
    const answers = await Promise.all(
      ids.map(async (id) => {
        const headers = { origin: `https://h${id}.test` };
        const response = await handler(new Request(`http://app.test/${id}`, { headers }));
        return [response.headers.get('x-id'), await response.text()];
      }),
    );
    expect(answers).toEqual(ids.map((id) => [String(id), `https://h${id}.test`]));
  });

  it('is shared by two copies of this package', async () => {
    vi.resetModules();
    const copy = await import('./index.ts');
    expect(copy.StatusError).not.toBe(StatusError);
    const handler = handlerOf({
      routes: {
        '/helpers': {
          GET: () => {
            copy.setResponseHeaders({ 'x-copy': '1' });
            return new Response(copy.origin());
          },
        },
        '/error': { GET: () => Promise.reject(new copy.StatusError(418, 'copied')) },
      },
    });
    const response = await handler(new Request('http://app.test/helpers'));
    expect([response.headers.get('x-copy'), await response.text()]).toEqual(['1', 'http://app.test']);
    expect((await handler(new Request('http://app.test/error'))).status).toBe(418);
  });

  it('is not there while a module loads, whichever request it is loaded for', async () => {
    const build = buildOf({ routes: { '/': {} } });
    let atLoad: unknown;
    build.modules['/+api.js'] = async () => {
      atLoad = await Promise.resolve()
        .then(origin)
        .catch((error: unknown) => error);
      return { GET: () => new Response(origin()) };
    };
    const response = await createHandler(build)(new Request('http://app.test/'));
    expect(await response.text()).toBe('http://app.test');
    expect(String(atLoad)).toContain('outside a request');
  });

  it('outside a request, each helper says so by its name', () => {
    const calls: [name: string, call: () => unknown][] = [
      ['origin()', () => origin()],
      ['environment()', () => environment()],
      ['runTask()', () => runTask(() => {})],
      ['deferTask()', () => deferTask(() => {})],
      ['setResponseHeaders()', () => setResponseHeaders({})],
    ];
    for (const [name, call] of calls) expect(call).toThrow(`${name} was called outside a request`);
  });
});
