/** A position in a text as editors show it: both numbers start at 1. */
export interface SourcePosition {
  line: number;
  column: number;
}

/** Turns an offset in UTF-16 units, as parsers count, into a line and a column. */
export function toSourcePosition(text: string, offset: number): SourcePosition {
  const before = text.slice(0, offset).split(/\r\n|[\n\r\u2028\u2029]/);
  return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}
