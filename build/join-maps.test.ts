import { decode, encode, type SourceMapMappings, type SourceMapSegment } from '@jridgewell/sourcemap-codec';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { propertyRuns } from '../tools/property-runs.ts';
import { joinMaps, type MappedText, toMappedText } from './join-maps.ts';

const number = fc.nat({ max: 90 });
const columns = fc.uniqueArray(number, { maxLength: 4 }).map((each) => each.toSorted((a, b) => a - b));

/** Lines of mappings that refer to two sources and at most two names. */
const mappings = (names: number): fc.Arbitrary<SourceMapMappings> =>
  fc.array(
    columns.chain((each) => fc.tuple(...each.map((column) => toSegment(column, names)))),
    { minLength: 1, maxLength: 4 },
  );

function toSegment(column: number, names: number): fc.Arbitrary<SourceMapSegment> {
  const place = fc.tuple(fc.constant(column), fc.nat({ max: 1 }), number, number);
  const named = fc.tuple(fc.constant(column), fc.nat({ max: 1 }), number, number, fc.nat({ max: 1 }));
  return fc.oneof(fc.tuple(fc.constant(column)), place, ...(names > 0 ? [named] : []));
}

const piece: fc.Arbitrary<string | MappedText> = fc.oneof(
  fc.constant('between'),
  fc.constant(toMappedText('of no source', null)),
  fc.constantFrom(0, 2).chain((names) =>
    mappings(names).map((lines) =>
      toMappedText(lines.map(() => 'code\n').join(''), {
        sources: ['a', 'b'],
        names: ['one', 'two'].slice(0, names),
        mappings: encode(lines),
      }),
    ),
  ),
);

it('leads from each place to where the map of its text does', () => {
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 8 }), (texts) => {
      // A line between any two, as the parts of a file have it.
      const pieces = texts.flatMap((text) => ['between', text]);
      const joined = joinMaps(pieces);
      const expected: SourceMapMappings = [];
      const lineOf: string[] = [];
      const [sources, names]: [string[], string[]] = [[], []];
      for (const each of pieces) {
        if (typeof each === 'string') {
          lineOf.push(each);
          expected.push([]);
          continue;
        }
        const lines = decode(each.map?.mappings ?? '');
        for (const [index, text] of each.text.split('\n').slice(0, -1).entries()) {
          lineOf.push(text);
          expected.push((lines[index] ?? []).map((segment) => shift(segment, sources.length, names.length)));
        }
        sources.push(...(each.map?.sources ?? []));
        names.push(...(each.map?.names ?? []));
      }
      expect(joined.code).toBe(lineOf.map((line) => `${line}\n`).join(''));
      expect([joined.map.sources, joined.map.names]).toEqual([sources, names]);
      const actual = decode(joined.map.mappings);
      for (const [index, text] of lineOf.entries()) {
        const segments = actual[index] ?? [];
        for (const [, source, , , name] of segments) {
          if (source !== undefined) expect(source).toBeLessThan(sources.length);
          if (name !== undefined) expect(name).toBeLessThan(names.length);
        }
        // On the lines between, there is no code that anybody could ask about.
        if (text !== 'between') expect(segments).toEqual(expected[index]);
      }
    }),
    propertyRuns({ push: 100, weekly: 10_000 }),
  );
});

function shift(segment: SourceMapSegment, sources: number, names: number): SourceMapSegment {
  if (segment.length === 1) return segment;
  const [column, source, line, at] = segment;
  if (segment.length === 4) return [column, source + sources, line, at];
  return [column, source + sources, line, at, segment[4] + names];
}
