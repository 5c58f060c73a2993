const STORE = Symbol.for('appkit.requestContext');

/** What of a request's context is asked, by whichever copy of appkit-server has made it. */
interface ReportingContext {
  reportError?(error: unknown): void;
}

/**
 * What tells the app of an error that the answer does not: `onError` of its adapter, with the request that is being answered. Called
 * within that request, and the result whenever there is one.
 */
export function createErrorReporter(): (error: unknown) => void {
  const shared = globalThis as { [STORE]?: { getStore(): ReportingContext | undefined } };
  const context = shared[STORE]?.getStore();
  // Pages are rendered outside of a request too, by an export.
  return (error) => (context?.reportError ? context.reportError(error) : console.error(error));
}
