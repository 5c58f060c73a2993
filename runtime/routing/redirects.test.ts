import { describe, expect, it, vi } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import type { App } from '../fixtures/app.ts';
import { setResponseHeaders } from '../helpers.ts';
import type { ManifestRedirect } from '../manifest.ts';
import { createRedirect } from './redirects.ts';

const api = { GET: (request: Request) => new Response(request.url) };

async function ask(app: App, path: string, init?: RequestInit, basePath?: string): Promise<[number, string | null]> {
  const handler = handlerOf(app);
  const response = await handler(new Request(`http://app.test${path}`, init), { basePath });
  return [response.status, response.headers.get('location')];
}

describe('a redirect', () => {
  const app: App = {
    redirects: [
      { source: '/old/[...path]', destination: '/rest/[...path]' },
      { source: '/old/[id]', destination: '/one/[id]' },
      { source: '/old/static', destination: '/new', permanent: true },
      { source: '/away/[id]', destination: 'https://example.com/[id]?from=app' },
    ],
    routes: { '/old/static': api, '/[...all]': api },
  };

  it('answers 307, or 308 when it is permanent, without a body', async () => {
    expect(await ask(app, '/old/7')).toEqual([307, '/one/7']);
    expect(await ask(app, '/old/static/')).toEqual([308, '/new']);
    const response = await handlerOf(app)(new Request('http://app.test/old/7'));
    expect(await response.text()).toBe('');
  });

  it('lets a path pass that no redirect fits', async () => {
    expect(await ask(app, '/elsewhere')).toEqual([200, null]);
  });

  it('keeps slashes in the middle of a path', async () => {
    const redirects: ManifestRedirect[] = [{ source: '/a/[...path]', destination: '/b/[...path]' }];
    expect(await ask({ redirects }, '/a/x', {}, '/m//n')).toEqual([404, null]);
    expect(await ask({ redirects }, '/m//n/a/x', {}, '/m//n')).toEqual([307, '/m//n/b/x']);
  });

  it('is chosen by how well its source fits, in any order', async () => {
    for (const redirects of [app.redirects ?? [], (app.redirects ?? []).toReversed()]) {
      expect(await ask({ ...app, redirects }, '/old/static')).toEqual([308, '/new']);
      expect(await ask({ ...app, redirects }, '/old/7')).toEqual([307, '/one/7']);
      expect(await ask({ ...app, redirects }, '/old/7/8')).toEqual([307, '/rest/7/8']);
    }
  });

  it('goes before every route, even one that fits better, and for every method', async () => {
    for (const method of ['POST', 'HEAD', 'OPTIONS', 'PROPFIND']) {
      expect(await ask(app, '/old/static', { method })).toEqual([308, '/new']);
    }
  });

  it('may be for some methods; GET stands for HEAD too', async () => {
    const redirects: ManifestRedirect[] = [
      { source: '/a', destination: '/read', methods: ['GET'] },
      { source: '/a', destination: '/write', methods: ['POST', 'PUT'] },
      { source: '/[x]', destination: '/other' },
    ];
    const asked = { redirects, routes: {} };
    expect(await ask(asked, '/a')).toEqual([307, '/read']);
    expect(await ask(asked, '/a', { method: 'HEAD' })).toEqual([307, '/read']);
    expect(await ask(asked, '/a', { method: 'PUT' })).toEqual([307, '/write']);
    expect(await ask(asked, '/a', { method: 'DELETE' })).toEqual([307, '/other']);
    expect(await ask(asked, '/a', { method: 'PROPFIND' })).toEqual([307, '/other']);
  });

  it('keeps the query', async () => {
    expect(await ask(app, '/old/7?a=1&b=%20')).toEqual([307, '/one/7?a=1&b=%20']);
    expect(await ask(app, '/away/7?from=me&to=you')).toEqual([307, 'https://example.com/7?from=app&to=you']);
  });

  it('names a path below the mount', async () => {
    expect(await ask(app, '/sub/old/7', {}, '/sub')).toEqual([307, '/sub/one/7']);
    expect(await ask(app, '/old/7', {}, '/')).toEqual([307, '/one/7']);
    expect(await ask(app, '/sub/away/7', {}, '/sub')).toEqual([307, 'https://example.com/7?from=app']);
  });

  it("never leaves the origin because of a request's content", async () => {
    const open: App = {
      redirects: [
        { source: '/[...path]', destination: '/[...path]' },
        { source: '/go/[to]', destination: '/[to]' },
      ],
    };
    const attacks = [
      '/go/%2F%2Fevil.example',
      '/go/%5Cevil.example',
      '/%2Fevil.example',
      '/%5C%5Cevil.example',
      '/go/@evil.example',
    ];
    for (const path of [
      ...attacks,
      '/..//evil.example',
      '/go/..%2F..%2F%2Fevil.example',
      '/%09/evil.example',
      '/a/..//evil.example',
    ]) {
      const [, location] = await ask(open, path);
      expect([path, new URL(location ?? '/', 'http://app.test').origin]).toEqual([path, 'http://app.test']);
    }
    // A mount that is a pattern of the framework, filled by the client's URL.
    expect(await ask(open, '//evil.example/x', {}, '//evil.example')).toEqual([307, '/evil.example/x']);
  });

  it('lets a path pass whose parameter would leave its folder, on a host that does not parse its URLs', () => {
    const redirect = createRedirect(app.redirects);
    const request = { method: 'GET', url: 'http://app.test/old/..' } as Request;
    expect(redirect?.({ request, pathname: '/old/..', basePath: '' })).toBe(undefined);
  });

  it('cannot be made to send a header', async () => {
    const [, location] = await ask(
      { redirects: [{ source: '/[x]', destination: '/a/[x]' }] },
      '/%0d%0aset-cookie:%20a=b',
    );
    expect(location).toBe('/a/%0D%0Aset-cookie%3A%20a%3Db');
  });

  it('comes after the middleware, and has its headers', async () => {
    const middleware = {
      default(request: Request) {
        setResponseHeaders({ 'x-seen': new URL(request.url).pathname });
        return request.headers.has('authorization') ? undefined : new Response('who?', { status: 401 });
      },
    };
    expect(await ask({ ...app, middleware }, '/old/7')).toEqual([401, null]);
    const request = new Request('http://app.test/old/7', { headers: { authorization: 'me' } });
    const response = await handlerOf({ ...app, middleware })(request);
    expect([response.status, response.headers.get('x-seen')]).toEqual([307, '/old/7']);
  });

  it('comes after the 400 of a malformed path', async () => {
    expect(await ask(app, '/old/%zz')).toEqual([400, null]);
  });

  it('does not read the body', async () => {
    const onError = vi.fn();
    const request = new Request('http://app.test/old/7', { method: 'POST', body: 'text' });
    const response = await handlerOf(app, { onError })(request);
    expect([response.status, request.bodyUsed, onError.mock.calls]).toEqual([307, false, []]);
  });
});
