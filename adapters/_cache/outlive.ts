import { toHostSignal } from '../../runtime/host.ts';
import type { ErrorReporter } from '../../runtime/host.ts';

/**
 * Lets the answer to a request be made to its end although the client leaves, if others wait for it by then: otherwise
 * its leaving would break off the answer of all. The signal that the app sees no longer aborts in that case.
 *
 * @param report – called with the errors of listeners of the app.
 */
export function outlive(request: Request, isShared: () => boolean, report: ErrorReporter): void {
  const client = request.signal;
  if (client.aborted) return;
  const ofAll = new AbortController();
  client.addEventListener('abort', () => {
    if (!isShared()) ofAll.abort(client.reason);
  });
  const signal = toHostSignal(ofAll.signal, request, report);
  Object.defineProperty(request, 'signal', { value: signal, configurable: true });
}
