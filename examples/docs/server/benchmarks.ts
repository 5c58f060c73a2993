import { renderMarkdown } from './markdown.ts';
import type { Rendered } from './markdown.ts';
import { readParts } from './tables.ts';

/** Which share of a baseline one of our servers reaches. */
export interface Ratio {
  server: string;
  baseline: string;
  task: string;
  /** 1 means as many requests per second as the baseline. */
  value: string;
}

const TASK = 'JSON + param, 20 headers';
const SERVERS = { 'appkit node': 'raw node:http', 'appkit express': 'Express 5' };

/** Reads docs/benchmarks.md. */
export async function readBenchmarks(): Promise<Rendered> {
  const parts = await readParts('benchmarks.md');
  return renderMarkdown(parts.map(({ text }) => text).join(''), 'docs/benchmarks.md');
}

/** Reads the ratios for the task that is most like a route: JSON and a parameter. */
export async function readRatios(): Promise<Ratio[]> {
  const tables = (await readParts('benchmarks.md')).flatMap((part) => part.tables);
  return Object.entries(SERVERS).map(([server, baseline]) => {
    const table = tables.find(({ rows }) => rows.some(([name]) => name === server));
    const cell = table?.rows.find(([name]) => name === server)?.[table.header.indexOf(TASK)];
    const [, value] = /^\*\*([\d.]+)\*\*/.exec(cell ?? '') ?? [];
    if (value === undefined) throw new Error(`docs/benchmarks.md has no ratio of ${server} for ${TASK}.`);
    return { server, baseline, task: TASK, value };
  });
}
