import { inspect } from 'node:util';
import type { Problem } from 'appkit-build/problem';
import { onStderr } from './style.ts';

/** How many places of one problem are named besides the first. */
const PLACES = 3;

/**
 * Prints an error to standard error: one line that says what is wrong and one that says what to do.
 *
 * @param error – whatever was thrown.
 * @param options – `verbose` adds the stack and causes.
 */
export function printError(error: unknown, options: { verbose: boolean }): void {
  for (const [what, fix] of describe(error, options)) {
    console.error(`${onStderr(['red', 'bold'], 'error:')} ${what}\n  ${fix}`);
  }
  if (options.verbose) console.error(onStderr('dim', inspect(error)));
}

/** Prints something that the user should know, without stopping. */
export function printWarning(message: string): void {
  console.error(`${onStderr(['yellow', 'bold'], 'warning:')} ${message}`);
}

function describe(error: unknown, { verbose }: { verbose: boolean }): [what: string, fix: string][] {
  const problems = problemsOf(error);
  if (problems) return describeProblems(problems);

  const message = error instanceof Error ? error.message : inspect(error);
  if (error instanceof Error && 'fix' in error) return [[message, String(error.fix)]];
  if (isOfFile(error)) return [[message, FIXES[error.code] ?? '']];
  return [
    [
      message,
      verbose
        ? 'This was not expected. The details follow.'
        : 'This was not expected. Run with --verbose for the details.',
    ],
  ];
}

const OWNED = 'Check who owns it and its folder, and what this user may do there.';

/** What to do when the system refuses a file. Its own message says what and where. */
const FIXES: Record<string, string> = {
  EACCES: OWNED,
  EPERM: OWNED,
  EROFS: 'Use a folder that can be written to.',
  ENOSPC: 'Free space on that disk.',
  ENOTDIR: 'A file is where a folder should be: rename it, or correct the path.',
  ENAMETOOLONG: 'Shorten the name of the file or of its folder: an export makes it a little longer.',
  EBUSY: 'It is a mount, or another program uses it: mount the folder around it, or end that program.',
  EMFILE: 'Raise the number of files that a process may open, with ulimit -n.',
};

function isOfFile(error: unknown): error is Error & { code: string } {
  if (!(error instanceof Error && 'code' in error && 'syscall' in error)) return false;
  // A socket that was refused has an address.
  return Object.hasOwn(FIXES, String(error.code)) && !('address' in error);
}

/** A problem that several files have, such as a package that none of them finds, is described once. */
function describeProblems(problems: readonly Problem[]): [what: string, fix: string][] {
  const places = new Map<string, [Problem, ...string[]]>();
  for (const problem of problems) {
    const same = places.get(problem.message + problem.fix);
    if (same) same.push(place(problem));
    else places.set(problem.message + problem.fix, [problem]);
  }
  return [...places.values()].map(([problem, ...others]) => [
    `${place(problem)}: ${problem.message}`,
    others.length === 0 ? problem.fix : `${problem.fix}\n  The same in ${listPlaces(others)}.`,
  ]);
}

function listPlaces(places: readonly string[]): string {
  const shown = places.slice(0, PLACES);
  const more = places.length - shown.length;
  return shown.join(', ') + (more === 0 ? '' : ` and ${more} more`);
}

// By shape: the class belongs to appkit-build, and an app may have another copy of it.
function problemsOf(error: unknown): Problem[] | undefined {
  const isExportError = error instanceof Error && 'problems' in error && Array.isArray(error.problems);
  return isExportError ? (error.problems as Problem[]) : undefined;
}

function place({ file, line, column }: Problem): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}
