/** A place in a text, as editors count. */
export interface SourcePosition {
  /** From 1. */
  line: number;
  /** From 1. */
  column: number;
}

/** The line and column of an offset. A byte order mark does not count as a column. */
export function toPosition(text: string, offset: number): SourcePosition {
  const lines = text.slice(0, offset).split(/\r\n|\r|\n/);
  const last = lines.at(-1) ?? '';
  return { line: lines.length, column: last.replace(/^\uFEFF/, '').length + 1 };
}
