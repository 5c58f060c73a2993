import { expect, it } from 'vitest';
import { chooseCoding } from './accept-encoding.ts';

it.each([
  [undefined, undefined],
  ['', undefined],
  ['br', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['gzip, deflate, br', 'br'],
  ['GZIP;Q=1', 'gzip'],
  ['br;q=0.2, gzip;q=0.8', 'gzip'],
  ['br;q=0.8, gzip;q=0.8', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0, gzip;q=0', undefined],
  ['br;q=0.0, gzip;q=0.000', undefined],
  ['*', 'br'],
  ['*;q=0', undefined],
  ['gzip, *;q=0', 'gzip'],
  ['br;q=0, *', 'gzip'],
  ['identity', undefined],
  ['identity;q=0.5, gzip;q=0.4', undefined],
  ['identity;q=0.5, gzip;q=0.6', 'gzip'],
  ['identity;q=0.5, gzip;q=0.5', 'gzip'],
  ['identity;q=0, gzip', 'gzip'],
  ['zstd, compress', undefined],
  ['gzip;q=2, br;q=x', undefined],
  ['brotli', undefined],
])('chooses for %o: %o', (header, encoding) => {
  expect(chooseCoding(header, ['br', 'gzip'])).toBe(encoding);
});

it('chooses the first of several equally preferred codings', () => {
  expect(chooseCoding('gzip, zstd, br', ['br', 'zstd', 'gzip'])).toBe('br');
  expect(chooseCoding('gzip, zstd', ['br', 'zstd', 'gzip'])).toBe('zstd');
});

it('chooses only among the available codings', () => {
  expect(chooseCoding('br, gzip;q=0.1', ['gzip'])).toBe('gzip');
  expect(chooseCoding('br, gzip', [])).toBeUndefined();
});
