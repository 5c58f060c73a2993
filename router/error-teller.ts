import type { GivenError } from './given-error.ts';
import { isStatusError } from './status-error.ts';

const STORE = Symbol.for('appkit.requestContext');

/** What the router uses of a request's context, whichever copy of appkit-server made it. */
interface ReportingContext {
  reportError?(error: unknown): void;
  /** Absent in a release of appkit-server that learns about failures only from `reportError`. */
  noteFailure?(): void;
}

/** Decides who receives the errors of one page. */
export interface ErrorTeller {
  /** What the client receives about an error. */
  toGiven(error: unknown): GivenError;
  /** Reports an error that the client does not receive to the app, once, and tells the server that something failed. */
  report(error: unknown): void;
  /** Tells the server that something has failed, so that no cache keeps the page. */
  noteFailure(): void;
}

/**
 * Makes the teller of one page. Call it while the request is being answered: errors of a stream come later.
 *
 * @param options – `onError` is called with errors that the client does not receive. Default: `onError` of the adapter,
 * with the request.
 */
export function createErrorTeller({
  onError,
  tellsErrors = false,
}: {
  onError?: ((error: unknown) => void) | undefined;
  tellsErrors?: boolean | undefined;
}): ErrorTeller {
  const context = reportingContext();
  // An export renders pages outside a request, too.
  const tell = onError ?? ((error) => (context?.reportError ? context.reportError(error) : console.error(error)));
  const noteFailure = (): void => context?.noteFailure?.();
  const reported = new Set<unknown>();
  return {
    noteFailure,
    toGiven(error) {
      if (isStatusError(error)) return { message: error.message, status: error.status };
      const message = tellsErrors && error instanceof Error ? error.message : 'Internal server error';
      return { message, status: 500 };
    },
    report(error) {
      noteFailure();
      // As for a route: an error that the response shows need not be reported. A server failure with a cause contains
      // more than the response.
      const isTold = isStatusError(error) && !(error.status >= 500 && error.cause !== undefined);
      if (!isTold && !reported.has(error)) tell(error);
      reported.add(error);
    },
  };
}

function reportingContext(): ReportingContext | undefined {
  return (globalThis as { [STORE]?: { getStore(): ReportingContext | undefined } })[STORE]?.getStore();
}
