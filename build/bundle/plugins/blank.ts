/** Replaces parts of a source by spaces, so that everything else stays where it is. Lines end where they did. */
export function blank(code: string, parts: readonly (readonly [start: number, end: number])[]): string {
  let changed = code;
  for (const [start, end] of parts) {
    changed = changed.slice(0, start) + changed.slice(start, end).replaceAll(/[^\n\r]/g, ' ') + changed.slice(end);
  }
  return changed;
}
