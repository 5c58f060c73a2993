import { expect, it } from 'vitest';
import { isForCaches, saysCaching } from './cache-default.ts';

it.each([
  ['cache-control', true],
  ['expires', true],
  ['etag', false],
  ['', false],
])('%s says how an answer may be kept: %s', (name, says) => expect(saysCaching(name)).toBe(says));

it('counts every status but 304 as one that caches keep', () => {
  expect([200, 204, 304, 404, 500].map(isForCaches)).toEqual([true, true, false, true, true]);
});
