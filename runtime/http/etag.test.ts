import { describe, expect, it } from 'vitest';
import { isNoneMatch } from './etag.ts';

describe('isNoneMatch', () => {
  const table: [header: string | null, etag: string, isMatch: boolean][] = [
    [null, '"a"', false],
    ['', '"a"', false],
    ['"a"', '"a"', true],
    ['"b"', '"a"', false],
    ['"A"', '"a"', false],
    ['W/"a"', '"a"', true],
    ['"a"', 'W/"a"', true],
    ['W/"a"', 'W/"a"', true],
    ['"b", W/"c" , "a"', '"a"', true],
    ['"b","c"', '"a"', false],
    // A comma may be part of a tag.
    ['"a,b"', '"a,b"', true],
    ['"a,b"', '"b"', false],
    ['*', '"a"', true],
    [' * ', '"a"', true],
    ['"*"', '"a"', false],
    ['a', '"a"', false],
    ['"aW/b"', '"aW/b"', true],
  ];
  for (const [header, etag, isMatch] of table) {
    it(`${header ?? 'no header'} for ${etag}: ${isMatch}`, () => expect(isNoneMatch(header, etag)).toBe(isMatch));
  }
});
