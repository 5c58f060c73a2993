import { abortReason } from './abort-reason.ts';

/**
 * Waits for a shared promise until the caller's own signal is aborted. The work itself continues.
 *
 * @throws the reason of the signal.
 */
export async function untilAborted<T>(call: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  if (!signal) return call;
  return new Promise((resolve, reject) => {
    const abort = (): void => reject(abortReason(signal));
    if (signal.aborted) abort();
    signal.addEventListener('abort', abort);
    call.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort));
  });
}
