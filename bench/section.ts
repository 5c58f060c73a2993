/** A figure and its goal. */
export interface Goal {
  what: string;
  /** Such as `at least 0.92`. */
  goal: string;
  /** In the same unit. */
  measured: string;
  met: boolean;
}

/** The results of one part of the comparison. */
export interface Section {
  title: string;
  /** How it was measured, and tables: Markdown. */
  text: string;
  goals: readonly Goal[];
}

/** A goal that a figure must reach. */
export function atLeast(what: string, measured: number, limit: number): Goal {
  return { what, goal: `at least ${limit}`, measured: measured.toFixed(2), met: measured >= limit };
}

/** A goal that a figure must not exceed. */
export function atMost(what: string, measured: number, { limit, unit = '' }: { limit: number; unit?: string }): Goal {
  const digits = Math.abs(measured) >= 100 ? 0 : 2;
  return { what, goal: `at most ${limit}${unit}`, measured: measured.toFixed(digits) + unit, met: measured <= limit };
}

/** A Markdown table. */
export function toTable(header: readonly string[], rows: readonly (readonly string[])[]): string {
  return [header, header.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`).join('\n');
}

/** What the page says about one part, by its title. */
type Parts = Map<string, string>;

/**
 * The page: how many goals each part has met, then each part.
 *
 * @param machine – a sentence about where it was measured.
 * @param before – the page so far. Parts that were not measured now stay.
 * @throws Error when those were measured elsewhere: figures of two machines cannot be compared.
 */
export function toPage(sections: readonly Section[], machine: string, before = ''): string {
  const parts = readParts(before);
  for (const section of sections) parts.set(section.title, toPart(section));
  if (parts.size > sections.length && !before.includes(`\n${machine} `)) {
    throw new Error(`The page was not measured here (${machine}). Measure all parts: npm run bench -- --write`);
  }
  const rows = [...parts].map(([title, part]) => [title, String(count(part, MET)), String(count(part, MISSED))]);
  return `# Benchmarks

${machine} Measure it yourself: \`npm run bench\`. If the machine does other work, differences under 10 % mean nothing.

${toTable(['part', 'goals met', 'goals missed'], rows)}

${[...parts].map(([title, part]) => `## ${title}\n\n${part}\n`).join('\n')}`;
}

const MET = '✓';
const MISSED = '**missed**';

function toPart({ text, goals }: Section): string {
  const rows = goals.map(({ what, goal, measured, met }) => [what, goal, measured, met ? MET : MISSED]);
  return rows.length === 0 ? text : `${text}\n\n${toTable(['what', 'goal', 'measured', ''], rows)}`;
}

function readParts(page: string): Parts {
  const [, ...parts] = page.split('\n## ');
  return new Map(parts.map((part) => [part.slice(0, part.indexOf('\n')), part.slice(part.indexOf('\n')).trim()]));
}

function count(part: string, mark: string): number {
  return part.split(`| ${mark} |`).length - 1;
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}
