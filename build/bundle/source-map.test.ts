import { expect, it } from 'vitest';

import { toSourceMap } from './source-map.ts';

it('escapes what would end or distort the URL of a source', () => {
  const map = { sources: ['app/50%.ts', 'app/why?.ts', 'app/c#/[id]+api.ts'], names: [], mappings: '' };
  expect(toSourceMap(map, { projectRoot: '/project', file: '/project/dist/a.js' }).sources).toEqual([
    'app/50%25.ts',
    'app/why%3F.ts',
    'app/c%23/[id]+api.ts',
  ]);
});
