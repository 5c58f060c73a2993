import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, it, vi } from 'vitest';
import { buildOf } from '../../runtime/fixtures/app.ts';
import { invalidate } from '../../runtime/index.ts';
import { purge, toCacheHeaders } from './cdn-cache.ts';
import { createRequestHandler } from './index.ts';

const REQUEST_CONTEXT = Symbol.for('@vercel/request-context');
afterEach(() => void Reflect.deleteProperty(globalThis, REQUEST_CONTEXT));

it("sends times and tags to Vercel's CDN in its own headers", () => {
  const rule = { maxAge: 60, swr: 600, staleIfError: 0, tags: ['posts'], vary: [] };
  expect(toCacheHeaders(rule, ['/posts/1', 'posts'])).toEqual({
    'vercel-cdn-cache-control': 'public, max-age=60, stale-while-revalidate=600',
    'vercel-cache-tag': '/posts/1,posts',
  });
});

it("purges through the platform's API, and does nothing where the API is missing", async () => {
  await purge(['posts']);
  const invalidateByTag = vi.fn(async () => undefined);
  const get = (): unknown => ({ purge: { invalidateByTag } });
  Object.defineProperty(globalThis, REQUEST_CONTEXT, { value: { get }, configurable: true });
  await purge(['/posts/1', 'posts']);
  expect(invalidateByTag.mock.calls).toEqual([[['/posts/1', 'posts']]]);
});

it('runs when a route calls invalidate()', async () => {
  const invalidateByTag = vi.fn(async () => undefined);
  const get = (): unknown => ({ purge: { invalidateByTag } });
  Object.defineProperty(globalThis, REQUEST_CONTEXT, { value: { get }, configurable: true });
  const GET = async (): Promise<Response> => (await invalidate(['posts', '/posts/1']), new Response('done'));
  const handler = createRequestHandler({ build: buildOf({ routes: { '/x': { GET } } }) });
  await using server = createServer(handler as RequestListener).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  expect(await (await fetch(`http://127.0.0.1:${port}/x`)).text()).toBe('done');
  server.closeAllConnections();
  expect(invalidateByTag.mock.calls).toEqual([[['posts', '/posts/1']]]);
});
