// An error message that suggests a correction, like a problem, needs no bundler.
export { findNearestName } from './config/nearest-name.ts';

/** One reason why an app cannot be exported, and what to do about it. */
export interface Problem {
  /** The file to look at, relative to the project, with `/` between folders. */
  file: string;
  /** The line in that file, counted from 1. Absent when the problem concerns the entire file. */
  line?: number;
  /** The column in that line, counted from 1. */
  column?: number;
  /** What is wrong: a full sentence. */
  message: string;
  /** What to do about it: a full sentence. */
  fix: string;
}

/**
 * Reports that an app cannot be exported, with every reason at once: for all files, not only the first bad one. The
 * message lists them, one per line, as `file:line:column: what is wrong. What to do.`
 */
export class ExportError extends Error {
  override readonly name = 'ExportError';
  /** Every problem found, ordered by file and line. At least one. */
  readonly problems: readonly Problem[];

  constructor(problems: readonly Problem[]) {
    const sorted = withoutRepeats(problems).toSorted(byPlace);
    const count = sorted.length === 1 ? 'One problem keeps' : `${sorted.length} problems keep`;
    super(
      `${count} this app from being exported:\n${sorted.map((problem) => `  ${formatProblem(problem)}`).join('\n')}`,
    );
    this.problems = sorted;
  }
}

/** Routes share modules, so a mistake in a shared one is found once per route. */
function withoutRepeats(problems: readonly Problem[]): Problem[] {
  return [...new Map(problems.map((problem) => [JSON.stringify(problem), problem])).values()];
}

/** A problem as one line: `file:line:column: what is wrong. What to do.` */
export function formatProblem({ file, line, column, message, fix }: Problem): string {
  const place = [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
  return `${place}: ${message} ${fix}`;
}

function byPlace(a: Problem, b: Problem): number {
  return (
    compare(a.file, b.file) ||
    compare(a.line ?? 0, b.line ?? 0) ||
    compare(a.column ?? 0, b.column ?? 0) ||
    compare(a.message, b.message)
  );
}

function compare<T extends string | number>(a: T, b: T): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
