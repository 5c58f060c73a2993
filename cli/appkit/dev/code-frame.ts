/** How many lines are shown before and after the marked one. */
const AROUND = 3;
/** A longer line is cut: it belongs to a minified file. */
const WIDTH = 160;

/** Draws the lines around a position in a source, numbered, with a mark under it. Lines and columns count from 1. */
export function toCodeFrame(source: string, { line, column }: { line: number; column: number }): string {
  const lines = source.split(/\r\n|[\n\r]/);
  const first = Math.max(1, line - AROUND);
  const last = Math.min(lines.length, line + AROUND);
  const width = String(last).length;
  const drawn: string[] = [];
  for (let number = first; number <= last; number++) {
    const text = lines[number - 1] ?? '';
    drawn.push(`${number === line ? '>' : ' '} ${String(number).padStart(width)} | ${text.slice(0, WIDTH)}`.trimEnd());
    if (number !== line || column > WIDTH) continue;
    // Tabs stay tabs, so that the mark is under its character however wide they are.
    const indent = text.slice(0, column - 1).replaceAll(/[^\t]/g, ' ');
    drawn.push(`  ${' '.repeat(width)} | ${indent}^`);
  }
  return drawn.join('\n');
}
