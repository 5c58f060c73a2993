import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { createGunzip, gunzipSync, gzipSync } from 'node:zlib';
import { text } from 'node:stream/consumers';
import http from 'node:http';
import { setImmediate } from 'node:timers/promises';
import compression from 'compression';
import express from 'express';
import type { Express } from 'express';
import { describe, expect, it } from 'vitest';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { cache } from '../../runtime/index.ts';
import { listen } from '../_node/node-exchange.cases.ts';
import type { ExpressRequest } from './host-types.ts';
import { createRequestHandler } from './index.ts';

const build: ServerBuild = {
  manifest: { version: 1, routes: [{ pattern: '/text', file: 'text.js', methods: ['GET'] }] },
  modules: {
    'text.js': () => ({
      GET: () => new Response('compress me '.repeat(1000)),
      POST: async (request: Request) =>
        Response.json({
          body: await request.text(),
          encoding: request.headers.get('content-encoding'),
          length: request.headers.get('content-length'),
        }),
    }),
  },
};

/** Calls the code when the head is written, as `on-headers` does, which express-session uses. */
function atHead(response: http.ServerResponse, code: () => void): void {
  const { writeHead } = response;
  response.writeHead = (...args: unknown[]) => {
    code();
    return Reflect.apply(writeHead, response, args) as http.ServerResponse;
  };
}

async function withServer<T>(app: Express, use: (port: number) => Promise<T>): Promise<T> {
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    return await use((server.address() as AddressInfo).port);
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

describe('in an Express app', () => {
  it('is accepted by app.use and app.all, and keeps the headers Express sets', async () => {
    const app = express();
    app.use((_request, response, next) => {
      response.cookie('framework', '1');
      next();
    });
    app.all('/text', createRequestHandler({ build }));
    app.use(createRequestHandler({ build }));
    await withServer(app, async (port) => {
      const response = await fetch(`http://127.0.0.1:${port}/text`);
      expect(response.headers.get('x-powered-by')).toBe('Express');
      expect(response.headers.getSetCookie()).toEqual(['framework=1; Path=/']);
      expect((await response.text()).length).toBe(12_000);
      expect((await fetch(`http://127.0.0.1:${port}/missing`)).status).toBe(404);
    });
  });

  it('answers the path that a middleware has put in place of the one that was asked for', async () => {
    const routes: ServerBuild = {
      manifest: { version: 1, routes: [{ pattern: '/[...path]', file: 'url.js', methods: ['GET'] }] },
      modules: {
        'url.js': () => ({
          GET: ({ url }: Request, { path }: { path: string }) => new Response(`${path} ${new URL(url).pathname}`),
        }),
      },
    };
    const handler = createRequestHandler({ build: routes });
    const app = express();
    app.use((request, _response, next) => {
      request.url = request.url.replace(/^\/old/, '/new');
      next();
    });
    app.use('/new/mounted', handler);
    app.use('/inside', (request, _response, next) => ((request.url = '/changed'), next()), handler);
    app.use(handler);
    await withServer(app, async (port) => {
      const ask = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
      expect(await ask('/old/item')).toBe('new/item /new/item');
      expect(await ask('/old/mounted/item')).toBe('item /new/mounted/item');
      expect(await ask('/inside/item')).toBe('changed /inside/changed');
      expect(await ask('/new/mounted?query')).toBe(await ask('/new/mounted'));
      expect(await ask('/same')).toBe('same /same');
    });
  });

  it('has three parameters, so that h3 awaits its answer as that of a middleware', () => {
    // h3 takes a function with fewer for one that has answered when it returns.
    expect(createRequestHandler({ build })).toHaveLength(3);
  });

  it('routes below the mount of Connect and of @fastify/middie, which only shorten the path', async () => {
    const pathOf = ({ url }: Request): string => url.replace(/^.*?:\d+/, '');
    const routes: ServerBuild = {
      manifest: {
        version: 1,
        routes: [
          { pattern: '/', file: 'root.js', methods: ['GET'] },
          { pattern: '/[...path]', file: 'below.js', methods: ['GET'] },
        ],
      },
      modules: {
        'root.js': () => ({ GET: (request: Request) => new Response(`root of ${pathOf(request)}`) }),
        'below.js': () => ({
          GET: (request: Request, { path }: { path: string }) => new Response(`${path} of ${pathOf(request)}`),
        }),
      },
    };
    const handler = createRequestHandler({ build: routes });
    const server = http.createServer((request, response) => {
      const { url: originalUrl = '' } = request;
      const rest = originalUrl.replace('/mounted', '');
      const url = /^(?:\/|http:)/.test(rest) ? rest : `/${rest}`;
      handler(Object.assign(request, { originalUrl, url }) as unknown as ExpressRequest, response);
    });
    const port = await listen(server);
    const ask = async (path: string): Promise<string> => (await fetch(`http://127.0.0.1:${port}${path}`)).text();
    expect(await ask('/mounted/item?query')).toBe('item of /mounted/item?query');
    expect(await ask('/mounted?query')).toBe('root of /mounted?query');
    expect(await ask('/mounted')).toBe('root of /mounted');
    expect(await ask('/same/item')).toBe('same/item of /same/item');
    const request = http.get({ port, path: `http://127.0.0.1:${port}/mounted/item` });
    const [response] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(await text(response)).toBe('item of /mounted/item');
  });

  it('lets nobody keep an answer with the cookie of a middleware, or which it forbids to keep', async () => {
    const route = (): Response => (cache({ maxAge: 60 }), new Response('the same for all'));
    const keeping: ServerBuild = {
      manifest: {
        version: 1,
        usesCache: true,
        routes: [{ pattern: '/[...path]', file: 'kept.js', methods: ['GET'], usesCache: true }],
      },
      modules: { 'kept.js': () => ({ GET: route }) },
    };
    const app = express();
    app.use((request, response, next) => {
      if (request.path === '/cookie') response.cookie('sid', '1');
      if (request.path === '/late') atHead(response, () => void response.cookie('sid', '1'));
      if (request.path === '/unused') atHead(response, () => undefined);
      if (request.path === '/forbidden') response.set('Cache-Control', 'no-store');
      next();
    });
    app.use(createRequestHandler({ build: keeping }));
    await withServer(app, async (port) => {
      const ask = async (path: string): Promise<(string | null)[]> => {
        const { headers } = await fetch(`http://127.0.0.1:${port}${path}`);
        return ['cache-control', 'cdn-cache-control', 'set-cookie'].map((name) => headers.get(name));
      };
      const shared = ['public, max-age=0, s-maxage=60', 'public, max-age=60', null];
      expect([await ask('/any'), await ask('/any')]).toEqual([shared, shared]);
      expect(await ask('/unused')).toEqual(shared);
      const own = ['private, no-cache', 'private, no-cache', 'sid=1; Path=/'];
      for (const path of ['/cookie', '/late']) expect([await ask(path), await ask(path)]).toEqual([own, own]);
      expect(await ask('/forbidden')).toEqual(['no-store', null, null]);
    });
  });

  it("adds to a middleware's Vary, and compresses nothing that middleware forbids to change", async () => {
    const app = express();
    app.use('/kept', (_request, response, next) => {
      response.set('Cache-Control', 'no-transform');
      next();
    });
    app.use((_request, response, next) => {
      response.vary('Origin');
      next();
    });
    app.use('/kept', createRequestHandler({ build }));
    app.use(createRequestHandler({ build }));
    await withServer(app, async (port) => {
      const ask = (path: string): Promise<Response> =>
        fetch(`http://127.0.0.1:${port}${path}`, { headers: { 'accept-encoding': 'gzip' } });
      const { headers } = await ask('/text');
      expect([headers.get('vary'), headers.get('content-encoding')]).toEqual(['Origin, Accept-Encoding', 'gzip']);
      const kept = (await ask('/kept/text')).headers;
      expect([kept.get('vary'), kept.get('content-encoding')]).toEqual(['Origin', null]);
    });
  });

  it('passes on a body that a parser has decompressed with the headers of the decompressed form', async () => {
    const app = express();
    app.use(express.json(), createRequestHandler({ build }));
    await withServer(app, async (port) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const response = await fetch(`http://127.0.0.1:${port}/text`, {
        method: 'POST',
        headers,
        body: gzipSync('{"a":1}'),
      });
      expect(await response.json()).toEqual({ body: '{"a":1}', encoding: null, length: '7' });
    });
  });

  it('says that an empty body has no length, whatever a parser has made of it', async () => {
    const app = express();
    app.use(express.json());
    app.use(createRequestHandler({ build }));
    await withServer(app, async (port) => {
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`http://127.0.0.1:${port}/text`, { method: 'POST', headers, body: '' });
      expect(await response.json()).toEqual({ body: '', encoding: null, length: '0' });
    });
  });

  it('lets the compression middleware compress', async () => {
    const app = express();
    app.use(compression(), createRequestHandler({ build }));
    await withServer(app, async (port) => {
      const request = http.get({ port, path: '/text', headers: { 'accept-encoding': 'gzip' } });
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      const body = Buffer.concat(await response.toArray());
      expect(response.headers['content-encoding']).toBe('gzip');
      expect(gunzipSync(body).toString()).toBe('compress me '.repeat(1000));
    });
  });

  describe('behind the compression middleware', () => {
    async function withRoute<T>(route: (request: Request) => Response, use: (port: number) => Promise<T>): Promise<T> {
      const app = express();
      const streams: ServerBuild = {
        manifest: { version: 1, routes: [{ pattern: '/stream', file: 'stream.js', methods: [] }] },
        modules: { 'stream.js': () => ({ GET: route, POST: route }) },
      };
      app.use(compression(), createRequestHandler({ build: streams }));
      return withServer(app, use);
    }

    async function ask(
      port: number,
      init: http.RequestOptions = {},
    ): Promise<[http.ClientRequest, http.IncomingMessage]> {
      const request = http.request({ port, path: '/stream', headers: { 'accept-encoding': 'gzip' }, ...init });
      request.flushHeaders();
      const [response] = (await once(request, 'response')) as [http.IncomingMessage];
      expect(response.headers['content-encoding']).toBe('gzip');
      return [request, response];
    }

    it('sends the head of an event stream, and then each event, at once', async () => {
      const { readable, writable } = new TransformStream<Uint8Array, Uint8Array>();
      const writer = writable.getWriter();
      const route = (): Response => new Response(readable, { headers: { 'content-type': 'text/event-stream' } });
      await withRoute(route, async (port) => {
        const [, response] = await ask(port);
        const events = response.pipe(createGunzip()).setEncoding('utf8');
        for (const event of ['data: first\n\n', 'data: second\n\n']) {
          await writer.write(new TextEncoder().encode(event));
          expect((await once(events, 'data'))[0]).toBe(event);
        }
        await writer.close();
        await once(events, 'end');
      });
    });

    it('sends a body back part by part', async () => {
      const route = (request: Request): Response =>
        new Response(request.body, { headers: { 'content-type': 'text/plain' } });
      const headers = { 'accept-encoding': 'gzip', 'content-length': '10' };
      await withRoute(route, async (port) => {
        const [request, response] = await ask(port, { method: 'POST', headers });
        const parts = response.pipe(createGunzip()).setEncoding('utf8');
        request.write('first');
        expect((await once(parts, 'data'))[0]).toBe('first');
        request.end('later');
        expect((await once(parts, 'data'))[0]).toBe('later');
      });
    });

    it('makes a stream wait for a client that does not read', async () => {
      let pulled = 0;
      const chunk = randomBytes(64 * 1024);
      const body = new ReadableStream({
        pull(controller) {
          pulled += 1;
          if (pulled <= 4096) controller.enqueue(Uint8Array.from(chunk));
          else controller.close();
        },
      });
      const route = (): Response => new Response(body, { headers: { 'content-type': 'text/plain' } });
      await withRoute(route, async (port) => {
        const [, response] = await ask(port);
        // Until nothing has been pulled for this many turns of the loop, in which zlib and both sockets had theirs.
        for (let [same, last] = [0, -1]; same < 2000; last = pulled) {
          await setImmediate();
          same = pulled === last ? same + 1 : 0;
        }
        expect(pulled).toBeLessThan(1000);
        response.destroy();
      });
    });
  });
});
