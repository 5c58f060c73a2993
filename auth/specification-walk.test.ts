import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

/** A row of a table in docs/auth-specification.md. */
interface Row {
  section: string;
  row: string;
  file: string;
  test: string;
}

function readRows(): Row[] {
  const page = readFileSync(path.join(import.meta.dirname, '../docs/auth-specification.md'), 'utf8');
  return page.split(/^## /m).flatMap((part) => {
    const [section = '', ...lines] = part.split('\n');
    const rows = lines.map((line) => line.split(/(?<!\\)\|/).map((cell) => cell.trim()));
    return rows.flatMap(([, row = '', file = '', test = '']) =>
      /^`[\w./-]+\.test\.ts`$/.test(file) ? [{ section, row, file: file.slice(1, -1), test }] : [],
    );
  });
}

/** The names of the tests in a file, as they are written: what `it(` or the table of `it.each` is followed by. */
function namesIn(source: string): string[] {
  const names = source.matchAll(/(?:\bit|\))\(\s*(['"`])(.*?)\1,/g);
  // A test that is skipped shows nothing.
  return /\b(?:it|describe)\.(?:skip|todo|only)\b/.test(source) ? [] : Array.from(names, ([, , name = '']) => name);
}

const rows = readRows();

it.each(rows)('$section: $row: is shown by a test that is there', ({ file, test }) => {
  expect(namesIn(readFileSync(path.join(import.meta.dirname, file), 'utf8'))).toContain(test);
});

it('has the sections of the specification, and no row twice', () => {
  const sections = ['States and transitions', 'Errors', 'Limits', 'Events', 'Authentication'];
  expect([...new Set(rows.map(({ section }) => section))]).toEqual(sections);
  expect(new Set(rows.map(({ section, row, file, test }) => `${section}|${row}|${file}|${test}`)).size).toBe(
    rows.length,
  );
});

it('would see a test that is not there, or is skipped', () => {
  const source = `it('one', () => {});\nit.each([1] as const)(\n  'two', () => {});`;
  expect(namesIn(source)).toEqual(['one', 'two']);
  expect(namesIn(`${source}\nit.skip('three', () => {});`)).toEqual([]);
});
