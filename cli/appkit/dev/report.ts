import type { AppDescription } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { Problem } from 'appkit-build/problem';
import { onStdout } from '../report/style.ts';
import { toErrorReport } from './error-report.ts';
import type { ErrorReport } from './error-report.ts';
import { printErrorReport } from './print-error.ts';

/** Tells the terminal what happens. */
export interface Reporter {
  /** Prints an error under a line that says what failed. */
  error(error: unknown, what: string): void;
  /** The same, unless that has been printed, in whichever words, since a file last changed. */
  errorOnce(error: unknown, what: string): void;
  /** A file has changed: what is wrong may have been mended, and then be wrong again. */
  forgetErrors(): void;
  /** Prints one line, with the time of day and, of work that is done, how long it took. */
  line(text: string, tookMs?: number): void;
}

/** What is said to fail where Vite cannot read a file, whoever has asked for it. */
export const UNREADABLE = 'A file of the pages cannot be read.';

/** Makes the reporter of one server. */
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
      console.log(`${onStdout('dim', time)} ${text}${took}`);
    },
  };
}

/** The same for an error that server and client meet in one file. */
function toKey({ name, message, frame }: ErrorReport): string {
  return JSON.stringify([name, message, frame?.file, frame?.line]);
}

/** Prints why an app cannot be exported, if so. */
export function reportProblems(app: AppDescription, reporter: Reporter): void {
  const problems = problemsOf(app);
  if (problems.length > 0) reporter.error(new ExportError(problems), 'This app cannot be exported.');
}

/** Everything that keeps an app from being exported, as far as its files and config tell. */
export function problemsOf({ problems, routes, middleware, site }: AppDescription): Problem[] {
  const files = [...routes, ...middleware, ...(site?.pages ?? []), ...(site?.notFound ?? [])];
  return [...problems, ...files.flatMap((file) => file.problems)];
}
