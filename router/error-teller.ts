import type { GivenError } from './given-error.ts';
import { isStatusError } from './status-error.ts';

const STORE = Symbol.for('appkit.requestContext');

/** What the router uses of a request's context, whichever copy of appkit-server made it. */
interface ReportingContext {
  reportError?(error: unknown): void;
}

/** Decides who receives the errors of one page. */
export interface ErrorTeller {
  /** What the client receives about an error. */
  toGiven(error: unknown): GivenError;
  /** Reports an error that the client does not receive to the app, once. */
  report(error: unknown): void;
}

/**
 * Makes the teller of one page. Call it while the request is being answered: errors of a stream come later.
 *
 * @param options – `onError` is called with errors that the client does not receive. Default: `onError` of the adapter, with the request.
 */
export function createErrorTeller({
  onError = createReporter(),
  tellsErrors = false,
}: {
  onError?: ((error: unknown) => void) | undefined;
  tellsErrors?: boolean | undefined;
}): ErrorTeller {
  const reported = new Set<unknown>();
  return {
    toGiven(error) {
      if (isStatusError(error)) return { message: error.message, status: error.status };
      const message = tellsErrors && error instanceof Error ? error.message : 'Internal server error';
      return { message, status: 500 };
    },
    report(error) {
      // As for a route: an error that the answer shows need not be reported. A server failure with a cause contains more than the answer.
      const isTold = isStatusError(error) && !(error.status >= 500 && error.cause !== undefined);
      if (!isTold && !reported.has(error)) onError(error);
      reported.add(error);
    },
  };
}

function createReporter(): (error: unknown) => void {
  const shared = globalThis as { [STORE]?: { getStore(): ReportingContext | undefined } };
  const context = shared[STORE]?.getStore();
  // An export renders pages outside a request.
  return (error) => (context?.reportError ? context.reportError(error) : console.error(error));
}
