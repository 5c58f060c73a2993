import { inspect } from 'node:util';
import { onStderr } from './style.ts';

/** One thing wrong with an app, as appkit-build reports it. */
interface Problem {
  file: string;
  line?: number;
  column?: number;
  message: string;
  fix: string;
}

/**
 * Prints an error to standard error: a line of what is wrong and a line of what to do.
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

/** Prints something the user should know that stops nothing. */
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

// Read by shape: the class is appkit-build's, and importing it here would load the bundler for every error.
function problemsOf(error: unknown): Problem[] | undefined {
  const isExportError = error instanceof Error && 'problems' in error && Array.isArray(error.problems);
  return isExportError ? (error.problems as Problem[]) : undefined; // the type in appkit-build's index
}

function place({ file, line, column }: Problem): string {
  return [file, line, line === undefined ? undefined : column].filter((part) => part !== undefined).join(':');
}
