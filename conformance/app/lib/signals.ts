/**
 * Events that one request records and another waits for: how the suite sees what happens in the server without guessing
 * how long it takes. Kept on the global object, since every bundled route has its own copy of this file.
 */
interface Signals {
  recorded: Map<string, string>;
  waiting: Map<string, ((value: string) => void)[]>;
}

const key = Symbol.for('conformance.signals');

function signals(): Signals {
  const shared = globalThis as { [key]?: Signals };
  return (shared[key] ??= { recorded: new Map(), waiting: new Map() });
}

/** Records an event; whoever waits for it goes on. */
export function record(name: string, value: string = ''): void {
  const { recorded, waiting } = signals();
  recorded.set(name, value);
  for (const resume of waiting.get(name) ?? []) resume(value);
  waiting.delete(name);
}

/** Resolves with the value of an event once it has been recorded. */
export function waitFor(name: string): Promise<string> {
  const { recorded, waiting } = signals();
  const value = recorded.get(name);
  if (value !== undefined) return Promise.resolve(value);
  return new Promise((resolve) => {
    waiting.set(name, [...(waiting.get(name) ?? []), resolve]);
  });
}

/** The value of an event, null while it has not been recorded. */
export function valueOf(name: string): string | null {
  return signals().recorded.get(name) ?? null;
}
