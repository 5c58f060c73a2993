import { expect, it } from 'vitest';
import { readCookies } from './cookies.ts';

it.each([
  ['a=1; b=2', { a: '1', b: '2' }],
  [' a = 1 ;b=', { a: '1', b: '' }],
  ['a=1=2; a=3', { a: '1=2' }],
  ['a; =1; ;', {}],
  [`a=${' '.repeat(100)}x`, { a: 'x' }],
])('reads %o', (cookie, expected) => {
  const request = new Request('http://app.example/', { headers: { cookie } });
  expect(Object.fromEntries(readCookies(request))).toEqual(expected);
});
