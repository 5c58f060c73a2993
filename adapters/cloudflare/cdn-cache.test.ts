import { expect, it, vi } from 'vitest';
import { buildOf } from '../../runtime/fixtures/app.ts';
import { invalidate } from '../../runtime/index.ts';
import { purge, toCacheHeaders } from './cdn-cache.ts';
import { createRequestHandler } from './index.ts';

const waitUntil = (): void => {};

it("sends times and tags to Cloudflare's cache in its own headers", () => {
  const rule = { maxAge: 60, swr: 600, staleIfError: 0, tags: ['posts'], vary: [] };
  expect(toCacheHeaders(rule, ['/posts/1', 'posts'])).toEqual({
    'cloudflare-cdn-cache-control': 'public, max-age=60, stale-while-revalidate=600',
    'cache-tag': '/posts/1,posts',
  });
});

it('purges the cache of the Worker, and nothing where no cache is enabled', async () => {
  await purge({ waitUntil }, ['posts']);
  const ofWorker = vi.fn(async () => ({ success: true, errors: [] }));
  await purge({ waitUntil, cache: { purge: ofWorker } }, ['/posts/1', 'posts']);
  expect(ofWorker.mock.calls).toEqual([[{ tags: ['/posts/1', 'posts'] }]]);
});

it('rejects when Cloudflare refuses', async () => {
  const cache = { purge: async () => ({ success: false, errors: [{ code: 1, message: 'limit' }] }) };
  await expect(purge({ waitUntil, cache }, ['posts'])).rejects.toThrow('Cloudflare did not purge posts: ');
});

it('runs when a route calls invalidate()', async () => {
  const ofWorker = vi.fn(async () => ({ success: true, errors: [] }));
  const GET = async (): Promise<Response> => (await invalidate(['posts', '/posts/1']), new Response('done'));
  const handler = createRequestHandler({ build: buildOf({ routes: { '/x': { GET } } }) });
  const context = { waitUntil, cache: { purge: ofWorker } };
  expect(await (await handler.fetch(new Request('http://app.test/x'), {}, context)).text()).toBe('done');
  expect(ofWorker.mock.calls).toEqual([[{ tags: ['posts', '/posts/1'] }]]);
});
