import type { GivenError } from './given-error.ts';
import { isStatusError } from './status-error.ts';

const STORE = Symbol.for('appkit.requestContext');

/** What is asked here of a request's context, by whichever copy of appkit-server has made it. */
interface ReportingContext {
  reportError?(error: unknown): void;
}

/** Decides who learns of the errors of one page. */
export interface ErrorTeller {
  /** What the client is told of an error. */
  toGiven(error: unknown): GivenError;
  /** Tells the app of an error that the client does not learn of, once. */
  report(error: unknown): void;
}

/**
 * Makes the teller of one page. Called while the request is answered: the errors of a stream come after that.
 *
 * @param options – `onError` is called with what the client does not learn. Default: `onError` of the adapter, with the request.
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
      // As of a route: what the answer says, nobody has to be told. A failure of the server with a cause says more than that.
      const isTold = isStatusError(error) && !(error.status >= 500 && error.cause !== undefined);
      if (!isTold && !reported.has(error)) onError(error);
      reported.add(error);
    },
  };
}

function createReporter(): (error: unknown) => void {
  const shared = globalThis as { [STORE]?: { getStore(): ReportingContext | undefined } };
  const context = shared[STORE]?.getStore();
  // Pages are rendered outside of a request too, by an export.
  return (error) => (context?.reportError ? context.reportError(error) : console.error(error));
}
