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
 * It looks by a timer: workerd ends a request that waits for nothing but another request, since that looks hung. The longer it
 * has waited, the less often it looks: some wait on, for nothing, after a behaviour has failed as its gap says.
 */
export async function waitFor(name: string, signal?: AbortSignal): Promise<string> {
  for (let pause = 2; ; pause = Math.min(pause * 1.02, 100)) {
    const value = valueOf(name);
    if (value !== null) return value;
    signal?.throwIfAborted();
    await new Promise((resolve) => setTimeout(resolve, pause));
  }
}

/** The value of an event, null while it has not been recorded. */
export function valueOf(name: string): string | null {
  return signals().get(name) ?? null;
}
