import { expect, it } from 'vitest';
import { toPrintable } from './printable.ts';

it('shows what a terminal would obey, except for colours and line breaks', () => {
  for (const [text, printed] of [
    ['\u001B]52;c;cm0=\u0007', String.raw`\x1b]52;c;cm0=\x07`],
    ['\u001B[2J\u001Bc', String.raw`\x1b[2J\x1bc`],
    ['\u009B2J', String.raw`\x9b2J`],
    ['hidden\rshown', String.raw`hidden\x0dshown`],
    ['\u001B[1;31mred\u001B[0m', '\u001B[1;31mred\u001B[0m'],
    ['one\r\n\ttwo\nthree: é 日', 'one\r\n\ttwo\nthree: é 日'],
  ] as const) {
    expect(toPrintable(text)).toBe(printed);
  }
});
