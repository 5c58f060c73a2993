import { describe, expect, it } from 'vitest';
import { admitsHtml, namesHtml } from './accept.ts';

describe('admitsHtml', () => {
  const table: [accept: string | null | undefined, admits: boolean][] = [
    [null, true],
    [undefined, true],
    ['', true],
    [' , ', true],
    ['*/*', true],
    ['text/*', true],
    ['text/html', true],
    ['TEXT/HTML', true],
    ['text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,*/*;q=0.8', true],
    ['application/json, text/html;q=0.001', true],
    ['application/json , */* ; q=0.1', true],
    ['text/html;charset=UTF-8', true],
    ['text/html; charset="utf-8"', true],
    ['text/html;charset=utf-8;q=0', false],
    ['text/html;q=0.5;level=1', true],
    ['text/html;q=high', true],
    ['application/json', false],
    ['application/xhtml+xml', false],
    ['text/htmlx', false],
    ['text/plain', false],
    ['*/json', false],
    ['text/html;level=1', false],
    ['text/html;q=0', false],
    ['text/html;q=0.000', false],
    ['text/html;Q=0, */*', false],
    ['text/*;q=0, */*;q=1', false],
    ['*/*;q=0', false],
    // The most specific range counts, at any position.
    ['*/*;q=0, text/html', true],
    ['*/*;q=0, text/*;q=0.1', true],
    ['*/*, text/*, text/html;q=0', false],
    ['text/html, text/html;charset=utf-8;q=0', false],
    ['text/html;level=1;q=0, text/html', true],
    // Of two equal ranges, one that admits is enough.
    ['text/html;q=0, text/html', true],
    ['text/html, text/html;q=0', true],
    // A comma or a semicolon within quotes is not a separator.
    ['application/x;a="b, text/html"', false],
    ['application/x;a="b;q=0, text/html", text/html', true],
    [String.raw`application/x;a="\", text/html`, false],
  ];
  for (const [accept, admits] of table) {
    it(`${accept ?? String(accept)}: ${admits}`, () => expect(admitsHtml(accept)).toBe(admits));
  }

  it('reads a long header in linear time', () => {
    const started = performance.now();
    // In quadratic time, this takes longer than any pause of a busy machine.
    admitsHtml(`${'text/html;a="'.repeat(100_000)}${'\\'.repeat(100_000)}`);
    expect(performance.now() - started).toBeLessThan(20_000);
  });
});

describe('namesHtml', () => {
  const table: [accept: string | null | undefined, names: boolean][] = [
    ['text/html', true],
    ['text/html,application/xhtml+xml,*/*;q=0.8', true],
    ['application/json, Text/HTML;q=0.1', true],
    [null, false],
    ['', false],
    ['*/*', false],
    ['text/*', false],
    ['image/avif,image/webp,*/*;q=0.8', false],
    ['text/htmlx, */*', false],
    ['text/html;q=0, */*', false],
  ];
  it.each(table)('of %s is %s', (accept, names) => expect(namesHtml(accept)).toBe(names));
});
