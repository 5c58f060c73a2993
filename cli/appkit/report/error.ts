import { inspect } from 'node:util';
import type { Problem } from 'appkit-build/problem';
import { onStderr } from './style.ts';

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
  if (problems) return problems.map((problem) => [`${place(problem)}: ${problem.message}`, problem.fix]);

  const message = error instanceof Error ? error.message : inspect(error);
  if (error instanceof Error && 'fix' in error) return [[message, String(error.fix)]];
  return [
    [
      message,
      verbose
        ? 'This was not expected. The details follow.'
        : 'This was not expected. Run with --verbose for the details.',
    ],
  ];
}

// By shape: the class belongs to appkit-build, and an app may have another copy of it.
function problemsOf(error: unknown): Problem[] | undefined {
  const isExportError = error instanceof Error && 'problems' in error && Array.isArray(error.problems);
  return isExportError ? (error.problems as Problem[]) : undefined;
}

function place({ file, line, column }: Problem): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}
