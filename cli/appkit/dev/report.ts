import { type AppDescription, ExportError, type Problem } from 'appkit-build';
import { onStdout } from '../report/style.ts';
import { toErrorReport } from './error-report.ts';
import { printErrorReport } from './print-error.ts';

/** Tells the terminal what happens. */
export interface Reporter {
  /** Prints an error under a line that says what failed. */
  error(error: unknown, what: string): void;
  /** Prints one line, with the time of day and how long it took. */
  line(text: string, tookMs: number): void;
}

/** Makes the reporter of one server. */
export function createReporter(projectRoot: string): Reporter {
  return {
    error(error, what) {
      printErrorReport(toErrorReport(error, projectRoot), { what });
    },
    line(text, tookMs) {
      const time = new Date().toTimeString().slice(0, 8);
      console.log(`${onStdout('dim', time)} ${text} ${onStdout('dim', `(${tookMs.toFixed(0)} ms)`)}`);
    },
  };
}

/** Prints why an app cannot be exported, if so. */
export function reportProblems(app: AppDescription, reporter: Reporter): void {
  const problems = problemsOf(app);
  if (problems.length > 0) reporter.error(new ExportError(problems), 'This app cannot be exported.');
}

/** Everything that keeps an app from being exported, as far as its files and config tell. */
export function problemsOf({ problems, routes, middleware, site }: AppDescription): Problem[] {
  const files = [...routes, ...(middleware ? [middleware] : []), ...(site?.pages ?? []), ...(site?.notFound ?? [])];
  return [...problems, ...files.flatMap((file) => file.problems)];
}
