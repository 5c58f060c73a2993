/**
 * Events that one request records and another waits for: how the suite sees what happens in the server without guessing
 * how long it takes. Kept on the global object, since every bundled route has its own copy of this file.
 */
const key = Symbol.for('conformance.signals');

function signals(): Map<string, string> {
  const shared = globalThis as { [key]?: Map<string, string> };
  return (shared[key] ??= new Map());
}

/** Records an event; whoever waits for it goes on. */
export function record(name: string, value: string = ''): void {
  signals().set(name, value);
}

/**
 * Resolves with the value of an event once it has been recorded; rejects when `signal` is aborted before.
 *
 * It looks by a timer: workerd ends a request that waits for nothing but another request, since that looks hung.
 */
export async function waitFor(name: string, signal?: AbortSignal): Promise<string> {
  for (;;) {
    const value = valueOf(name);
    if (value !== null) return value;
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

/** The value of an event, null while it has not been recorded. */
export function valueOf(name: string): string | null {
  return signals().get(name) ?? null;
}
