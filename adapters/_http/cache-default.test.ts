import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { once } from 'node:events';
import { expect, it, onTestFinished } from 'vitest';
import { CACHE_DEFAULT, isForCaches, saysCaching, withCacheDefault } from './cache-default.ts';

it.each([
  ['cache-control', true],
  ['expires', true],
  ['etag', false],
  ['', false],
])('%s says how an answer may be kept: %s', (name, says) => expect(saysCaching(name)).toBe(says));

it('marks an answer that says nothing about caches as personal, in place', () => {
  const response = new Response('text', { headers: { etag: '"1"' } });
  expect(withCacheDefault(response)).toBe(response);
  expect(response.headers.get('cache-control')).toBe('private, no-cache');
  expect(CACHE_DEFAULT).toBe('private, no-cache');
});

it.each([
  [200, { 'cache-control': 'public' }, 'public'],
  [200, { expires: '0' }, null],
  [304, {}, null],
])('leaves a %d with %o', (status, headers: Record<string, string>, cacheControl) => {
  const response = withCacheDefault(new Response(null, { status, headers }));
  expect(response.headers.get('cache-control')).toBe(cacheControl);
});

it('counts every status but 304 as one that caches keep', () => {
  expect([200, 204, 304, 404, 500].map(isForCaches)).toEqual([true, true, false, true, true]);
});

it('copies a response of fetch(), whose headers cannot be changed', async () => {
  const server = createServer((_, response) => void response.writeHead(203, 'Fine', { 'x-a': 'b' }).end('text'));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  const fetched = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
  const { status, statusText, headers, body } = withCacheDefault(fetched);
  expect([status, statusText, headers.get('x-a'), headers.get('cache-control')]).toEqual([
    203,
    'Fine',
    'b',
    'private, no-cache',
  ]);
  expect(await new Response(body).text()).toBe('text');
});
