import { describe, expect, it } from 'vitest';
import { joinedValueOf, PLAIN_VALUE, toHeaderList, toHeaderPairs, toHeaders, valueOf } from './header-list.ts';

const LIST = ['a', '1', 'set-cookie', 'x=1', 'set-cookie', 'y=2'];
const PAIRS = [
  ['a', '1'],
  ['set-cookie', 'x=1'],
  ['set-cookie', 'y=2'],
];

describe('a list of header fields', () => {
  it('is the same list that was passed in', () => expect(toHeaderList(LIST)).toBe(LIST));

  it('is made from Headers, with every cookie', () => {
    expect(toHeaderList(toHeaders(LIST))).toEqual(LIST);
  });

  it('can be read as pairs, like Headers', () => {
    expect(toHeaderPairs(LIST)).toEqual(PAIRS);
    expect(toHeaderPairs(toHeaders(LIST))).toEqual(PAIRS);
    expect(toHeaderPairs([])).toEqual([]);
  });

  it('finds a value by its name, and never by a value', () => {
    expect(valueOf(['a', 'b', 'b', 'c'], 'b')).toBe('c');
    expect(valueOf(['a', 'b'], 'b')).toBeUndefined();
    expect(valueOf(['a', ''], 'a')).toBe('');
  });

  it('joins several field lines, with names in any case', () => {
    const list = ['Host', 'a.test', 'X-A', '1', 'HOST', 'b.test', 'x-a', 'host'];
    expect(joinedValueOf(list, 'host')).toBe('a.test, b.test');
    expect(joinedValueOf(list, 'x-a')).toBe('1, host');
    expect(joinedValueOf(list, 'x-b')).toBeUndefined();
    expect(joinedValueOf(['Cookie', 'a=1', 'x-a', '1', 'cookie', 'b=2'], 'cookie')).toBe('a=1; b=2');
  });

  it('becomes Headers without pseudo-headers, its cookie crumbs joined by a semicolon', () => {
    const list = [':authority', 'a.test', 'Cookie', 'a=1', 'x-a', '1', 'cookie', 'b=2', 'X-A', '2', 'accept', 'a'];
    expect([...toHeaders(list)]).toEqual([
      ['accept', 'a'],
      ['cookie', 'a=1; b=2'],
      ['x-a', '1, 2'],
    ]);
  });
});

describe('a plain value', () => {
  for (const value of ['', 'a', 'a b', 'a\tb', '~!']) {
    it(`is ${JSON.stringify(value)}: Headers keeps it`, () => {
      expect(PLAIN_VALUE.test(value)).toBe(true);
      expect(new Headers([['a', value]]).get('a')).toBe(value);
    });
  }
  for (const value of [' a', 'a ', '\ta', 'é', 'a\nb', 'a\0']) {
    it(`is not ${JSON.stringify(value)}`, () => expect(PLAIN_VALUE.test(value)).toBe(false));
  }
});
