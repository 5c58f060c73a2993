import { afterEach, expect, it, vi } from 'vitest';
import { purge, toCacheHeaders } from './cdn-cache.ts';

const REQUEST_CONTEXT = Symbol.for('@vercel/request-context');
afterEach(() => void Reflect.deleteProperty(globalThis, REQUEST_CONTEXT));

it('tells the CDN of Vercel times and tags by its own headers', () => {
  const rule = { maxAge: 60, swr: 600, staleIfError: 0, tags: ['posts'], vary: [] };
  expect(toCacheHeaders(rule, ['/posts/1', 'posts'])).toEqual({
    'vercel-cdn-cache-control': 'public, max-age=60, stale-while-revalidate=600',
    'vercel-cache-tag': '/posts/1,posts',
  });
});

it('purges by the API of the platform, and by none where there is none', async () => {
  await purge(['posts']);
  const invalidateByTag = vi.fn(async () => undefined);
  const get = (): unknown => ({ purge: { invalidateByTag } });
  Object.defineProperty(globalThis, REQUEST_CONTEXT, { value: { get }, configurable: true });
  await purge(['/posts/1', 'posts']);
  expect(invalidateByTag.mock.calls).toEqual([[['/posts/1', 'posts']]]);
});
