import { aside } from './aside.ts';
import { isResponse, toNativeResponse } from '../http/responses.ts';
import type { FailedJob } from '../jobs/failed-job.ts';
import { pathnameOf } from '../routing/pathname.ts';
import { isPromise } from './is-promise.ts';
import { printError } from './print-error.ts';

/**
 * Called with an unhandled error, and the request it happened in. It may be asynchronous. If it synchronously returns a
 * Response, that is sent instead of the plain 500. For an error of a job, `job` identifies the job, and the request has
 * an artificial URL: `job:mail`.
 */
export type OnError = (error: unknown, request: Request, job?: FailedJob) => unknown;

/** Reports an error, and returns the hook's Response, if any, to replace the plain 500. Never throws, never rejects. */
export type ErrorReporter = (error: unknown, request: Request) => Response | undefined;

const told = new WeakSet<object>();

/** Reports an error that then aborts an answer: the code that sends the answer does not report it again. */
export function reportFirst(report: ErrorReporter, error: unknown, request: Request): void {
  report(error, request);
  if (error instanceof Error) told.add(error);
}

/**
 * Makes a reporter from the user's hook. If the hook itself fails, the request is still answered and the process
 * continues.
 */
export function reportTo(onError: OnError = logError): ErrorReporter {
  return (error, request) => {
    if (told.has(error as object)) return undefined;
    const fail = (hookError: unknown): void => {
      logError(error, request);
      printError('The onError hook failed while handling the error above:', hookError);
    };
    try {
      const given = aside(request, () => onError(error, request));
      if (isResponse(given)) return toNativeResponse(given, { file: 'the options', name: 'onError' });
      if (isPromise(given)) given.then(undefined, fail);
    } catch (hookError) {
      fail(hookError);
    }
    return undefined;
  };
}

// Only the path: a query may contain a token.
function logError(error: unknown, request: Request): void {
  printError(`${request.method} ${pathnameOf(request.url)} failed:`, error);
}
