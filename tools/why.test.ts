import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, it } from 'vitest';

const page = readFileSync(path.join(import.meta.dirname, '../docs/guide/why.md'), 'utf8');

/** The table cells that make a claim without a link to the evidence. */
function unsourced(markdown: string): string[] {
  const [header, , ...rows] = [...markdown.matchAll(/^\|(.*)\|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  );
  return rows.flatMap(([name = '', ...cells]) =>
    cells.flatMap((cell, index) => (/^\[[^\]]+\]\([^)\s]+\)$/.test(cell) ? [] : `${name}, ${header?.[index + 1]}`)),
  );
}

it('compares appkit with others by facts that each have a link', () => {
  expect(page).toMatch(/\| appkit +\| Nitro +\| Hono +\| SvelteKit +\| OpenNext +\|/);
  expect(unsourced(page)).toEqual([]);
});

it('would find a claim without a link', () => {
  const table = '| | appkit | Hono |\n| --- | --- | --- |\n| Speed | [measured](../benchmarks.md) | slow |\n';
  expect(unsourced(table)).toEqual(['Speed, Hono']);
});
