import { expect, it } from 'vitest';
import { createCacheRules } from './cache-rules.ts';

it('finds the rule of a path, with everything that it leaves out, and none for another path', () => {
  const find = createCacheRules([
    { source: '/a', maxAge: 60 },
    { source: '/b', maxAge: 5, swr: 1, staleIfError: 2, tags: ['news'], vary: ['Accept-Language'] },
  ]);
  expect(find?.('/a')).toEqual({ maxAge: 60, swr: 0, staleIfError: 0, tags: [], vary: [] });
  expect(find?.('/b')).toEqual({ maxAge: 5, swr: 1, staleIfError: 2, tags: ['news'], vary: ['accept-language'] });
  expect(find?.('/c')).toBe(undefined);
});
