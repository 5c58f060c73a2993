import { describe, expect, it } from 'vitest';

import { toPatternKey, toRoutePath } from './route-path.ts';

describe('toRoutePath', () => {
  it.each([
    ['hello', '/hello'],
    ['index', '/'],
    ['users/index', '/users'],
    ['index/index', '/index'],
    ['users/[id]', '/users/[id]'],
    ['files/[...path]', '/files/[...path]'],
    ['(shop)/items/[id]/index', '/items/[id]'],
    ['(a b)/x', '/x'],
    ['(a)/index', '/'],
    ['.well-known/security.txt', '/.well-known/security.txt'],
    ['feed.xml', '/feed.xml'],
    ['with space/naïve', '/with space/naïve'],
    ['cafe\u0301', '/caf\u00e9'],
  ])('reads %s as %s', (stem, pattern) => {
    expect(toRoutePath(stem)).toEqual({ pattern });
  });

  it.each([
    ['[...rest]/x', /nothing can follow/],
    ['[id]/[id]', /called id/],
    ['[id]/[...id]', /called id/],
    ['[]', /no parameter name/],
    ['[...]', /no parameter name/],
    ['[[x]]', /optional segment/],
    ['[[...x]]', /optional segment/],
    ['a/[id', /not a parameter/],
    ['id]', /not a parameter/],
    ['user-[id]', /not a parameter/],
    ['[a][b]', /not a parameter/],
    ['x/(group)', /named like a group/],
    ['(a,b)/x', /\(a,b\) would be several groups/],
    ['x/(a, b)/index', /\(a, b\) would be several groups/],
  ])('refuses %s', (stem, message) => {
    expect(toRoutePath(stem)).toMatchObject({ message: expect.stringMatching(message), fix: expect.any(String) });
  });
});

describe('toPatternKey', () => {
  it('is the same for patterns that differ in parameter names only', () => {
    expect(toPatternKey('/a/[id]/[...rest]')).toBe(toPatternKey('/a/[slug]/[...path]'));
  });

  it('differs between a segment and the rest of the path', () => {
    expect(toPatternKey('/a/[id]')).not.toBe(toPatternKey('/a/[...id]'));
  });
});
