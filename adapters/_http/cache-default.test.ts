import { expect, it } from 'vitest';
import { isForCaches, markPersonal, saysCaching } from './cache-default.ts';

it.each([
  ['cache-control', true],
  ['expires', true],
  ['etag', false],
  ['', false],
])('%s says how an answer may be kept: %s', (name, says) => expect(saysCaching(name)).toBe(says));

it('counts every status but 304 as one that caches keep', () => {
  expect([200, 204, 304, 404, 500].map(isForCaches)).toEqual([true, true, false, true, true]);
});

it('marks a response as personal, if necessary a copy of it', async () => {
  const own = new Response('x');
  expect(markPersonal(own)).toBe(own);
  expect(own.headers.get('cache-control')).toBe('private, no-cache');
  const unchanged = new Response(null, { status: 304 });
  expect(markPersonal(unchanged).headers.has('cache-control')).toBe(false);
  // Its headers cannot be changed.
  const { status, headers } = markPersonal(Response.redirect('http://app.test/'));
  expect([status, ...headers]).toEqual([302, ['cache-control', 'private, no-cache'], ['location', 'http://app.test/']]);
});
