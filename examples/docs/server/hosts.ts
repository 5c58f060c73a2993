import { renderMarkdown } from './markdown.ts';
import type { Section } from './markdown.ts';
import { readParts } from './tables.ts';
import type { Table } from './tables.ts';

/** A host, and how many behaviours were shown on it. */
export interface HostResult {
  name: string;
  runs: string;
  shown: number;
  gaps: number;
  notApplicable: number;
  failures: number;
}

/** Behaviours of one kind, on every host. */
export interface BehaviourGroup extends Section {
  hosts: string[];
  behaviours: { name: string; /** What each host has shown: `✓`, `gap`, `—` or nothing. */ results: string[] }[];
}

/** What docs/hosts.md says. */
export interface HostMatrix {
  hosts: HostResult[];
  groups: BehaviourGroup[];
  /** All that is no table of behaviours. */
  notes: { html: string; sections: Section[] };
}

/** Reads the results of the conformance suite. */
export async function readHosts(): Promise<HostMatrix> {
  const [summary, ...parts] = await readParts('hosts.md');
  const rows = summary?.tables[0]?.rows;
  if (!rows) throw new Error('docs/hosts.md has no table of hosts. Write it with npm run conformance.');
  const groups = parts.flatMap(({ title, tables: [table] }) => (isMatrix(table) ? [toGroup(title, table)] : []));
  const others = parts.filter(({ tables: [table] }) => !isMatrix(table)).map(({ text }) => text);
  return { hosts: rows.map(toHostResult), groups, notes: renderMarkdown(others.join('\n'), 'docs/hosts.md') };
}

function toHostResult([name = '', runs = '', ...counts]: string[]): HostResult {
  const [shown = 0, gaps = 0, notApplicable = 0, failures = 0] = counts.map(Number);
  return { name, runs, shown, gaps, notApplicable, failures };
}

function isMatrix(table: Table | undefined): table is Table {
  return table?.header[0] === 'Behaviour' && table.header[1] === 'Source';
}

function toGroup(title: string, { header: [, , ...hosts], rows }: Table): BehaviourGroup {
  return { id: title, title, hosts, behaviours: rows.map(([name = '', , ...results]) => ({ name, results })) };
}
