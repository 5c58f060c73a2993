import { afterEach, expect, it, vi } from 'vitest';
import { buildOf } from '../../runtime/fixtures/app.ts';
import { invalidate } from '../../runtime/index.ts';
import { purge, toCacheHeaders } from './cdn-cache.ts';
import { createRequestHandler } from './index.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.unstubAllGlobals();
});

it("sends times and tags to Netlify's CDN in its own headers", () => {
  const rule = { maxAge: 60, swr: 600, staleIfError: 0, tags: ['posts'], vary: [] };
  expect(toCacheHeaders(rule, ['/posts/1', 'posts'])).toEqual({
    'netlify-cdn-cache-control': 'public, durable, max-age=60, stale-while-revalidate=600',
    'netlify-cache-tag': '/posts/1,posts',
  });
});

it("purges through Netlify's API with the values passed to a function, and does nothing without them", async () => {
  const fetch = vi.fn<typeof globalThis.fetch>(async () => new Response(null, { status: 202 }));
  vi.stubGlobal('fetch', fetch);
  vi.stubEnv('SITE_ID', undefined);
  vi.stubEnv('NETLIFY_PURGE_API_TOKEN', undefined);
  await purge(['posts']);
  expect(fetch).not.toHaveBeenCalled();
  vi.stubEnv('SITE_ID', 'site');
  vi.stubEnv('NETLIFY_PURGE_API_TOKEN', 'token');
  await purge(['/posts/1', 'posts']);
  expect(fetch.mock.calls).toEqual([
    [
      'https://api.netlify.com/api/v1/purge',
      {
        method: 'POST',
        headers: { 'content-type': 'application/json; charset=utf8', authorization: 'Bearer token' },
        body: '{"site_id":"site","cache_tags":["/posts/1","posts"]}',
      },
    ],
  ]);
});

it('rejects when Netlify refuses, and does not show its token', async () => {
  vi.stubGlobal('fetch', async () => new Response('no', { status: 401 }));
  vi.stubEnv('SITE_ID', 'site');
  vi.stubEnv('NETLIFY_PURGE_API_TOKEN', 'token');
  await expect(purge(['posts'])).rejects.toThrow(
    'Netlify answered the purge of posts with 401. Its cached answers may be out of date.',
  );
});

it('runs when a route calls invalidate()', async () => {
  const asked = vi.fn<typeof globalThis.fetch>(async () => new Response(null, { status: 202 }));
  vi.stubGlobal('fetch', asked);
  vi.stubEnv('SITE_ID', 'site');
  vi.stubEnv('NETLIFY_PURGE_API_TOKEN', 'token');
  const GET = async (): Promise<Response> => (await invalidate(['posts', '/posts/1']), new Response('done'));
  const handler = createRequestHandler({ build: buildOf({ routes: { '/x': { GET } } }) });
  expect(await (await handler(new Request('http://app.test/x'))).text()).toBe('done');
  expect(asked.mock.calls[0]?.[1]?.body).toBe('{"site_id":"site","cache_tags":["posts","/posts/1"]}');
});
