import { describe, expect, it, vi } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import type { App } from '../fixtures/app.ts';
import { StatusError } from '../http/status-error.ts';
import { findCacheControl, toPage } from './pages.ts';

const prerendered = { html: '<p>home</p>', etag: '"v1"', data: '{"n":1}' };
const show = (name: string): NonNullable<App['pages']> => ({
  [name]: { GET: (_request, params) => Response.json({ page: name, params }) },
});

async function ask(app: App, path: string, init?: RequestInit): Promise<Response> {
  return handlerOf(app)(new Request(`http://app.test${path}`, init));
}

describe("the URL of a page's data", () => {
  const app: App = {
    middleware: {
      default: (request: Request) =>
        request.url.endsWith('/left') ? Response.redirect('http://app.test/in') : undefined,
    },
    pages: { '/[...path]': { GET: () => new Response('data') } },
  };
  const asBrowser = { headers: { 'sec-fetch-mode': 'navigate' } };

  it('redirects a browser to the page, on this host', async () => {
    for (const [path, location] of [
      ['/a?_appkit_data=1', '/a'],
      ['/a?x=1&_appkit_data', '/a?x=1'],
    ] as const) {
      const response = await ask(app, path, asBrowser);
      expect([path, response.status, response.headers.get('location')]).toEqual([path, 307, location]);
    }
    expect((await ask(app, '/a?_appkit_data')).status).toBe(200);
    // Nothing answers it, so that no browser is sent to another host.
    expect((await ask(app, '//evil.example/x?_appkit_data', asBrowser)).status).toBe(404);
  });

  it('reports a redirect to the client by a header, and to a browser as usual', async () => {
    const told = await ask(app, '/left?_appkit_data');
    expect([told.status, told.headers.get('appkit-redirect'), told.headers.get('location')]).toEqual([
      204,
      'http://app.test/in',
      null,
    ]);
    expect((await ask(app, '/left?_appkit_data', asBrowser)).headers.get('location')).toBe('http://app.test/in');
    expect((await ask(app, '/left')).headers.get('location')).toBe('http://app.test/in');
  });
});

describe('a request for the data of a page', () => {
  it('reports exactly the answers that redirect, whatever their status', async () => {
    const reportedFor = async (status: number, headers: Record<string, string>): Promise<unknown> => {
      const app: App = {
        middleware: { default: () => new Response(null, { status, headers }) },
        pages: { '/': { GET: () => new Response('data') } },
      };
      const response = await ask(app, '/?_appkit_data');
      return response.headers.get('appkit-redirect') ?? response.status;
    };
    const to = { location: 'http://app.test/in' };
    for (const status of [300, 302, 308, 399]) expect(await reportedFor(status, to)).toBe('http://app.test/in');
    for (const status of [201, 400, 503]) expect(await reportedFor(status, to)).toBe(status);
    expect(await reportedFor(304, {})).toBe(304);
  });

  it('is kept for others only if it is not opened in a browser, which gets the page instead', async () => {
    const app: App = {
      usesCache: true,
      cache: [{ source: '/', maxAge: 60 }],
      pages: { '/': { GET: () => Response.json({}, { headers: { 'cache-control': 'public' } }) } },
    };
    const cacheOf = async (init: RequestInit): Promise<unknown> =>
      (await ask(app, '/?_appkit_data', init)).headers.get('cache-control');
    expect(await cacheOf({ headers: { 'sec-fetch-mode': 'navigate' } })).toBe('private, no-cache');
    expect(await cacheOf({})).toBe('public');
  });
});

describe('a page that does not find its content', () => {
  const failing = (thrown: unknown): App => ({
    pages: { '/': { GET: () => Promise.reject(thrown as Error) } },
    notFound: { '/': { prerendered: { html: 'not-found page', etag: '"v1"' } } },
  });
  const textOf = async (thrown: unknown, path = '/'): Promise<unknown> => {
    const handler = handlerOf(failing(thrown), { onError: () => undefined });
    const response = await handler(new Request(`http://app.test${path}`, { headers: { accept: 'text/html' } }));
    return [response.status, await response.text()];
  };

  it('answers with the not-found page, and to a client that requests its data with the error', async () => {
    const missing = new StatusError(404, 'No such article');
    expect(await textOf(missing)).toEqual([404, 'not-found page']);
    expect(await textOf(missing, '/?_appkit_data')).toEqual([404, '{"error":"No such article"}']);
  });

  it('answers so from its action too', async () => {
    const POST = (): Promise<never> => Promise.reject(new StatusError(404));
    const app: App = { ...failing(undefined), pages: { '/': { GET: () => new Response('page'), POST } } };
    const response = await ask(app, '/', { method: 'POST', headers: { accept: 'text/html' } });
    expect([response.status, await response.text()]).toEqual([404, 'not-found page']);
  });

  it('but not with any other error', async () => {
    expect(await textOf(new StatusError(403, 'Members only'))).toEqual([403, '{"error":"Members only"}']);
    expect(await textOf(new Error('db'))).toEqual([500, 'Internal server error']);
  });
});

describe('an asset that this release does not have', () => {
  const app: App = {
    usesCache: true,
    cache: [{ source: '/[...path]', maxAge: 60 }],
    pages: show('/[...path]'),
    notFound: { '/': { prerendered: { html: 'not-found page', etag: '"v1"' } } },
  };

  it('is not found, even if a page answers every path, so that no cache keeps a document in its place', async () => {
    const response = await ask(app, '/_appkit/assets/page-1a2b3c4d.js');
    expect([response.status, response.headers.get('cdn-cache-control'), await response.text()]).toEqual([
      404,
      null,
      'not-found page',
    ]);
    expect((await ask(app, '/_appkit/assets/page-1a2b3c4d.js?_appkit_data')).status).toBe(404);
    expect((await ask({ ...app, base: '/shop' }, '/shop/_appkit/assets/page-1a2b3c4d.js')).status).toBe(404);
    expect((await ask(app, '/blog/_appkit/assets/page-1a2b3c4d.js')).status).toBe(200);
  });

  it('is not found, even if a rewrite leads to such a page', async () => {
    const rewrites = [{ source: '/[...path]', destination: '/site/[...path]' }];
    const response = await ask(
      { ...app, pages: show('/site/[...path]'), rewrites },
      '/_appkit/assets/page-1a2b3c4d.js',
    );
    expect([response.status, response.headers.get('cdn-cache-control')]).toEqual([404, null]);
  });

  it('is not found for this visitor alone, whatever the config says of caches', async () => {
    const headers = { 'cache-control': 'public, max-age=3600' };
    const nothing = { headers, pages: show('/') };
    for (const one of [{ ...app, headers }, nothing]) {
      const response = await ask(one, '/_appkit/assets/page-1a2b3c4d.js');
      expect([response.status, response.headers.get('cache-control')]).toEqual([404, 'private, no-cache']);
    }
  });

  it('may come from a route, such as one that has the assets of other releases', async () => {
    const routes = { '/_appkit/assets/[name]': { GET: () => new Response('of the last release') } };
    const response = await ask({ ...app, routes }, '/_appkit/assets/page-1a2b3c4d.js');
    expect([response.status, await response.text()]).toEqual([200, 'of the last release']);
  });
});

it('answers 400 to a path that cannot be decoded', async () => {
  const response = await ask({ pages: show('/') }, '/%zz');
  expect([response.status, await response.text()]).toEqual([400, 'Bad request']);
});

describe('a prerendered page', () => {
  const app: App = { pages: { '/': { prerendered }, '/plain': { prerendered: { html: 'plain', etag: 'W/"v2"' } } } };

  it('answers GET with the document, its ETag, and a header to revalidate it', async () => {
    const response = await ask(app, '/?a=b');
    expect([response.status, await response.text(), [...response.headers]]).toEqual([
      200,
      '<p>home</p>',
      [
        ['cache-control', 'public, max-age=0, must-revalidate'],
        ['content-type', 'text/html; charset=utf-8'],
        ['etag', '"v1"'],
      ],
    ]);
  });

  it('answers 304 without content to a client that has the document', async () => {
    for (const known of ['"v1"', 'W/"v1"', '"v0", "v1"', '*']) {
      const response = await ask(app, '/', { headers: { 'if-none-match': known } });
      expect([known, response.status, response.body, [...response.headers]]).toEqual([
        known,
        304,
        null,
        [
          ['cache-control', 'public, max-age=0, must-revalidate'],
          ['etag', '"v1"'],
        ],
      ]);
    }
    const weak = await ask(app, '/plain', { method: 'HEAD', headers: { 'if-none-match': '"v2"' } });
    expect(weak.status).toBe(304);
    expect((await ask(app, '/', { headers: { 'if-none-match': '"v2"' } })).status).toBe(200);
  });

  it("has the config's Cache-Control instead of its own", async () => {
    const configured: App = { ...app, headers: { 'Cache-Control': 'public, s-maxage=60' } };
    for (const [path, init] of [
      ['/', {}],
      ['/', { method: 'HEAD' }],
      ['/', { headers: { 'if-none-match': '"v1"' } }],
      ['/?_appkit_data', {}],
    ] as [string, RequestInit][]) {
      const response = await ask(configured, path, init);
      expect([path, response.headers.get('cache-control')]).toEqual([path, 'public, s-maxage=60']);
    }
  });

  it('has its own Cache-Control if the config sets only other headers', async () => {
    const response = await ask({ ...app, headers: { 'x-frame-options': 'DENY' } }, '/');
    expect(response.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
  });

  it('leaves POST to the action of its page', async () => {
    const POST = async (): Promise<Response> => new Response('action');
    const pages: App['pages'] = { '/posts/[id]': { GET: () => new Response('page'), POST } };
    const acting: App = { pages, prerendered: { '/posts/[id]': { '/posts/1': { prerendered } } } };
    expect(await (await ask(acting, '/posts/1', { method: 'POST' })).text()).toBe('action');
  });

  it('answers HEAD as GET', async () => {
    const response = await ask(app, '/', { method: 'HEAD' });
    expect([response.status, response.headers.get('etag')]).toEqual([200, '"v1"']);
  });

  it('answers with its data as JSON on request', async () => {
    for (const query of ['?_appkit_data', '?_appkit_data=1', '?a=b&_appkit_data=', '?%5Fappkit_data&_appkit_data']) {
      const response = await ask(app, `/${query}`, { headers: { 'if-none-match': '"v1"' } });
      expect([query, response.status, response.headers.get('content-type')]).toEqual([query, 200, 'application/json']);
      expect([await response.json(), response.headers.get('etag')]).toEqual([{ n: 1 }, null]);
    }
    for (const query of ['?_appkit_data2', '?a=_appkit_data', '?_APPKIT_DATA']) {
      expect(await (await ask(app, `/${query}`)).text()).toBe('<p>home</p>');
    }
  });

  it('answers 404 for data that it does not have', async () => {
    const response = await ask(app, '/plain?_appkit_data');
    expect([response.status, response.headers.get('content-type'), await response.text()]).toEqual([
      404,
      'text/plain',
      'Not found',
    ]);
  });

  it('is found by its parameters before a page rendered on request', async () => {
    const dynamic: App = {
      pages: { ...show('/posts/[id]'), ...show('/caf\u00e9/[...rest]') },
      prerendered: {
        '/posts/[id]': { '/posts/1': { prerendered }, '/posts/a%2Fb': { prerendered } },
        '/caf\u00e9/[...rest]': { '/caf\u00e9/a/b%20c': { prerendered } },
      },
    };
    for (const path of ['/posts/1', '/posts/%31/', '/posts/a%2fb', '/caf%C3%A9/a/b%20c']) {
      expect([path, (await ask(dynamic, path)).headers.get('etag')]).toEqual([path, '"v1"']);
    }
    for (const path of ['/posts/2', '/posts/constructor', '/posts/__proto__', '/caf%C3%A9/a']) {
      expect([path, (await ask(dynamic, path)).headers.get('etag')]).toEqual([path, null]);
    }
    expect(await (await ask(dynamic, '/posts/__proto__')).json()).toMatchObject({ params: { id: '__proto__' } });
  });
});

describe('a page that is rendered on request', () => {
  it('receives the unchanged request, and its parameters', async () => {
    const GET = vi.fn((request: Request, params: object) => Response.json({ url: request.url, params }));
    const response = await ask({ pages: { '/posts/[id]': { GET } } }, '/posts/a%20b?_appkit_data');
    expect(await response.json()).toEqual({
      url: 'http://app.test/posts/a%20b?_appkit_data',
      params: { id: 'a b' },
    });
  });

  it('is called for HEAD too, with or without implicitHead', async () => {
    for (const implicitHead of [true, false]) {
      const pages = {
        '/': { GET: async ({ method }: Request) => new Response('x', { headers: { 'x-method': method } }) },
      };
      const response = await ask({ pages, implicitHead }, '/', { method: 'HEAD' });
      expect([response.status, response.headers.get('x-method')]).toEqual([200, 'HEAD']);
    }
  });

  it('may throw a Response or a StatusError, and is named in its errors', async () => {
    const thrower = (thrown: unknown): App => ({
      pages: {
        '/': {
          GET() {
            throw thrown;
          },
        },
      },
    });
    expect((await ask(thrower(Response.redirect('http://app.test/login')), '/')).status).toBe(302);
    expect((await ask(thrower(new StatusError(403)), '/')).status).toBe(403);
    const onError = vi.fn();
    const nothing = { pages: { '/': { GET: () => undefined as unknown as Response } } };
    expect((await handlerOf(nothing, { onError })(new Request('http://app.test/'))).status).toBe(500);
    expect(String(onError.mock.calls[0]?.[0])).toContain('GET of /.js returned undefined');
  });

  it('must be one', async () => {
    const onError = vi.fn();
    const handler = handlerOf({ pages: { '/': {} as { GET(): Response } } }, { onError });
    expect((await handler(new Request('http://app.test/'))).status).toBe(500);
    expect(onError.mock.calls[0]?.[0]).toMatchObject({
      code: 'ERR_BUILD_INVALID',
      message: 'The page /.js of the server build has neither prerendered nor GET. Export the app again.',
    });
  });

  it('is behind the middleware, even for its data', async () => {
    const middleware = {
      default: () => new Response('who?', { status: 401 }),
      config: { matcher: { patterns: ['/posts/[id]'] } },
    };
    const app: App = { pages: { '/posts/[id]': { prerendered } }, middleware };
    for (const path of ['/posts/1', '/posts/1?_appkit_data', '/posts/1/']) {
      expect([path, (await ask(app, path)).status]).toEqual([path, 401]);
    }
  });
});

describe('pages and API routes', () => {
  const route = (name: string): Record<string, unknown> => ({
    GET: () => Response.json({ route: name }),
    POST: (_request: Request, params: object) => Response.json({ route: name, params }),
  });

  it('are ranked together', async () => {
    const app: App = {
      pages: { ...show('/a/[x]'), ...show('/[y]/c') },
      routes: { '/a/b': route('/a/b'), '/[...z]': route('/[...z]') },
    };
    expect(await (await ask(app, '/a/b')).json()).toEqual({ route: '/a/b' });
    expect(await (await ask(app, '/a/c')).json()).toEqual({ page: '/a/[x]', params: { x: 'c' } });
    expect(await (await ask(app, '/z/c')).json()).toEqual({ page: '/[y]/c', params: { y: 'z' } });
    expect(await (await ask(app, '/z')).json()).toEqual({ route: '/[...z]' });
    // A page keeps its path for all methods.
    expect((await ask(app, '/a/c', { method: 'POST' })).status).toBe(405);
  });

  it('share a path: the page answers GET and HEAD, the route the rest, each with its own parameters', async () => {
    const app: App = { pages: show('/posts/[slug]'), routes: { '/posts/[id]': route('/posts/[id]') } };
    expect(await (await ask(app, '/posts/1')).json()).toEqual({ page: '/posts/[slug]', params: { slug: '1' } });
    expect((await ask(app, '/posts/1', { method: 'HEAD' })).status).toBe(200);
    const post = await ask(app, '/posts/1', { method: 'POST' });
    expect(await post.json()).toEqual({ route: '/posts/[id]', params: { id: '1' } });
  });

  it('share a path: the page with an action answers POST too, and the route the rest', async () => {
    const acting = { GET: () => new Response('page'), POST: () => new Response('action') };
    const rest = { POST: () => new Response('route'), PUT: () => new Response('route') };
    const app: App = { pages: { '/a': acting, ...show('/b') }, routes: { '/a': rest, '/b': rest } };
    const textOf = async (path: string, method: string): Promise<string> => (await ask(app, path, { method })).text();
    expect([await textOf('/a', 'POST'), await textOf('/a', 'PUT')]).toEqual(['action', 'route']);
    expect([await textOf('/b', 'POST'), await textOf('/b', 'PUT')]).toEqual(['route', 'route']);
  });

  it('do not share a path if their patterns only look similar', async () => {
    const app: App = {
      pages: { ...show('/a/[...path]'), ...show('/c/d') },
      routes: { '/a/[id]': route('/a/[id]'), '/c=d': route('/c=d') },
    };
    expect(await (await ask(app, '/a/1')).json()).toEqual({ route: '/a/[id]' });
    expect(await (await ask(app, '/c=d')).json()).toEqual({ route: '/c=d' });
  });

  it('answer 405 with the methods of both', async () => {
    const acting = { GET: () => new Response('page'), POST: () => new Response('action') };
    const pages = { ...show('/a'), ...show('/b'), '/c': acting };
    const app: App = { pages, routes: { '/a': { POST: route('/a')['POST'] } } };
    const allowed = async (path: string, method: string): Promise<unknown> => {
      const response = await ask(app, path, { method });
      return [response.status, response.headers.get('allow'), await response.text()];
    };
    expect(await allowed('/a', 'DELETE')).toEqual([405, 'GET, POST, HEAD', 'Method not allowed']);
    expect(await allowed('/b', 'POST')).toEqual([405, 'GET, HEAD', 'Method not allowed']);
    expect(await allowed('/c', 'PUT')).toEqual([405, 'GET, POST, HEAD', 'Method not allowed']);
    expect(await allowed('/b', 'OPTIONS')).toEqual([405, 'GET, HEAD', 'Method not allowed']);
    expect(await allowed('/b', 'PROPFIND')).toEqual([405, 'GET, HEAD', 'Method not allowed']);
  });

  it('are both reached by rewrites', async () => {
    const app: App = { pages: show('/posts/[id]'), rewrites: [{ source: '/p/[n]', destination: '/posts/[n]' }] };
    expect(await (await ask(app, '/p/7')).json()).toEqual({ page: '/posts/[id]', params: { id: '7' } });
  });
});

it('has neither an action nor a use of cache() if the manifest leaves them out', () => {
  expect(toPage({ pattern: '/a', file: 'a.js' })).toMatchObject({ hasAction: false, usesCache: false });
});

it('finds the Cache-Control of the config, whatever its spelling, and joins several values', () => {
  expect(findCacheControl({ 'x-a': '1', 'Cache-Control': ['public', 'max-age=5'] })).toBe('public, max-age=5');
  expect(findCacheControl({ 'x-a': '1' })).toBe(undefined);
});
