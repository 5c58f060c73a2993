import { decode, encode, type SourceMapMappings, type SourceMapSegment } from '@jridgewell/sourcemap-codec';

import type { BundleMap } from './source-map.ts';

/** Whole lines of code, and where each place in them is from. */
export interface MappedText {
  text: string;
  lines: number;
  /** Absent where nothing in them is from a source. */
  map?: BundleMap;
  /** Where the mappings end: what each says is the difference to the one before it. */
  end: Place;
}

/** What a mapping can refer to: a source by its number, a line and a column of it, and a name by its number. */
interface Place {
  source: number;
  line: number;
  column: number;
  name: number;
}

const START: Place = { source: 0, line: 0, column: 0, name: 0 };

/** Reads a text, once for all the times that it is joined with others. */
export function toMappedText(code: string, map: BundleMap | null): MappedText {
  const text = code.endsWith('\n') ? code : `${code}\n`;
  const lines = text.split('\n').length - 1;
  if (!map || map.mappings === '') return { text, lines, end: START };
  const { sources, names, mappings } = map;
  return { text, lines, map: { sources, names, mappings }, end: findEnd(decode(mappings)) };
}

/**
 * Joins texts and their maps. Neither is read again: a mapping that stands on the line before a text, where no code is, makes up for the
 * difference between where the last mappings ended and where those of the text begin.
 *
 * @param pieces – texts, and between them lines of no source.
 */
export function joinMaps(pieces: readonly (string | MappedText)[]): { code: string; map: BundleMap } {
  let code = '';
  let mappings = '';
  let at = START;
  const sources: string[] = [];
  const names: string[] = [];
  for (const piece of pieces) {
    if (typeof piece === 'string') {
      code += `${piece}\n`;
      mappings += ';';
      continue;
    }
    const { text, lines, map, end } = piece;
    code += text;
    if (!map) {
      mappings += ';'.repeat(lines);
      continue;
    }
    const start: Place = { ...START, source: sources.length, name: map.names.length > 0 ? names.length : at.name };
    if (mappings !== '') mappings = `${mappings.slice(0, -1)}${toStep(at, start)};`;
    mappings += map.mappings.padEnd(map.mappings.length + lines - countLines(map.mappings), ';');
    at = { ...end, source: start.source + end.source, name: map.names.length > 0 ? start.name + end.name : at.name };
    sources.push(...map.sources);
    names.push(...map.names);
  }
  return { code, map: { sources, names, mappings } };
}

/** The mapping of the first column of a line that leads from one place to another. */
function toStep(from: Place, to: Place): string {
  const isNamed = from.name !== to.name;
  const toSegment = ({ source, line, column, name }: Place): SourceMapSegment =>
    isNamed ? [0, source, line, column, name] : [0, source, line, column];
  const [, step = ''] = encode([[toSegment(from)], [toSegment(to)]]).split(';');
  return step;
}

function countLines(mappings: string): number {
  return mappings.split(';').length - 1;
}

function findEnd(lines: SourceMapMappings): Place {
  const end = { ...START };
  for (const [, source, line, column, name] of lines.flat()) {
    if (source === undefined) continue;
    Object.assign(end, { source, line, column });
    if (name !== undefined) end.name = name;
  }
  return end;
}
