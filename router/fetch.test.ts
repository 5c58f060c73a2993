import { AsyncLocalStorage } from 'node:async_hooks';
import { afterEach, describe, expect, it } from 'vitest';
import type { AnsweringContext } from './answering-context.ts';
import { fetch, fetchRoute } from './fetch.ts';

const key = Symbol.for('appkit.requestContext');
const shared = globalThis as { [key]?: unknown };
const { [key]: before } = shared;

afterEach(() => {
  shared[key] = before;
});

/** Answers a visitor's request, in which `ask` calls the app, whose routes are `answer`. */
async function within<T>(
  ask: () => Promise<T>,
  answer: (request: Request) => Response | Promise<Response>,
  { basePath = '', request = visitor() }: Partial<AnsweringContext> = {},
): Promise<T> {
  const store = new AsyncLocalStorage<AnsweringContext>();
  shared[key] = store;
  const context: AnsweringContext = {
    request,
    basePath,
    dispatch: async (asked) => answer(asked),
    setResponseHeaders: (given) => void given['set-cookie']?.forEach((cookie) => cookies.push(cookie)),
  };
  return store.run(context, ask);
}

function visitor(): Request {
  const headers = { cookie: 'visitor=1', authorization: 'Bearer visitor' };
  return new Request('http://shop.test/page/one', { headers });
}

/** The cookies that the visitor has received. */
const cookies: string[] = [];

const tell = async (request: Request): Promise<Response> =>
  Response.json([request.method, request.url, Object.fromEntries(request.headers), await request.text()]);

describe('within a request', () => {
  it('calls the app as the visitor', async () => {
    const response = await within(() => fetchRoute('/items/[id]', { params: { id: 'a b' }, query: { q: 1 } }), tell);
    const headers = { cookie: 'visitor=1', authorization: 'Bearer visitor', 'sec-fetch-site': 'same-origin' };
    expect([response.url, response.redirected]).toEqual(['http://shop.test/items/a%20b?q=1', false]);
    expect(await response.json()).toEqual(['GET', 'http://shop.test/items/a%20b?q=1', headers, '']);
  });

  it('sends an object or a list as JSON, and repeats the name of a list in the query', async () => {
    const send = async (body: object, headers?: HeadersInit): Promise<unknown> => {
      const options = { method: 'POST', body, query: { tag: ['a', 'b'] }, ...(headers && { headers }) };
      return (await within(() => fetchRoute('/notes', options), tell)).json();
    };
    const sent = (mediaType: RegExp, body: string): unknown => [
      'POST',
      'http://shop.test/notes?tag=a&tag=b',
      expect.objectContaining({ 'content-type': expect.stringMatching(mediaType) }),
      body,
    ];
    expect(await send({ title: 'a' })).toEqual(sent(/^application\/json$/, '{"title":"a"}'));
    expect(await send([1])).toEqual(sent(/^application\/json$/, '[1]'));
    expect(await send({}, { 'content-type': 'a/b+json' })).toEqual(sent(/^a\/b\+json$/, '{}'));
    class Note {
      readonly title = 'a';
    }
    expect(await send(new Note())).toEqual(sent(/^application\/json$/, '{"title":"a"}'));
    const bytes = new TextEncoder().encode('a=1');
    const form = new FormData();
    form.append('a', '1');
    for (const body of [
      bytes,
      bytes.buffer,
      new Blob([bytes]),
      new File([bytes], 'a'),
      new URLSearchParams('a=1'),
      form,
    ]) {
      expect(String(((await send(body)) as unknown[])[3]), body.constructor.name).toMatch(/^a=1$|\r\n1\r\n/);
    }
    expect(await send(new URLSearchParams('a=1'))).toEqual(sent(/^application\/x-www-form-urlencoded/, 'a=1'));
  });

  it('calls paths below the mount, and resolves relative URLs against the page', async () => {
    const url = async (path: string): Promise<string> =>
      within(
        async () => (await fetch(path)).text(),
        ({ url }) => new Response(url),
        { basePath: '/sub' },
      );
    expect(await url('/x')).toBe('http://shop.test/sub/x');
    expect(await url('two')).toBe('http://shop.test/page/two');
  });

  it('sends no credentials that are omitted or replaced', async () => {
    const seen = async (init: RequestInit): Promise<unknown> =>
      within(
        async () => (await fetch('/x', init)).json(),
        ({ headers }) => Response.json([...headers]),
      );
    expect(await seen({ credentials: 'omit' })).toEqual([['sec-fetch-site', 'same-origin']]);
    expect(await seen({ headers: { cookie: 'own=1', authorization: 'own' } })).toEqual([
      ['authorization', 'own'],
      ['cookie', 'own=1'],
      ['sec-fetch-site', 'same-origin'],
    ]);
  });

  it('passes the cookies that are set to the visitor, unless credentials are omitted', async () => {
    const set = (): Response => new Response('x', { headers: { 'set-cookie': 'kept=1' } });
    await within(() => fetch('/x', { credentials: 'omit' }), set);
    expect(cookies.splice(0)).toEqual([]);
    await within(() => fetch('/x'), set);
    expect(cookies.splice(0)).toEqual(['kept=1']);
  });

  it('calls in the name of the visitor who posted', async () => {
    const headers = { origin: 'https://other.test', 'sec-fetch-site': 'cross-site' };
    const posted = new Request('http://shop.test/', { method: 'POST', headers });
    const seen = await within(
      () => fetch('/x'),
      ({ headers }) => Response.json([...headers]),
      { request: posted },
    );
    expect(await seen.json()).toEqual([
      ['origin', 'https://other.test'],
      ['sec-fetch-site', 'cross-site'],
    ]);
  });

  const redirect =
    (status: number, location: string) =>
    (request: Request): Response | Promise<Response> =>
      new URL(request.url).pathname === '/old' ? new Response(null, { status, headers: { location } }) : tell(request);

  it.each([
    [301, 'POST', 'GET', ''],
    [302, 'POST', 'GET', ''],
    [303, 'PUT', 'GET', ''],
    [307, 'POST', 'POST', 'sent'],
    [308, 'PUT', 'PUT', 'sent'],
    [302, 'PUT', 'PUT', 'sent'],
  ])('follows a %i of a %s as the standard does', async (status, method, followed, body) => {
    const init: RequestInit = { method, body: 'sent' };
    const ask = (): Promise<Response> => fetch('/old', init);
    const seen = (await (await within(ask, redirect(status, '/new'))).json()) as unknown[];
    expect([seen[0], seen[1], seen[3]]).toEqual([followed, 'http://shop.test/new', body]);
  });

  it('returns a redirect or fails because of it, as requested', async () => {
    const asked = (mode: RequestRedirect): Promise<Response> =>
      within(() => fetch('/old', { redirect: mode }), redirect(302, '/new'));
    expect((await asked('manual')).status).toBe(302);
    await expect(asked('error')).rejects.toThrow('/old answered with a redirect to /new.');
  });

  it('does not follow a redirect that does not lead to a server', async () => {
    for (const location of ['file:///etc/passwd', 'data:text/plain,x']) {
      await expect(within(() => fetch('/old'), redirect(302, location))).rejects.toThrow('was redirected to');
    }
  });

  it('ends a redirect loop', async () => {
    await expect(within(() => fetch('/old'), redirect(302, '/old'))).rejects.toThrow('more than 20 times');
  });

  it('does not send a stream twice', async () => {
    const body = new Blob(['sent']).stream();
    const ask = (): Promise<Response> => fetch('/old', { method: 'POST', body, duplex: 'half' } as RequestInit);
    await expect(within(ask, redirect(307, '/new'))).rejects.toThrow('would need it twice');
  });
});

it('says outside a request that there is no server to call', async () => {
  delete shared[key];
  await expect(fetchRoute('/hello')).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_ORIGIN_MISSING' });
});
