import { expect, it } from 'vitest';
import { isDecodable, pathBelow, pathnameOf, searchOf, toSegments } from './pathname.ts';
import { toPublicPath } from './visit.ts';

it.each([
  'http://a.test/',
  'http://a.test/x/y?q=/z#f',
  'http://a.test/x#f?q',
  'http://a.test/x#f',
  'http://a.test?q',
  'http://a.test/%2F',
])('finds path and query of %s as the URL parser does', (url) => {
  const { href, pathname, search } = new URL(url);
  expect([pathnameOf(href), searchOf(href)]).toEqual([pathname, search]);
});

it('takes a URL without a path for the root', () => expect(pathnameOf('http://a.test')).toBe('/'));

it.each([
  ['/shop', '/shop', '/'],
  ['/shop', '/shop/', '/'],
  ['/shop', '/shop/a', '/a'],
  ['/shop', '/shopping', undefined],
  ['/shop', '/other', undefined],
  ['/', '/a', '/a'],
  ['', '/a', '/a'],
])('below %s, %s is %s', (basePath, pathname, expected) => expect(pathBelow(basePath, pathname)).toBe(expected));

it('has no segments at the root, and decodes each once elsewhere', () => {
  expect([toSegments('/'), toSegments('/a/b/'), toSegments('/a%2Fb/%2525')]).toEqual([[], ['a', 'b'], ['a/b', '%25']]);
});

it('says whether a path can be decoded', () => {
  expect(['/', '/%C3%A9', '/%', '/%ff'].map(isDecodable)).toEqual([true, true, false, false]);
});

it('makes the public path of a mount', () => {
  const publicPath = (basePath: string): string =>
    toPublicPath({ request: new Request('http://a.test/'), pathname: '/', basePath }, '/x');
  expect(['', '/', '/shop'].map(publicPath)).toEqual(['/x', '/x', '/shop/x']);
});
