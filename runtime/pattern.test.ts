import { describe, expect, it } from 'vitest';
import { parsePattern } from './pattern.ts';

describe('parsePattern', () => {
  it('reads text, parameters and a rest', () => {
    expect(parsePattern('/books/[id]/[...rest]')).toEqual([
      { kind: 'static', text: 'books' },
      { kind: 'param', name: 'id' },
      { kind: 'rest', name: 'rest' },
    ]);
  });

  it('leaves groups and a trailing slash out', () => {
    expect(parsePattern('/(shop)/books/')).toEqual([{ kind: 'static', text: 'books' }]);
  });

  it('refuses a pattern that does not start with a slash and gives the right one', () => {
    expect(() => parsePattern('admin')).toThrow('Write "/admin"');
  });

  it('refuses a rest before the end', () => {
    expect(() => parsePattern('/[...rest]/edit')).toThrow('A rest can only come last');
  });

  it('refuses brackets that are no parameter', () => {
    for (const pattern of ['/admin/[[id]]', '/admin/x[id]', '/[]', '/[...]']) {
      expect(() => parsePattern(pattern), pattern).toThrow(TypeError);
    }
  });
});
