import { expect, it } from 'vitest';

import { findNearestName } from './nearest-name.ts';

const known = ['origin', 'root', 'implicitHead', 'apiRoutes', 'external'];

it.each([
  ['externals', 'external'],
  ['apiroutes', 'apiRoutes'],
  ['orgin', 'origin'],
  ['rot', 'root'],
])('takes %s for %s', (name, nearest) => {
  expect(findNearestName(name, known)).toBe(nearest);
});

it('knows nothing near a name unlike all others', () => {
  expect(findNearestName('sitemap', known)).toBeUndefined();
});
