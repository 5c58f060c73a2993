import type { AppDescription } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { Problem } from 'appkit-build/problem';
import { toPrintable } from '../report/printable.ts';
import { onStdout } from '../report/style.ts';
import { toErrorReport } from './error-report.ts';
import type { ErrorReport } from './error-report.ts';
import { printErrorReport } from './print-error.ts';

/** Reports events in the terminal. */
export interface Reporter {
  /** Prints an error under a line that says what failed. */
  error(error: unknown, what: string): void;
  /** The same, unless the error was already printed since the last file change, whatever the line above it said. */
  errorOnce(error: unknown, what: string): void;
  /** To be called when a file has changed: an error may be fixed and then occur again. */
  forgetErrors(): void;
  /** Prints one line, with the time of day and, for finished work, how long it took. */
  line(text: string, tookMs?: number): void;
}

/** The headline of the error when Vite cannot read a file, whatever requested the file. */
export const UNREADABLE = 'A file of the pages cannot be read.';

/** Creates the reporter of one server. */
export function createReporter(projectRoot: string): Reporter {
  const told = new Set<string>();
  return {
    error(error, what) {
      const report = toErrorReport(error, projectRoot);
      told.add(toKey(report));
      printErrorReport(report, { what });
    },
    errorOnce(error, what) {
      const report = toErrorReport(error, projectRoot);
      if (told.has(toKey(report))) return;
      told.add(toKey(report));
      printErrorReport(report, { what });
    },
    forgetErrors: () => told.clear(),
    line(text, tookMs) {
      const time = new Date().toTimeString().slice(0, 8);
      const took = tookMs === undefined ? '' : ` ${onStdout('dim', `(${tookMs.toFixed(0)} ms)`)}`;
      console.log(`${onStdout('dim', time)} ${toPrintable(text)}${took}`);
    },
  };
}

/** The same key for an error that both server and client find in a file. */
function toKey({ name, message, frame }: ErrorReport): string {
  return JSON.stringify([name, message, frame?.file, frame?.line]);
}

/** Prints why an app cannot be exported, if so. */
export function reportProblems(app: AppDescription, reporter: Reporter): void {
  const problems = problemsOf(app);
  if (problems.length > 0) reporter.error(new ExportError(problems), 'This app cannot be exported.');
}

/** All problems that prevent an export, as far as the files and the config show them. */
export function problemsOf({ problems, routes, middleware, site }: AppDescription): Problem[] {
  const files = [...routes, ...middleware, ...(site?.pages ?? []), ...(site?.notFound ?? [])];
  return [...problems, ...files.flatMap((file) => file.problems)];
}
