import { expect, it } from 'vitest';
import { formatBytes } from './size.ts';

it.each([
  [0, '0 B'],
  [999, '999 B'],
  [1000, '1.0 kB'],
  [14_249, '14.2 kB'],
  [999_949, '999.9 kB'],
  [999_950, '1.0 MB'],
  [3_149_000, '3.1 MB'],
])('writes %i as %s', (bytes, expected) => {
  expect(formatBytes(bytes)).toBe(expected);
});
