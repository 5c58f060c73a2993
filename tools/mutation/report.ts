import { table } from '../../conformance/markdown-table.ts';
import type { Mutant } from './instrument.ts';

/** The result for a mutant. A mutant that never ended, or made a test wait too long, counts as killed. */
export type End = 'killed' | 'survived' | 'not reached';

export interface TriedMutant extends Mutant {
  end: End;
  reason: string | undefined;
}

export interface AreaResult {
  name: string;
  mutants: TriedMutant[];
}

/** Why a mutant may survive. It is found by the text of its line, so it stays valid when lines move. */
export interface Reason {
  file: string;
  code: string;
  from: string;
  to: string;
  reason: string;
}

const LEAST = 85;
const begin = '<!-- mutation: written by npm run mutation -- --write -->';
const end = '<!-- /mutation -->';

export function explain(mutant: Mutant, reasons: readonly Reason[]): string | undefined {
  return reasons.find((reason) => isFor(reason, mutant))?.reason;
}

/** The reasons whose mutants are now killed or no longer exist. Reasons for files that were not tried are left out. */
export function staleOf(reasons: readonly Reason[], results: readonly AreaResult[]): Reason[] {
  const mutants = results.flatMap(({ mutants }) => mutants);
  const files = new Set(mutants.map(({ file }) => file));
  return reasons.filter(
    (reason) => files.has(reason.file) && !mutants.some((mutant) => mutant.end !== 'killed' && isFor(reason, mutant)),
  );
}

export function isEnough({ mutants }: AreaResult): boolean {
  return scoreOf(mutants) >= LEAST;
}

/** The printed report: the scores, and every survivor without a reason. */
export function describe(results: readonly AreaResult[]): string {
  const lines = results.flatMap(({ mutants }) =>
    mutants
      .filter(({ end, reason }) => end !== 'killed' && reason === undefined)
      .map(({ file, line, from, to, end }) => `${file}:${line}: ${end}: ${from} → ${to}`),
  );
  const scores = results.map(
    ({ name, mutants }) =>
      `${name}: ${scoreOf(mutants).toFixed(1)} % of ${mutants.length} killed, ${count(mutants, 'survived')} survived, ${count(mutants, 'not reached')} not reached`,
  );
  return [...lines, ...scores].join('\n');
}

/**
 * The part of docs/reliability.md.
 *
 * @param options – `names` are those of all areas, in the order of the rows; `before` is the page, whose rows of areas
 * without a result stay.
 */
export function toSection(
  results: readonly AreaResult[],
  { names, before }: { names: readonly string[]; before: string },
): string {
  const section = before.slice(before.indexOf(begin), before.indexOf(end));
  const kept = new Map(section.split('\n').map((line) => [toCells(line)[0], toCells(line)]));
  const measured = new Map(results.map((result) => [result.name, toRow(result)]));
  return `## Mutants

\`npm run mutation\` changes the code in one place at a time and runs the unit tests of that part that reach it: it turns a comparison
around, makes a condition always true, empties a block, changes a text. The score is the share of all these mutants that a test
detects. The goal is ${LEAST} %. A mutant that never ends counts as detected. \`tools/mutation/survivors.json\` says why some survive.

${table(
  ['code', 'mutants', 'killed', 'survived', 'not reached', 'survivors with a reason', 'score'],
  names.flatMap((name) => {
    const row = measured.get(name) ?? kept.get(name);
    return row ? [row] : [];
  }),
)}`;
}

function toRow({ name, mutants }: AreaResult): string[] {
  return [
    name,
    String(mutants.length),
    String(count(mutants, 'killed')),
    String(count(mutants, 'survived')),
    String(count(mutants, 'not reached')),
    String(mutants.filter(({ end, reason }) => end !== 'killed' && reason !== undefined).length),
    `${scoreOf(mutants).toFixed(1)} %`,
  ];
}

/** The cells of a line of a table. */
function toCells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim());
}

/** Puts the part into the page: replaces the existing part, or appends it at the end. */
export function replaceSection(page: string, section: string): string {
  const whole = `${begin}\n\n${section}\n\n${end}`;
  const from = page.indexOf(begin);
  const to = page.indexOf(end, from);
  return from === -1 || to === -1
    ? `${page.trimEnd()}\n\n${whole}\n`
    : page.slice(0, from) + whole + page.slice(to + end.length);
}

function isFor(reason: Reason, mutant: Mutant): boolean {
  return (['file', 'code', 'from', 'to'] as const).every((key) => reason[key] === mutant[key]);
}

function count(mutants: readonly TriedMutant[], wanted: End): number {
  return mutants.filter(({ end }) => end === wanted).length;
}

function scoreOf(mutants: readonly TriedMutant[]): number {
  // Rounded down, so that 84.96 does not appear to be enough.
  return Math.floor((count(mutants, 'killed') / mutants.length) * 1000) / 10;
}
