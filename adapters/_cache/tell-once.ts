import type { ErrorReporter } from '../../runtime/host.ts';

/** How long repeated failures of a store are not reported again, in milliseconds. */
const QUIET_MS = 60_000;

/** Reports that a store fails, but not every time. */
export function tellOnce(report: ErrorReporter): (error: unknown, request: Request) => void {
  let lastMs = -Infinity;
  return (error, request) => {
    const now = performance.now();
    const isNews = now - lastMs > QUIET_MS;
    // As long as it keeps failing, it counts as one failure.
    lastMs = now;
    if (isNews) {
      const message = 'The store of the cache fails. Requests are answered without it, each by the app.';
      report(new Error(message, { cause: error }), request);
    }
  };
}
