import { globSync } from 'node:fs';
import path from 'node:path';
import { runCommand } from '../../tools/run-command.ts';
import { atMost, toTable } from '../section.ts';
import type { Section } from '../section.ts';

const MICROSECONDS = 15;
const ADAPTERS = path.resolve(import.meta.dirname, '../../adapters');

/** What an adapter adds to a route, for an answer of thirteen bytes of text and the headers of a browser. */
export async function measureOverhead(build: string): Promise<Section> {
  const rows: { host: string; added: number; bare: number }[] = [];
  const files = globSync('*/overhead.ts', { cwd: ADAPTERS }).toSorted();
  for (const host of files.map((file) => path.dirname(file))) {
    // Each in a separate process, as on its host.
    const script = path.join(import.meta.dirname, 'measure-host.ts');
    const output = await runCommand([process.execPath, script, host, build], { cwd: import.meta.dirname });
    rows.push({ host, ...(JSON.parse(output) as { added: number; bare: number }) }); // what the script prints
  }
  const text = `In one process: the adapter with a route that answers a text, compared with the handler alone. Processor time, median
of 15 batches of 2,000.

${toTable(
  ['adapter', 'adds', 'handler alone'],
  rows.map(({ host, added, bare }) => [host, `${added.toFixed(1)} µs`, `${bare.toFixed(1)} µs`]),
)}`;
  const goals = rows.map(({ host, added }) =>
    atMost(`${host}: added to a request`, added, { limit: MICROSECONDS, unit: ' µs' }),
  );
  return { title: 'Overhead on hosts without a socket', text, goals };
}
