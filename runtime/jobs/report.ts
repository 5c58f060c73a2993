import type { OnError } from '../request/error-report.ts';
import { isPromise } from '../request/is-promise.ts';
import { printError } from '../request/print-error.ts';
import { describeThrown } from './describe-thrown.ts';
import type { FailedJob } from './failed-job.ts';

/** The failed attempt, as it is logged if there is no hook or if the hook fails. */
interface LoggedJob extends FailedJob {
  /** Where dead jobs are. */
  deadPlace: string;
}

/** Passes a job's error to the user's hook. Never throws, never rejects. */
export function reportJobError(onError: OnError | undefined, error: unknown, logged: LoggedJob): void {
  if (!onError) return logJobError(error, logged);
  const { deadPlace: _, ...failed } = logged;
  const fail = (hookError: unknown): void => {
    logJobError(error, logged);
    printError('The onError hook failed while handling the error above:', hookError);
  };
  try {
    // Hooks read the method and the URL of their argument.
    const given = onError(error, new Request(`job:${failed.job}`, { method: 'POST' }), failed);
    if (isPromise(given)) given.then(undefined, fail);
  } catch (hookError) {
    fail(hookError);
  }
}

function logJobError(error: unknown, { job, id, attempt, isDead, deadPlace }: LoggedJob): void {
  const end = isDead ? ` It is not tried again: see ${deadPlace}.` : '';
  // An empty text would print as nothing.
  printError(
    `The job ${job} (${id}) failed in attempt ${attempt}.${end}`,
    error === '' ? describeThrown(error) : error,
  );
}
