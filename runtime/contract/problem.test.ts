import fc from 'fast-check';
import { expect, it } from 'vitest';
import { propertyRuns } from '../../tools/property-runs.ts';
import { detailOf, pointerOf } from './problem.ts';

/** RFC 6901, sections 6 and 4. */
function readPointer(pointer: string): string[] {
  const [start, ...tokens] = decodeURIComponent(pointer).split('/');
  expect(start).toBe('#');
  return tokens.map((token) => token.replaceAll('~1', '/').replaceAll('~0', '~'));
}

it('gives every place a pointer to it, encoded for a URI', () => {
  const key = fc.oneof(fc.string({ unit: 'grapheme' }), fc.constantFrom('~~', '//', '~1', '%2F', '', '#'), fc.nat());
  fc.assert(
    fc.property(fc.array(fc.tuple(key, fc.boolean())), (keys) => {
      const path = keys.map(([key, isSegment]) => (isSegment ? { key } : key));
      const pointer = pointerOf({ message: '', path });
      expect(pointer).toMatch(/^#(?:\/[\w.!~*'()%-]*)*$/);
      expect(readPointer(pointer)).toEqual(keys.map(([key]) => String(key)));
    }),
    propertyRuns({ push: 1000, weekly: 100_000 }),
  );
});

it('is no longer than 500 characters, whatever the client has named its fields', () => {
  const of = (...lengths: number[]): string =>
    pointerOf({ message: '', path: lengths.map((length) => 'k'.repeat(length)) });
  expect(of(498)).toBe(`#/${'k'.repeat(498)}`);
  expect([of(499), of(501), of(1, 497)]).toEqual(['#', '#', '#/k']);
  expect(detailOf({ message: 'm'.repeat(500) })).toBe('m'.repeat(500));
  expect(detailOf({ message: 'm'.repeat(501) })).toBe(`${'m'.repeat(500)}…`);
});
