import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { gunzipSync, gzipSync } from 'node:zlib';
import http from 'node:http';
import compression from 'compression';
import express from 'express';
import type { Express } from 'express';
import { describe, expect, it } from 'vitest';
import type { ServerBuild } from '../../runtime/manifest.ts';
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

  it('gives a body that a parser has decompressed without the headers of its compressed form', async () => {
    const app = express();
    app.use(express.json(), createRequestHandler({ build }));
    await withServer(app, async (port) => {
      const headers = { 'content-type': 'application/json', 'content-encoding': 'gzip' };
      const response = await fetch(`http://127.0.0.1:${port}/text`, {
        method: 'POST',
        headers,
        body: gzipSync('{"a":1}'),
      });
      expect(await response.json()).toEqual({ body: '{"a":1}', encoding: null, length: null });
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
});
