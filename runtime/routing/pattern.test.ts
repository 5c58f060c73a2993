import { describe, expect, it } from 'vitest';
import { parsePattern, toCanonical } from './pattern.ts';

function mistakeOf(pattern: string): unknown {
  try {
    return parsePattern(pattern);
  } catch (error) {
    return error;
  }
}

describe('parsePattern', () => {
  it('reads text, parameters and a rest', () => {
    expect(parsePattern('/books/[id]/[...rest]')).toEqual([
      { kind: 'static', text: 'books' },
      { kind: 'param', name: 'id' },
      { kind: 'rest', name: 'rest' },
    ]);
  });

  it('drops groups and a trailing slash', () => {
    expect(parsePattern('/(shop)/books/')).toEqual([{ kind: 'static', text: 'books' }]);
  });

  it.each(['(x', 'x)', '()', 'a(b)', '(a)b', '(a)(b)', '((a))'])('treats %s as text, not as a group', (text) => {
    expect(parsePattern(`/${text}`)).toEqual([{ kind: 'static', text }]);
  });

  it('refuses a pattern that does not start with a slash, and suggests the right one', () => {
    expect(mistakeOf('admin')).toMatchObject({
      name: 'TypeError',
      code: 'ERR_MATCHER_INVALID',
      message: 'The pattern "admin" does not start with "/". Write "/admin".',
    });
  });

  it('refuses a rest before the end', () => {
    expect(mistakeOf('/[...rest]/edit')).toMatchObject({
      name: 'TypeError',
      code: 'ERR_MATCHER_INVALID',
      message: 'The pattern "/[...rest]/edit" has [...rest] before its end. A rest parameter can only come last.',
    });
  });

  it.each([
    ['/admin/[[id]]', '[[id]]'],
    ['/admin/x[id]', 'x[id]'],
    ['/admin/[id]x', '[id]x'],
    ['/x[...rest]', 'x[...rest]'],
    ['/[...rest]x', '[...rest]x'],
    ['/[...a[b]', '[...a[b]'],
    ['/[a[b]', '[a[b]'],
    ['/[.a]', '[.a]'],
    ['/[id', '[id'],
    ['/id]', 'id]'],
    ['/[]', '[]'],
    ['/[...]', '[...]'],
  ])('refuses the brackets of %s, which are not a parameter', (pattern, segment) => {
    expect(mistakeOf(pattern)).toMatchObject({
      name: 'TypeError',
      code: 'ERR_MATCHER_INVALID',
      message: `The pattern "${pattern}" has the segment "${segment}", which is not one of: text, [name], [...name].`,
    });
  });
});

describe('toCanonical', () => {
  it.each(['/', '/a', '/ab/cd', '/[a]', '/[id]/x', '/a.b', '/[...a]', '/a/[...rest]', '/[a]/[b]/[...c]'])(
    'leaves %s as it is',
    (pattern) => expect(toCanonical(pattern)).toBe(pattern),
  );

  it.each([
    ['/a/', '/a'],
    ['//a', '/a'],
    ['/a//b', '/a/b'],
    ['/(g)', '/'],
    ['/(g)/a', '/a'],
    ['/a/(g)/[id]/(h)/[...rest]', '/a/[id]/[...rest]'],
    ['/[...rest]/', '/[...rest]'],
  ])('writes %s as %s', (pattern, canonical) => expect(toCanonical(pattern)).toBe(canonical));

  it.each([
    'a',
    '/[]',
    '/[.a]',
    '/[[a]]',
    '/[a]b',
    '/a[b]',
    '/[...a]/b',
    '/[...]',
    '/[...a[b]',
    '/[a',
    '/[a[]',
    '/[a]]',
    '/a/[...]]',
  ])('refuses %s as parsePattern does', (pattern) => {
    expect(() => toCanonical(pattern)).toThrow(expect.objectContaining({ code: 'ERR_MATCHER_INVALID' }));
  });
});
