import { expect, it } from 'vitest';

import { findNearestName } from './nearest-name.ts';

const known = ['origin', 'root', 'implicitHead', 'apiRoutes', 'external'];

it.each([
  ['externals', 'external'],
  ['apiroutes', 'apiRoutes'],
  ['orgin', 'origin'],
  ['rot', 'root'],
])('reads %s as %s', (name, nearest) => {
  expect(findNearestName(name, known)).toBe(nearest);
});

it('finds nothing near a name that is unlike all others', () => {
  expect(findNearestName('sitemap', known)).toBeUndefined();
});
