import { describe, expect, it } from 'vitest';

import { parseHeaders } from './header-options.ts';

function parse(value: unknown): { headers: Record<string, string | string[]>; problems: string[] } {
  const problems: string[] = [];
  const headers = parseHeaders(value, (message, fix) => void problems.push(`${message} ${fix}`));
  return { headers, problems };
}

describe('headers', () => {
  it('are names with a value or a list of them', () => {
    const headers = {
      'X-Frame-Options': 'DENY',
      'x-empty': '',
      'set-cookie': ['a=1', 'b="2"; Path=/'],
      "x!#$%&'*+-.^_`|~0": 'x\ty',
    };
    expect(parse(headers)).toEqual({ headers, problems: [] });
    expect(parse(undefined)).toEqual({ headers: {}, problems: [] });
  });

  it('are an object', () => {
    for (const value of [[], 'x', null, true]) {
      expect(parse(value).problems).toEqual([
        `The option headers of appkit-router is ${JSON.stringify(value)}. Make it an object of names and values, such as { "x-frame-options": "DENY" }.`,
      ]);
    }
  });

  it('have names that a header can have', () => {
    for (const name of ['', 'a b', 'a:', 'a\r\nb', 'caf\u00e9', '(a)']) {
      expect(parse({ [name]: 'x' })).toEqual({
        headers: {},
        problems: [
          `The option headers has ${JSON.stringify(name)}, which is not a header name. Use letters, digits and "-".`,
        ],
      });
    }
    expect(parse({ 'Content-Length': '5' }).problems).toEqual([
      'The option headers has Content-Length, which the host sets for each answer. Remove it.',
    ]);
    expect(parse({ 'x-a': '1', 'X-A': '2' }).problems).toEqual([
      'The option headers has X-A twice. Write it once, with a list of values. Case makes no difference.',
    ]);
  });

  it('have values that a header can have', () => {
    for (const value of [
      'a\r\nb: c',
      'a\nb',
      'a\0b',
      ' a',
      'a\t',
      'caf\u00e9',
      5,
      null,
      {},
      [],
      ['a', 5],
      ['a', 'b\r'],
    ]) {
      expect(parse({ 'x-a': value })).toEqual({
        headers: {},
        problems: [
          `The header x-a of the option headers is ${JSON.stringify(value)}. Make it a string, or a list of strings, of ASCII characters on one line, without white space around them.`,
        ],
      });
    }
  });
});
