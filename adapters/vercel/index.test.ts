import { once } from 'node:events';
import { createServer, get } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { PassThrough } from 'node:stream';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { environment, origin, runTask } from '../../runtime/index.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createRequestHandler } from './index.ts';
import type { VercelHandler, VercelOptions, VercelRequest } from './index.ts';

const REQUEST_CONTEXT = Symbol.for('@vercel/request-context');

const closers: (() => void)[] = [];

afterEach(() => {
  for (const close of closers.splice(0)) close();
  Reflect.deleteProperty(globalThis, REQUEST_CONTEXT);
  vi.unstubAllEnvs();
});

type Route = (request: Request) => unknown;
type Launch = (handler: VercelHandler) => VercelHandler;

async function serve(route: Route, options: Partial<VercelOptions> = {}, launch: Launch = (it) => it): Promise<number> {
  const build: ServerBuild = {
    manifest: { version: 1, routes: [{ pattern: '/x', file: 'x.js', methods: [] }] },
    modules: { 'x.js': () => ({ GET: route, POST: route }) },
  };
  const server = createServer(launch(createRequestHandler({ build, onError: () => {}, ...options })));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  closers.push(() => {
    server.closeAllConnections();
    server.close();
  });
  return (server.address() as AddressInfo).port;
}

describe('the platform’s waitUntil', () => {
  it('is called on its context, with the task', async () => {
    const context = {
      tasks: [] as Promise<unknown>[],
      waitUntil(this: { tasks: Promise<unknown>[] }, task: Promise<unknown>) {
        this.tasks.push(task);
      },
    };
    Object.defineProperty(globalThis, REQUEST_CONTEXT, { value: { get: () => context }, configurable: true });
    const task = vi.fn(async () => {});
    const port = await serve(() => {
      runTask(task);
      return new Response('done');
    });
    expect(await (await fetch(`http://127.0.0.1:${port}/x`)).text()).toBe('done');
    await Promise.all(context.tasks);
    expect([context.tasks.length, task.mock.calls.length]).toEqual([1, 1]);
  });

  it('is not needed: the response ends after the task, but all its bytes are sent before', async () => {
    const release = Promise.withResolvers<void>();
    const events: string[] = [];
    const ended = Promise.withResolvers<void>();
    const port = await serve(
      () => {
        runTask(async () => {
          await release.promise;
          events.push('task');
        });
        return new Response('sent');
      },
      {},
      (handler) => (request, response) => {
        response.once('finish', () => {
          events.push('end');
          ended.resolve();
        });
        handler(request, response);
      },
    );
    expect(await (await fetch(`http://127.0.0.1:${port}/x`)).text()).toBe('sent');
    expect(events).toEqual([]);
    release.resolve();
    await ended.promise;
    expect(events).toEqual(['task', 'end']);
  });

  it('is not needed for an answer without a body either', async () => {
    const release = Promise.withResolvers<void>();
    const port = await serve(() => {
      runTask(() => release.promise);
      return new Response(null, { status: 204 });
    });
    expect((await fetch(`http://127.0.0.1:${port}/x`)).status).toBe(204);
    release.resolve();
  });

  it('is not needed: header values are sent as the bytes that they are', async () => {
    const headers = { location: '/caf\u00e9' };
    const port = await serve(() => new Response(null, { status: 302, headers }));
    const response = await fetch(`http://127.0.0.1:${port}/x`, { redirect: 'manual' });
    expect(response.headers.get('location')).toBe('/caf\u00e9');
  });

  it('is not needed: a stream that is shorter than its length says does not look complete', async () => {
    const onError = vi.fn();
    const parts = [Buffer.from('first'), Buffer.from('last')];
    const headers = { 'content-length': '10' };
    const port = await serve(() => new Response(ReadableStream.from(parts), { headers }), { onError });
    await expect(fetch(`http://127.0.0.1:${port}/x`).then((response) => response.text())).rejects.toThrow(TypeError);
    expect(onError).toHaveBeenCalledExactlyOnceWith(
      expect.objectContaining({ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' }),
      expect.any(Request),
    );
  });
});

describe("the platform's headers", () => {
  async function originBehind(headers: Record<string, string>): Promise<string> {
    const port = await serve((request) => new Response(`${origin()} ${new URL(request.url).origin}`));
    const request = get({ port, path: '/x', headers: { host: 'inner.test', ...headers } });
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    expect(response.statusCode).toBe(200);
    return (await response.setEncoding('utf8').toArray()).join('');
  }

  it('give the origin', async () => {
    const headers = { 'x-forwarded-host': 'shop.example', 'x-forwarded-proto': 'https' };
    expect(await originBehind(headers)).toBe('https://shop.example https://shop.example');
  });

  it('give it from their last entry when there are several', async () => {
    const headers = { 'x-forwarded-host': 'evil.example, shop.example', 'x-forwarded-proto': 'http,https' };
    expect(await originBehind(headers)).toBe('https://shop.example https://shop.example');
  });

  it('are ignored when malformed', async () => {
    const headers = { 'x-forwarded-host': 'a/b', 'x-forwarded-proto': 'https:' };
    expect(await originBehind(headers)).toBe('http://inner.test http://inner.test');
  });
});

describe('environment()', () => {
  async function environmentOf(name: string): Promise<string> {
    vi.stubEnv('VERCEL_ENV', name);
    vi.stubEnv('NODE_ENV', 'test');
    const port = await serve(() => new Response(String(environment())));
    return (await fetch(`http://127.0.0.1:${port}/x`)).text();
  }

  it('is VERCEL_ENV', async () => expect(await environmentOf('preview')).toBe('preview'));

  it('is null in production', async () => expect(await environmentOf('production')).toBe('null'));
});

describe('a body that was read before the handler was called', () => {
  const readBody: Route = async (request) => new Response(await request.text());

  function post(port: number, body: string): Promise<Response> {
    return fetch(`http://127.0.0.1:${port}/x`, { method: 'POST', body });
  }

  /**
   * Reads the body and puts `read` and `on` of another stream into the request, as the helpers of `@vercel/node` do.
   */
  const withHelpers: Launch = (handler) => async (request: VercelRequest, response) => {
    const copy = new PassThrough();
    for await (const chunk of request) copy.write(chunk);
    copy.end();
    const on = request.on.bind(request);
    request.read = copy.read.bind(copy);
    request.on = ((name: string, listener: () => void) =>
      name === 'data' || name === 'end' ? copy.on(name, listener) : on(name, listener)) as VercelRequest['on'];
    handler(request, response);
  };

  it('is found where the helpers have put it', async () => {
    const port = await serve(readBody, {}, withHelpers);
    const text = 'body '.repeat(100_000);
    expect(await (await post(port, text)).text()).toBe(text);
  });

  it('keeps its headers', async () => {
    const port = await serve((request) => new Response(request.headers.get('content-length')), {}, withHelpers);
    expect(await (await post(port, 'four')).text()).toBe('4');
  });

  it('is still limited', async () => {
    const port = await serve(readBody, { maxRequestBodySize: 3 }, withHelpers);
    expect((await post(port, 'four')).status).toBe(413);
  });

  it('fails the read, and says what to do, when it is lost', async () => {
    const onError = vi.fn();
    const port = await serve(readBody, { onError }, (handler) => async (request, response) => {
      await request.toArray();
      handler(request, response);
    });
    expect((await post(port, 'four')).status).toBe(500);
    expect(String(onError.mock.calls[0]?.[0])).toContain('was read before the handler was called');
  });
});
