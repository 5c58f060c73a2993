import { describe, expect, it, vi } from 'vitest';
import { handlerOf } from '../fixtures/app.ts';
import type { App } from '../fixtures/app.ts';
import { StatusError } from '../http/status-error.ts';
import { setResponseHeaders } from '../helpers.ts';

const page = (html: string): { prerendered: { html: string; etag: string } } => ({
  prerendered: { html, etag: '"v1"' },
});
const html = { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' };

async function ask(app: App, path: string, init: RequestInit = { headers: html }): Promise<Response> {
  return handlerOf(app)(new Request(`http://app.test${path}`, init));
}

describe('a not-found page', () => {
  const app: App = { notFound: { '/': page('top') }, routes: { '/a': { GET: () => new Response('a') } } };

  it('answers where nothing else does, with 404 and without an ETag', async () => {
    const response = await ask(app, '/nope', { headers: { ...html, 'if-none-match': '"v1"' } });
    expect([response.status, await response.text(), [...response.headers]]).toEqual([
      404,
      'top',
      [
        ['cache-control', 'public, max-age=0, must-revalidate'],
        ['content-type', 'text/html; charset=utf-8'],
        ['vary', 'Accept'],
      ],
    ]);
    expect((await ask(app, '/nope', { method: 'HEAD', headers: html })).headers.get('content-type')).toMatch(
      /^text\/html/,
    );
  });

  it('answers clients that accept HTML among other types', async () => {
    for (const init of [{}, { headers: { accept: '*/*' } }, { headers: { accept: 'text/*;q=0.1' } }]) {
      const response = await ask(app, '/nope', init);
      expect([response.status, await response.text(), response.headers.get('vary')]).toEqual([404, 'top', 'Accept']);
    }
  });

  it('leaves a line of text for clients that do not accept HTML, and for other methods', async () => {
    const others: RequestInit[] = [
      { headers: { accept: 'text/html;q=0, */*' } },
      { headers: { accept: 'application/json' } },
      { method: 'POST', headers: html },
    ];
    for (const init of others) {
      const response = await ask(app, '/nope', init);
      expect([response.status, await response.text(), [...response.headers]]).toEqual([
        404,
        'Not found',
        [
          ['content-type', 'text/plain'],
          ['vary', 'Accept'],
        ],
      ]);
    }
  });

  it('is that of a folder above if a layout of its own folder has not found its content either', async () => {
    const missing = { GET: () => Promise.reject(new StatusError(404, 'No such area')) };
    const notFound = { '/': page('top'), '/[area]': page('area'), '/[area]/[id]': missing };
    const inner = await ask({ notFound }, '/a/b/c');
    expect([inner.status, await inner.text()]).toEqual([404, 'area']);
    const outer = await ask({ notFound: { ...notFound, '/[area]': missing } }, '/a/b/c');
    expect([outer.status, await outer.text()]).toEqual([404, 'top']);
    const none = await ask({ notFound: { '/': missing, '/[area]': missing } }, '/a');
    expect([none.status, await none.json()]).toEqual([404, { error: 'No such area' }]);
  });

  it('is not that of a folder above if its own has failed, with whatever error', async () => {
    const fromOther = Object.assign(new Error('Request failed'), { status: 404 });
    for (const thrown of [new Error('db'), null, fromOther]) {
      const failing = { GET: () => Promise.reject(thrown as Error) };
      const onError = vi.fn();
      const handler = handlerOf({ notFound: { '/': page('top'), '/[area]': failing } }, { onError });
      expect((await handler(new Request('http://app.test/a', { headers: html }))).status).toBe(500);
      expect(onError.mock.calls).toEqual([[thrown, expect.any(Request)]]);
    }
    const closed = { GET: () => Promise.reject(new StatusError(403, 'Members only')) };
    const response = await ask({ notFound: { '/': page('top'), '/[area]': closed } }, '/a');
    expect([response.status, await response.json()]).toEqual([403, { error: 'Members only' }]);
  });

  it('is behind the middleware of its own folder, whatever page has not found its content', async () => {
    const missing = { GET: () => Promise.reject(new StatusError(404)) };
    const folders = { '/posts': { default: () => new Response('who?', { status: 401 }) } };
    const pages = { '/[kind]/drafts/[id]': missing };
    const notFound = { '/': page('top'), '/posts': page('posts') };
    expect((await ask({ pages, notFound, folders }, '/posts/drafts/1')).status).toBe(401);
    // The nearest page is of another folder, which has not found its content either.
    const others = { ...notFound, '/[kind]/drafts': missing };
    expect((await ask({ pages, notFound: others, folders }, '/posts/drafts/1')).status).toBe(401);
  });

  it('receives a GET request without a body for an action, and the request itself otherwise', async () => {
    const seen: unknown[] = [];
    const GET = async ({ method, url, headers, body, signal }: Request): Promise<Response> => {
      seen.push([method, url, headers.get('cookie'), body, signal.aborted]);
      return new Response('none');
    };
    const POST = (): Promise<never> => Promise.reject(new StatusError(404));
    const handler = handlerOf({
      pages: { '/form': { GET: () => new Response('form'), POST } },
      notFound: { '/': { GET } },
    });
    const headers = { accept: 'text/html', cookie: 'a=1' };
    const { signal } = new AbortController();
    const answers = [
      await handler(new Request('http://app.test/form?b', { method: 'POST', headers, body: 'x', signal })),
      await handler(new Request('http://app.test/nope', { method: 'HEAD', headers })),
    ];
    expect(answers.map(({ status }) => status)).toEqual([404, 404]);
    expect(seen).toEqual([
      ['GET', 'http://app.test/form?b', 'a=1', null, false],
      ['HEAD', 'http://app.test/nope', 'a=1', null, false],
    ]);
  });

  it('gives the middleware of its folder the GET request that it is shown for', async () => {
    const seen: unknown[] = [];
    const middleware = async (request: Request): Promise<void> => {
      seen.push([request.method, request.url, await request.clone().text()]);
    };
    const POST = async (request: Request): Promise<never> => {
      await request.formData();
      throw new StatusError(404);
    };
    const handler = handlerOf({
      pages: { '/[kind]/drafts': { GET: () => new Response('form'), POST } },
      notFound: { '/posts': page('posts') },
      folders: { '/posts': { default: middleware } },
    });
    const body = new URLSearchParams({ title: 'x' });
    const answer = await handler(
      new Request('http://app.test/posts/drafts?b', { method: 'POST', headers: html, body }),
    );
    expect([answer.status, await answer.text()]).toEqual([404, 'posts']);
    expect(seen).toEqual([['GET', 'http://app.test/posts/drafts?b', '']]);
  });

  it('does not change an app without such a page', async () => {
    const response = await ask({ routes: {} }, '/nope');
    expect([await response.text(), [...response.headers]]).toEqual(['Not found', [['content-type', 'text/plain']]]);
  });

  it('does not answer 400, 405, or the 404 of a route', async () => {
    const routes = { '/a': { POST: () => new Response('mine', { status: 404 }) } };
    expect((await ask({ ...app, routes }, '/%zz')).status).toBe(400);
    expect((await ask({ ...app, routes }, '/a')).status).toBe(405);
    expect(await (await ask({ ...app, routes }, '/a', { method: 'POST', headers: html })).text()).toBe('mine');
  });

  it('is the one of the nearest folder', async () => {
    const notFound = {
      '/': page('top'),
      '/blog': page('blog'),
      '/[user]': page('user'),
      '/[user]/posts/[id]': page('post'),
      '/blog/x': page('x'),
    };
    const table: [path: string, text: string][] = [
      ['/', 'top'],
      ['//blog', 'top'],
      ['/blog', 'blog'],
      ['/blog/', 'blog'],
      ['/blog/y/z', 'blog'],
      ['/bl%6Fg/y', 'blog'],
      ['/blog/x/y', 'x'],
      ['/ann', 'user'],
      ['/ann/y', 'user'],
      ['/ann/posts/1/y', 'post'],
      // The longest, though the other begins with text.
      ['/blog/posts/1/y', 'post'],
    ];
    for (const folders of [notFound, Object.fromEntries(Object.entries(notFound).toReversed())]) {
      for (const [path, text] of table) {
        const asked = await ask({ notFound: folders }, path);
        expect([path, await asked.text()]).toEqual([path, text]);
      }
    }
  });

  it('leaves the text where no folder has such a page', async () => {
    const response = await ask({ notFound: { '/blog': page('blog') } }, '/shop');
    expect([await response.text(), response.headers.get('vary')]).toEqual(['Not found', null]);
  });

  it('adds Accept to the Vary of the config, the middleware or the page', async () => {
    const varyOf = async (also: App, accept = 'text/html'): Promise<string | null> =>
      (await ask({ ...app, ...also }, '/nope', { headers: { accept } })).headers.get('vary');
    const middleware = { default: () => setResponseHeaders({ vary: 'X-Tenant' }) };
    const GET = (vary: string) => (): Response => new Response('made', { headers: { vary } });
    for (const accept of ['text/html', 'application/json']) {
      expect(await varyOf({ headers: { Vary: 'Cookie' } }, accept)).toBe('Cookie, Accept');
      expect(await varyOf({ headers: { vary: ['Cookie', 'accept'] } }, accept)).toBe('Cookie, accept');
      expect(await varyOf({ headers: { vary: '*' } }, accept)).toBe('*');
      expect(await varyOf({ middleware }, accept)).toBe('X-Tenant, Accept');
    }
    expect(await varyOf({ notFound: { '/': { GET: GET('Accept-Language, ACCEPT') } } })).toBe(
      'Accept-Language, ACCEPT',
    );
  });

  it('has the headers of the config', async () => {
    const headers = { 'Cache-Control': 'no-store', 'x-frame-options': 'DENY' };
    const response = await ask({ ...app, headers }, '/nope');
    expect([...response.headers]).toEqual([
      ['cache-control', 'no-store'],
      ['content-type', 'text/html; charset=utf-8'],
      ['vary', 'Accept'],
      ['x-frame-options', 'DENY'],
    ]);
  });

  it('may be rendered on request, with the parameters of its folder', async () => {
    const GET = async (request: Request, params: object): Promise<Response> =>
      Response.json({ url: request.url, params }, { headers: { etag: '"x"', vary: 'Cookie', 'x-own': 'yes' } });
    const response = await ask({ notFound: { '/[user]': { GET } } }, '/ann/a/b?c');
    expect([response.status, await response.json()]).toEqual([
      404,
      { url: 'http://app.test/ann/a/b?c', params: { user: 'ann' } },
    ]);
    const { headers } = response;
    expect([headers.get('etag'), headers.get('vary'), headers.get('x-own')]).toEqual([null, 'Cookie, Accept', 'yes']);
  });

  it('may answer with another status, or fail', async () => {
    const answers = (GET: () => Response): App => ({ notFound: { '/': { GET } } });
    expect(
      (
        await ask(
          answers(() => Response.redirect('http://app.test/')),
          '/x',
        )
      ).status,
    ).toBe(302);
    expect(
      (
        await ask(
          answers(() => new Response('down', { status: 503 })),
          '/x',
        )
      ).status,
    ).toBe(503);
    const failing = handlerOf({ notFound: { '/': { GET: () => Promise.reject(new Error('db')) } } }, { onError() {} });
    const failed = await failing(new Request('http://app.test/x', { headers: html }));
    expect([failed.status, failed.headers.get('vary')]).toEqual([500, 'Accept']);
  });

  it("is the one of a rewrite's destination", async () => {
    const rewrites = [{ source: '/old/[...path]', destination: '/blog/[...path]' }];
    const response = await ask({ notFound: { '/': page('top'), '/blog': page('blog') }, rewrites }, '/old/x');
    expect(await response.text()).toBe('blog');
  });
});
