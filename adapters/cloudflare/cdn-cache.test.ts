import { expect, it, vi } from 'vitest';
import { purge, toCacheHeaders } from './cdn-cache.ts';

const waitUntil = (): void => {};

it('tells the cache of Cloudflare times and tags by its own headers', () => {
  const rule = { maxAge: 60, swr: 600, staleIfError: 0, tags: ['posts'], vary: [] };
  expect(toCacheHeaders(rule, ['/posts/1', 'posts'])).toEqual({
    'cloudflare-cdn-cache-control': 'public, max-age=60, stale-while-revalidate=600',
    'cache-tag': '/posts/1,posts',
  });
});

it('purges the cache of the Worker, and none where none is enabled', async () => {
  await purge({ waitUntil }, ['posts']);
  const ofWorker = vi.fn(async () => ({ success: true, errors: [] }));
  await purge({ waitUntil, cache: { purge: ofWorker } }, ['/posts/1', 'posts']);
  expect(ofWorker.mock.calls).toEqual([[{ tags: ['/posts/1', 'posts'] }]]);
});

it('rejects when Cloudflare refuses', async () => {
  const cache = { purge: async () => ({ success: false, errors: [{ code: 1, message: 'limit' }] }) };
  await expect(purge({ waitUntil, cache }, ['posts'])).rejects.toThrow('Cloudflare did not purge posts: ');
});
