import { pathnameOf } from '../routing/pathname.ts';

/** Told of an error that nobody handled, with the request it happened in. It may be asynchronous. */
export type OnError = (error: unknown, request: Request) => unknown;

/** Reports an error. Never throws, never rejects. */
export type ErrorReporter = (error: unknown, request: Request) => void;

/** Makes a reporter of the user's hook, so that a hook that fails itself costs no answer and no process. */
export function reportTo(onError: OnError = logError): ErrorReporter {
  return (error, request) => {
    const fail = (hookError: unknown): void => {
      logError(error, request);
      console.error('The onError hook failed while it was told of the error above:', hookError);
    };
    try {
      const pending = onError(error, request);
      if (pending instanceof Promise) pending.catch(fail);
    } catch (hookError) {
      fail(hookError);
    }
  };
}

// The path only: a query may carry a token.
function logError(error: unknown, request: Request): void {
  console.error(`${request.method} ${pathnameOf(request.url)} failed:`, error);
}
