import { expect, it } from 'vitest';
import { toCodeFrame } from './code-frame.ts';

it('shows the lines around a position, and marks it', () => {
  const source = Array.from({ length: 12 }, (_, index) => `line ${index + 1}`).join('\n');
  expect(toCodeFrame(source, { line: 9, column: 6 })).toBe(
    ['   6 | line 6', '   7 | line 7', '   8 | line 8', '>  9 | line 9', '     |      ^']
      .concat(['  10 | line 10', '  11 | line 11', '  12 | line 12'])
      .join('\n'),
  );
});

it('stays within a short source, keeps tabs and cuts minified lines', () => {
  expect(toCodeFrame('\t\tx', { line: 1, column: 3 })).toBe('> 1 | \t\tx\n    | \t\t^');
  expect(toCodeFrame('x'.repeat(500), { line: 1, column: 400 })).toBe(`> 1 | ${'x'.repeat(160)}`);
});
