import { expect, it, vi } from 'vitest';
import { createHandler } from '../handler.ts';
import { deferTask, environment, origin, requestId, runTask, setResponseHeaders } from '../helpers.ts';
import { cache } from '../keep.ts';
import { StatusError } from '../http/status-error.ts';
import type { FetchContext } from '../request/fetch-context.ts';
import type { FetchApp } from './find-fetch-app.ts';

const request = (path: string, init?: RequestInit): Request => new Request(`http://app.test${path}`, init);

it('passes every request on, whatever its method and path', async () => {
  const handler = createHandler({ fetch: ({ method, url }: Request) => new Response(`${method} ${url}`) });
  for (const [method, path] of [
    ['PROPFIND', '/'],
    ['GET', '//x'],
    ['GET', '/%zz'],
    ['HEAD', '/a/'],
    ['OPTIONS', '/a?b=%'],
  ] as const) {
    const answer = await handler(request(path, { method }));
    expect([answer.status, await answer.text()]).toEqual([200, `${method} http://app.test${path}`]);
  }
});

it('finds fetch in a module, its default export, and a CommonJS module that was imported', async () => {
  const app: FetchApp = { fetch: () => new Response('found') };
  for (const build of [app, { default: app }, { default: { default: app }, __esModule: true }]) {
    expect(await (await createHandler(build)(request('/'))).text()).toBe('found');
  }
});

it('calls fetch as a method of its object', async () => {
  class App {
    greeting = 'hello';
    fetch(): Response {
      return new Response(this.greeting);
    }
  }
  expect(await (await createHandler({ default: new App() })(request('/'))).text()).toBe('hello');
});

it('passes on what the host provides, keeps its tasks running and reports their errors', async () => {
  const onError = vi.fn();
  const kept: Promise<unknown>[] = [];
  const error = new Error('the mail was not sent');
  const handler = createHandler(
    {
      fetch(_: Request, { waitUntil, clientAddress, requestId: id, env, platform }: FetchContext) {
        waitUntil(Promise.reject(error));
        return Response.json([clientAddress, id, env, platform]);
      },
    },
    { onError },
  );
  const host = {
    clientAddress: '192.0.2.1',
    requestId: 'r1',
    env: { NAME: 'value' },
    platform: 'its own',
    waitUntil: (promise: Promise<unknown>) => kept.push(promise),
  };
  expect(await (await handler(request('/'), host)).json()).toEqual(['192.0.2.1', 'r1', { NAME: 'value' }, 'its own']);
  await Promise.all(kept);
  expect(onError.mock.calls[0]?.[0]).toBe(error);
});

it('provides the environment variables if the host has none of its own', async () => {
  const handler = createHandler({ fetch: (_: Request, { env }: FetchContext) => new Response(String(env['PATH'])) });
  expect(await (await handler(request('/'))).text()).toBe(process.env['PATH']);
});

it('provides a context that may be copied and wrapped', async () => {
  const handler = createHandler({
    fetch(_: Request, context: FetchContext) {
      const { waitUntil, requestId: id } = { ...context };
      waitUntil(Promise.resolve());
      const wrapped = [Object.create(context), new Proxy(context, {})] as FetchContext[];
      return Response.json([id, ...wrapped.map(({ clientAddress }) => clientAddress)]);
    },
  });
  const answer = await handler(request('/'), { requestId: 'r1', clientAddress: '192.0.2.1' });
  expect(await answer.json()).toEqual(['r1', '192.0.2.1', '192.0.2.1']);
});

it('keeps an answer for others only if its code declares that it calls cache(), and has read no header', async () => {
  const fetch = ({ headers, url }: Request): Response => {
    cache({ maxAge: 60 });
    return new Response(url.endsWith('/own') ? headers.get('x-theme') : 'same');
  };
  const cacheOf = async (path: string, usesCache: boolean): Promise<string | null> => {
    const asked = request(path, { headers: { 'x-theme': 'dark' } });
    return (await createHandler({ fetch, usesCache })(asked)).headers.get('cache-control');
  };
  expect(await cacheOf('/same', true)).toContain('s-maxage=60');
  expect(await cacheOf('/own', true)).toContain('private');
  expect(await cacheOf('/same', false)).toContain('private');
});

it('has the helpers', async () => {
  const done: string[] = [];
  const handler = createHandler(
    {
      async fetch() {
        await Promise.resolve();
        setResponseHeaders({ 'x-set': 'yes' });
        runTask(() => void done.push('run'));
        deferTask(() => void done.push('deferred'));
        return Response.json([origin(), environment(), typeof requestId()]);
      },
    },
    { environment: 'staging' },
  );
  const kept: Promise<unknown>[] = [];
  const answer = await handler(request('/'), { waitUntil: (promise) => kept.push(promise) });
  expect([answer.headers.get('x-set'), await answer.json()]).toEqual(['yes', ['http://app.test', 'staging', 'string']]);
  await Promise.all(kept);
  expect(done).toEqual(['run', 'deferred']);
});

it('answers 500 to an error, which is reported, and uses a thrown Response or StatusError as the answer', async () => {
  const onError = vi.fn();
  const error = new Error('password=hunter2');
  const throws = (thrown: unknown) => createHandler({ fetch: () => Promise.reject(thrown) }, { onError })(request('/'));
  const failed = await throws(error);
  expect([failed.status, await failed.text(), onError.mock.calls[0]?.[0]]).toEqual([
    500,
    'Internal server error',
    error,
  ]);
  expect((await throws(new StatusError(418))).status).toBe(418);
  expect((await throws(new Response(null, { status: 402 }))).status).toBe(402);
});

it('names the source of an answer that cannot be sent, and says what to write if fetch is missing', async () => {
  const onError = vi.fn();
  const build = (module: unknown): unknown => ({
    manifest: { version: 5, routes: [], fetch: { file: 'server.mjs' } },
    modules: { 'server.mjs': () => module },
  });
  await createHandler(build({ fetch: () => 'text' }), { onError })(request('/'));
  expect(String(onError.mock.calls[0]?.[0])).toContain('fetch of server.mjs returned a string instead of a Response');
  await createHandler(build({ handler() {} }), { onError })(request('/'));
  expect(onError.mock.calls[1]?.[0]).toMatchObject({
    code: 'ERR_BUILD_INVALID',
    message: 'server.mjs has no function fetch. Write: export default { fetch(request) { … } }',
  });
});

it('calls the hooks', async () => {
  const onRequest = vi.fn();
  const onResponse = vi.fn();
  const handler = createHandler({ fetch: () => new Response(null, { status: 204 }) }, { onRequest, onResponse });
  await handler(request('/'));
  expect([onRequest.mock.calls.length, onResponse.mock.calls[0]?.[0]]).toMatchObject([1, { status: 204 }]);
});

it("does not keep an answer for others that read the client's address", async () => {
  const handler = createHandler({
    manifest: {
      version: 5,
      routes: [],
      fetch: { file: 'server.mjs' },
      cache: [{ source: '/[...path]', maxAge: 60 }],
    },
    modules: {
      'server.mjs': () => ({
        fetch: ({ url }: Request, context: FetchContext) =>
          new Response(
            url.endsWith('/own') ? context.clientAddress : url.endsWith('/all') ? 'same' : String(context.platform),
          ),
      }),
    },
  });
  const cacheOf = async (path: string): Promise<string | null> =>
    (await handler(request(path), { clientAddress: '192.0.2.1' })).headers.get('cache-control');
  expect(await cacheOf('/all')).toContain('60');
  expect(await cacheOf('/own')).toContain('private');
  expect(await cacheOf('/platform')).toContain('private');
  expect(await cacheOf('/%zz')).toBeNull();
});

it('is kept by a rule for its path below the base, if that can be decoded', async () => {
  const handler = createHandler({
    manifest: {
      version: 4,
      routes: [],
      fetch: { file: 'server.js' },
      base: '/shop',
      cache: [{ source: '/[...path]', maxAge: 60 }],
    },
    modules: { 'server.js': () => ({ fetch: () => new Response('any') }) },
  });
  const keptAt = async (path: string): Promise<unknown> => {
    const { status, headers } = await handler(request(path));
    return [status, headers.get('cdn-cache-control')];
  };
  expect(await keptAt('/shop/a')).toEqual([200, 'public, max-age=60']);
  for (const path of ['/shop/%', '/other', '/shopping']) {
    expect([path, await keptAt(path)]).toEqual([path, [200, null]]);
  }
});

it('is not kept if its manifest does not say that it calls cache()', async () => {
  const fetch = (): Response => (cache({ maxAge: 60 }), new Response('same'));
  const manifest = { version: 5, routes: [], fetch: { file: 'server.js' } };
  const handler = createHandler({ manifest, modules: { 'server.js': () => ({ fetch }) } });
  expect((await handler(request('/'))).headers.get('cache-control')).toContain('private');
});
