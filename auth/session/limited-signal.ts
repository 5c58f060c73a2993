/** A signal that is aborted in time, or with another, for a platform without `AbortSignal.any` and `AbortSignal.timeout`. */
export function limitedSignal(timeoutMs: number, signal: AbortSignal | undefined): AbortSignal {
  const limited = new AbortController();
  const end = (reason: unknown): void => {
    clearTimeout(timer);
    signal?.removeEventListener('abort', abort);
    limited.abort(reason);
  };
  const abort = (): void => end(signal?.reason);
  const late = Object.assign(new Error('The time is over.'), { name: 'TimeoutError' });
  const timer = setTimeout(end, timeoutMs, late);
  // Where there are processes, this one may end sooner.
  (timer as { unref?(): void }).unref?.();
  if (signal?.aborted) abort();
  else signal?.addEventListener('abort', abort);
  return limited.signal;
}
