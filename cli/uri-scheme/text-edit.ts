/** Replaces a range of a text. The text outside of the range is not changed. */
export interface TextEdit {
  /** Where the range begins. */
  start: number;
  /** Where it ends; equal to `start` to insert. */
  end: number;
  /** The replacement. */
  text: string;
}

/** Applies edits that do not overlap. */
export function applyEdits(text: string, edits: readonly TextEdit[]): string {
  let edited = text;
  // From the last to the first, so that earlier offsets stay valid. Insertions at the same place keep their order.
  for (const { start, end, text } of edits.toSorted((one, other) => one.start - other.start).toReversed())
    edited = edited.slice(0, start) + text + edited.slice(end);
  return edited;
}

/** Where the line break before `offset` begins; absent if the line contains something before it. */
export function lineBreakBefore(text: string, offset: number): number | undefined {
  return /\r?\n[ \t]*$/.exec(text.slice(0, offset))?.index;
}

/** The line break after `offset`, if there are only blanks between them; absent otherwise. */
export function lineBreakAfter(text: string, offset: number): string | undefined {
  return /^[ \t]*(\r?\n)/.exec(text.slice(offset))?.[1];
}

/** The blanks before `offset` when it is the first in its line. */
export function indentAt(text: string, offset: number): string | undefined {
  return /(?:^\uFEFF?|[\r\n])([ \t]*)$/.exec(text.slice(0, offset))?.[1];
}
