import { renderMarkdown } from './markdown.ts';
import { isMatrix, toMatrix } from './matrix.ts';
import type { Matrix } from './matrix.ts';
import { readParts } from './tables.ts';
import type { Part } from './tables.ts';

const FILE = 'docs/hosts.md';

/** A host, and how many behaviours were shown on it. */
export interface HostResult {
  name: string;
  runs: string;
  shown: number;
  gaps: number;
  notApplicable: number;
  failures: number;
}

/** The content of docs/hosts.md. */
export interface HostMatrix {
  hosts: HostResult[];
  matrix: Matrix;
  /** Everything except the tables of behaviours. */
  notes: string;
}

/** Reads the results of the conformance suite. */
export async function readHosts(): Promise<HostMatrix> {
  const [summary, ...parts] = await readParts('hosts.md');
  const rows = summary?.tables[0]?.rows;
  if (!rows) throw new Error(`${FILE} has no table of hosts. Write it with npm run conformance.`);
  const others = parts.filter(({ tables: [table] }) => !isMatrix(table)).map(({ text }) => text);
  const { html } = renderMarkdown(others.join('\n'), FILE);
  return { hosts: rows.map(toHostResult), matrix: readMatrix(parts), notes: html };
}

function toHostResult([name = '', runs = '', ...counts]: string[]): HostResult {
  const [shown = 0, gaps = 0, notApplicable = 0, failures = 0] = counts.map(Number);
  return { name, runs, shown, gaps, notApplicable, failures };
}

function readMatrix(parts: readonly Part[]): Matrix {
  const table = parts.find(({ title }) => title === 'Gaps')?.tables[0];
  const reasons = new Map(table?.rows.map(([host = '', name = '', why = '']) => [`${host}\n${name}`, why]));
  return toMatrix(parts, ({ name, columns, results }, numberOf) => {
    const cells = results.map((sign, index) => {
      if (sign !== 'gap') return sign;
      const why = reasons.get(`${columns[index]}\n${name}`);
      if (why === undefined) throw new Error(`${FILE} has no reason for the gap "${name}" of ${columns[index]}.`);
      return numberOf({ sign, html: renderMarkdown(why, FILE).html });
    });
    return { name, cells };
  });
}
