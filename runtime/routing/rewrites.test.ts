import { describe, expect, it } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import type { App } from '../fixtures/app.ts';
import { origin, setResponseHeaders } from '../helpers.ts';

const answer = async (request: Request, params: Record<string, string>): Promise<Response> =>
  Response.json({ url: request.url, method: request.method, params, text: await request.text() });
const api = { GET: answer, POST: answer };

async function ask(app: App, path: string, init?: RequestInit, basePath?: string): Promise<unknown> {
  const response = await handlerOf(app)(new Request(`http://app.test${path}`, init), { basePath });
  return response.status === 200 ? response.json() : response.status;
}

describe('a rewrite', () => {
  const app: App = {
    rewrites: [
      { source: '/shop/[...path]', destination: '/store/[...path]' },
      { source: '/shop/[item]', destination: '/items/[item]?from=shop' },
      { source: '/write', destination: '/items/written', methods: ['POST'] },
      { source: '/items/chained', destination: '/store/chained' },
      { source: '/chain', destination: '/items/chained' },
      { source: '/nowhere', destination: '/no/such' },
    ],
    routes: { '/items/[id]': api, '/store/[...rest]': api, '/shop/[item]': api, '/write': api },
  };

  it('is answered by the route of its destination, which sees that URL and its own parameters', async () => {
    expect(await ask(app, '/shop/7')).toMatchObject({
      url: 'http://app.test/items/7?from=shop',
      params: { id: '7' },
    });
    expect(await ask(app, '/shop/a/b%2Fc?q=1')).toMatchObject({
      url: 'http://app.test/store/a/b%2Fc?q=1',
      params: { rest: 'a/b/c' },
    });
  });

  it('keeps method, headers, body and signal', async () => {
    const controller = new AbortController();
    const seen: Request[] = [];
    const POST = async (request: Request): Promise<Response> => {
      seen.push(request);
      return answer(request, {});
    };
    const init = { method: 'POST', body: 'text', headers: { 'x-sent': 'yes' }, signal: controller.signal };
    const rewritten = { ...app, routes: { '/items/[id]': { POST } } };
    expect(await ask(rewritten, '/write', init)).toMatchObject({ method: 'POST', text: 'text' });
    expect([seen[0]?.headers.get('x-sent'), seen[0]?.signal.aborted]).toEqual(['yes', false]);
    controller.abort();
    expect(seen[0]?.signal.aborted).toBe(true);
  });

  it('applies only to its methods, even to those without a handler', async () => {
    expect(await ask(app, '/write', { method: 'POST', body: '' })).toMatchObject({
      url: 'http://app.test/items/written',
    });
    expect(await ask(app, '/write')).toMatchObject({ url: 'http://app.test/write' });
    expect(await ask(app, '/shop/7', { method: 'DELETE' })).toBe(405);
    expect(await ask(app, '/shop/7', { method: 'PROPFIND' })).toBe(405);
  });

  it('happens once', async () => {
    expect(await ask(app, '/chain')).toMatchObject({ url: 'http://app.test/items/chained' });
  });

  it('answers 404 when nothing answers its destination', async () => {
    expect(await ask(app, '/nowhere')).toBe(404);
  });

  it('comes after the redirects', async () => {
    expect(await ask({ ...app, redirects: [{ source: '/shop/[item]', destination: '/' }] }, '/shop/7')).toBe(307);
  });

  it('stays below the mount and on the origin', async () => {
    expect(await ask(app, '/sub/shop/7', {}, '/sub')).toMatchObject({ url: 'http://app.test/sub/items/7?from=shop' });
    const open: App = {
      rewrites: [{ source: '/[...path]', destination: '/[...path]' }],
      routes: { '/[...rest]': { GET: (request: Request) => Response.json(`${origin()} ${request.url}`) } },
    };
    for (const path of ['/%2F%2Fevil.example', '/%5Cevil.example', '/a/%2F..%2F..%2F']) {
      expect(await ask(open, path)).toBe(`http://app.test http://app.test${path}`);
    }
    expect(await ask(open, '//evil.example/x', {}, '//evil.example')).toBe(
      'http://app.test http://app.test//evil.example/x',
    );
  });

  describe('with middleware', () => {
    const guarding = (...patterns: (string | RegExp)[]): Record<string, unknown> => ({
      default(request: Request) {
        setResponseHeaders((headers) => headers.append('x-saw', new URL(request.url).pathname));
        return request.headers.has('authorization') ? undefined : new Response('who?', { status: 401 });
      },
      config: { matcher: { patterns } },
    });
    const saw = async (middleware: Record<string, unknown>, path: string, login = false): Promise<unknown> => {
      const headers: Record<string, string> = login ? { authorization: 'me' } : {};
      const response = await handlerOf({ ...app, middleware })(new Request(`http://app.test${path}`, { headers }));
      return [response.status, response.headers.get('x-saw')];
    };

    it('does not bypass the middleware of its destination', async () => {
      expect(await saw(guarding('/items/[id]'), '/shop/7')).toEqual([401, '/items/7']);
      expect(await saw(guarding(/^\/items/), '/shop/7')).toEqual([401, '/items/7']);
      expect(await saw(guarding('/items/[id]'), '/shop/7', true)).toEqual([200, '/items/7']);
    });

    it('does not bypass the middleware of its source, which runs once if it guards both', async () => {
      expect(await saw(guarding('/shop/[item]'), '/shop/7')).toEqual([401, '/shop/7']);
      expect(await saw(guarding('/shop/[item]', '/items/[id]'), '/shop/7', true)).toEqual([200, '/shop/7']);
    });

    it('does not run middleware that guards neither', async () => {
      expect(await saw(guarding('/other'), '/shop/7')).toEqual([200, null]);
    });

    it('leaves the body to the route when both have seen the request', async () => {
      const middleware = {
        default: async (request: Request) => {
          setResponseHeaders({ 'x-read': await request.clone().text() });
        },
        config: { matcher: { patterns: ['/items/[id]'] } },
      };
      const request = new Request('http://app.test/write', { method: 'POST', body: 'text' });
      const response = await handlerOf({ ...app, middleware })(request);
      expect([response.headers.get('x-read'), await response.json()]).toMatchObject(['text', { text: 'text' }]);
    });
  });
});
