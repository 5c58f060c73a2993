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

/** The page of all parts: the goals first, then each part. */
export function toPage(sections: readonly Section[], machine: string): string {
  const goals = sections.flatMap((section) => section.goals);
  const rows = goals.map(({ what, goal, measured, met }) => [what, goal, measured, met ? '✓' : '**missed**']);
  const parts = sections.map(({ title, text }) => `## ${title}\n\n${text}\n`);
  return `# Benchmarks

${machine} Measure it yourself: \`npm run bench\`. On a machine that does other work, differences under 10 % mean nothing.

## Goals

${toTable(['what', 'goal', 'measured', ''], rows)}

${parts.join('\n')}`;
}

/** The one in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const [low = NaN, high = NaN] = [sorted[middle - 1], sorted[middle]];
  return sorted.length % 2 === 1 ? high : (low + high) / 2;
}
