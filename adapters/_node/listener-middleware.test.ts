import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createListener } from './listener.ts';
import type { ListenerTraits, NodeListener } from './listener.ts';
import { listen } from './node-exchange.cases.ts';

type Route = (request: Request) => Response | Promise<Response>;
type Middleware = (request: IncomingMessage, response: ServerResponse) => unknown;

function toListener(route: Route, traits?: ListenerTraits): NodeListener {
  const routes = [{ pattern: '/[...path]', file: 'route.js', methods: [] }];
  const build: ServerBuild = {
    manifest: { version: 1, routes, boundFetch: true },
    modules: { 'route.js': () => ({ GET: route, POST: route }) },
  };
  return createListener({ build, onError: () => undefined }, traits);
}

/** Serves a listener behind middleware, which it waits for. Returns the URL. */
async function serve(listener: NodeListener, middleware: Middleware = () => undefined): Promise<string> {
  return urlOf(
    http.createServer((request, response) => {
      void Promise.resolve(middleware(request, response)).then(() => listener(request, response));
    }),
  );
}

const urlOf = async (server: http.Server): Promise<string> => `http://127.0.0.1:${await listen(server)}/x`;

/** Sends a request without the additions of fetch(). */
async function send(
  url: string,
  { body, ...options }: http.RequestOptions & { body?: string } = {},
): Promise<{ response: IncomingMessage; text: string }> {
  const request = http.request(url, { agent: false, ...options }).end(body);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  let text = '';
  for await (const chunk of response.setEncoding('utf8')) text += chunk as string;
  return { response, text };
}

describe('compressing', () => {
  const compress: ListenerTraits['compress'] = (_, accept) => new Response(`compressed for ${accept()}`);
  const listener = toListener(() => new Response('plain'), { compress });
  const headers = { 'accept-encoding': 'br' };

  it('is for what the client accepts', async () => {
    const url = await serve(listener, (_, response) => response.setHeader('cache-control', 'public'));
    expect((await send(url, { headers })).text).toBe('compressed for br');
  });

  it.each<[string, Middleware]>([
    ['compresses itself', (_, response) => Object.assign(response, { flush: () => undefined })],
    ['has set a coding', (_, response) => response.setHeader('content-encoding', 'identity')],
    ['forbids it', (_, response) => response.setHeader('cache-control', 'public, No-Transform')],
  ])('is left out where middleware in front %s', async (_, middleware) => {
    expect((await send(await serve(listener, middleware), { headers })).text).toBe('plain');
  });

  it('that fails is a 500', async () => {
    const failing = toListener(() => new Response('plain'), { compress: () => Promise.reject(new Error('full')) });
    const { response, text } = await send(await serve(failing), { headers });
    expect([response.statusCode, text]).toEqual([500, 'Internal server error']);
  });
});

describe('a body that a parser in front has read', () => {
  const echo: Route = async ({ headers, body }) => {
    const lengths = [headers.get('content-length'), headers.get('content-encoding')];
    return Response.json([body && (await new Response(body).text()), ...lengths]);
  };
  const parsed = new TextEncoder().encode('parsed');
  const headers = { 'content-encoding': 'gzip' };
  const drained: Middleware = async (request) => {
    for await (const _ of request);
  };

  it('is given with its own length, and without the coding that it had', async () => {
    const listener = toListener(echo, { readFramework: () => ({ parsedBody: parsed }) });
    const { text } = await send(await serve(listener, drained), { method: 'POST', headers, body: 'coded bytes' });
    expect(JSON.parse(text)).toEqual(['parsed', '6', null]);
    await listener.drain();
  });

  it('is given without a length if it is a stream', async () => {
    const listener = toListener(echo, { readFramework: () => ({ parsedBody: new Blob([parsed]).stream() }) });
    const { text } = await send(await serve(listener, drained), { method: 'POST', headers, body: 'coded bytes' });
    expect(JSON.parse(text)).toEqual(['parsed', null, null]);
  });

  it('is not given to a request that was sent without one', async () => {
    const listener = toListener(echo, { readFramework: () => ({ parsedBody: parsed }) });
    expect(JSON.parse((await send(await serve(listener))).text)[0]).toBeNull();
  });
});

it('answers 400 to a request with an invalid Host', async () => {
  const { response, text } = await send(await serve(toListener(() => new Response('plain'))), {
    headers: { host: 'a b' },
  });
  expect([response.statusCode, text]).toEqual([400, 'Bad request']);
});

it('aborts the signal of a client that has left before middleware in front was done, and ends its request', async () => {
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  const { promise: signal, resolve: give } = Promise.withResolvers<AbortSignal>();
  const listener = toListener((request) => {
    give(request.signal);
    return new Response('too late');
  });
  const url = await serve(listener, async (_, response) => {
    leave();
    await once(response, 'close');
  });
  const client = http.get(url).once('error', () => undefined);
  await left;
  client.destroy();
  expect((await signal).aborted).toBe(true);
  await listener.drain();
});

it('ends the request of a client that has left after it has sent an invalid Host', async () => {
  const listener = toListener(() => expect.fail());
  const called = Promise.withResolvers<void>();
  const url = await serve(listener, async (request, response) => {
    request.socket.destroy();
    await once(response, 'close');
    setImmediate(called.resolve);
  });
  http.get(url, { headers: { host: 'a b' } }).once('error', () => undefined);
  await called.promise;
  await listener.drain();
});

it('does not abort the signal of a request that was answered', async () => {
  const { promise: signal, resolve: give } = Promise.withResolvers<AbortSignal>();
  const listener = toListener((request) => {
    give(request.signal);
    return new Response('done');
  });
  await send(await serve(listener));
  await listener.drain();
  expect((await signal).aborted).toBe(false);
});

it('sends on what fetch() has decoded, without the coding that it had', async () => {
  const origin = await urlOf(
    http.createServer((_, response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('text'))),
  );
  const { response, text } = await send(await serve(toListener(() => fetch(origin))));
  expect([response.headers['content-encoding'], text]).toEqual([undefined, 'text']);
});
