import { expect, it } from 'vitest';
import { isNormalTarget } from './normal-target.ts';

const asParsed = (target: string): boolean => {
  const { pathname, search } = new URL(`http://app.test${target}`);
  return pathname + search === target;
};

it.each(['/', '/users/7', '/a-b_c~d!e$f&g(h)i*j+k,l;m=n:o@p', '/?q=1&r=a/b', '/a.b/c.html', '/a//b', '/A'])(
  '%s is normal: the URL parser does not change it',
  (target) => {
    expect(isNormalTarget(target)).toBe(true);
    expect(asParsed(target)).toBe(true);
  },
);

it.each(['/a/../b', '/.', '/./a', '/a\\b', '/a b', '/é', '/a#b', '/a"b', '/a\tb', '/a?<', 'http://other.test/', ''])(
  '"%s" is left to the URL parser',
  (target) => expect(isNormalTarget(target)).toBe(false),
);

// The parser would not change these either, but asking it costs only time.
it.each(['/.well-known/x', '/%61', "/it's"])('%s is left to the URL parser as well', (target) => {
  expect(isNormalTarget(target)).toBe(false);
  expect(asParsed(target)).toBe(true);
});
