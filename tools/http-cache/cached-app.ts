import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRequestHandler } from '../../adapters/node/index.ts';
import { cache, StatusError } from '../../runtime/index.ts';

/** An app whose answers say how they may be kept, without a cache of its own. */
export interface CachedApp {
  port: number;
  server: Server;
}

const rule = { maxAge: 60 };

/**
 * Each answer contains the number of earlier answers at its URL, and the name of the visitor, if the route has read it.
 */
const answers: Record<string, (request: Request) => ResponseInit & { name?: string | null }> = {
  kept: () => (cache(rule), {}),
  'kept-by-language': () => (cache({ ...rule, vary: ['accept-language'] }), {}),
  silent: () => ({}),
  'silent-not-found': () => ({ status: 404 }),
  'with-cookie': () => (cache(rule), { headers: { 'set-cookie': 'session=1' } }),
  'for-user': ({ headers }) => (cache(rule), { name: headers.get('authorization') }),
  'for-anybody': () => (cache(rule), {}),
  'for-session': ({ headers }) => (cache(rule), { name: headers.get('cookie') }),
  failed() {
    cache(rule);
    throw new StatusError(503);
  },
  private: () => (cache(rule), { headers: { 'cache-control': 'private' } }),
};

/** Starts the app on a port of the loopback address. */
export async function startCachedApp(): Promise<CachedApp> {
  const made = new Map<string, number>();
  const GET = (request: Request, { what }: { what: string }): Response => {
    const number = (made.get(request.url) ?? 0) + 1;
    made.set(request.url, number);
    const { name, ...init } = answers[what]?.(request) ?? { status: 500 };
    return Response.json({ number, name }, init);
  };
  const build = {
    manifest: {
      version: 2,
      usesCache: true,
      routes: [{ pattern: '/[what]', file: 'what.js', methods: [], usesCache: true }],
    },
    modules: { 'what.js': () => ({ GET }) },
  };
  const server = createServer(createRequestHandler({ build, cache: false, onError: () => undefined }));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return { server, port: (server.address() as AddressInfo).port };
}
