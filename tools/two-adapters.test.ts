import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it } from 'vitest';

// As a program imports them: from what `npm run build` has written.
const adapters = ['node', 'express', 'vercel'];

interface Adapter {
  createRequestHandler(options: object): RequestListener;
}

it('every Node adapter of a process gives routes the light Request', async () => {
  const modules = {
    'x.js': () => ({ GET: (request: Request) => new Response(String(request.constructor === Request)) }),
  };
  const manifest = { version: 1, routes: [{ pattern: '/', file: 'x.js', methods: ['GET'] }], boundFetch: true };
  const isNative: Record<string, string> = {};
  for (const name of adapters) {
    const { createRequestHandler } = (await import(`appkit-server/adapter/${name}`)) as Adapter;
    const server = createServer(createRequestHandler({ build: { manifest, modules } })).listen(0, '127.0.0.1');
    await once(server, 'listening');
    isNative[name] = await (await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`)).text();
    server.closeAllConnections();
    server.close();
  }
  expect(isNative).toEqual({ node: 'false', express: 'false', vercel: 'false' });
});
