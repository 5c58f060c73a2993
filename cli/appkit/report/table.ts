import { onStdout } from './style.ts';

/** A column of a table: its heading, and whether its cells line up on the right. */
export interface Column {
  heading: string;
  alignRight?: boolean;
}

/** Formats rows as lines of text with aligned columns. */
export function formatTable(columns: readonly Column[], rows: readonly (readonly string[])[]): string {
  const widths = columns.map(({ heading }, index) =>
    Math.max(heading.length, ...rows.map((row) => row[index]?.length ?? 0)),
  );
  const toLine = (cells: readonly string[]): string =>
    columns
      .map(({ alignRight }, index) => {
        const cell = cells[index] ?? '';
        return alignRight ? cell.padStart(widths[index] ?? 0) : cell.padEnd(widths[index] ?? 0);
      })
      .join('  ')
      .trimEnd();

  const headings = toLine(columns.map(({ heading }) => heading));
  return [onStdout('dim', headings), ...rows.map(toLine)].join('\n');
}
