/** The reason of an aborted signal, which React Native does not have. */
export function abortReason(signal: AbortSignal): Error {
  const reason = signal.reason as Error | undefined; // what people abort with
  return reason ?? Object.assign(new Error('Aborted.'), { name: 'AbortError' });
}
