/**
 * Whether an error only says that the client has left. That is not the app's fault, and any client can cause it as often
 * as it likes.
 */
export function isDisconnect(
  error: unknown,
  { signal }: Request,
  host?: { isDisconnect?: ((error: unknown) => boolean) | undefined },
): boolean {
  try {
    if (host?.isDisconnect?.(error)) return true;
    return signal.aborted && (error as { name?: unknown } | null | undefined)?.name === 'AbortError';
  } catch {
    // Code may throw anything, such as an object whose getters fail.
    return false;
  }
}
