// Each route file has its own copy of this module, and the server has another.
const key = Symbol.for('appkit.draining');

/** How long a server goes on, so that a proxy which asks once a second or so sees that it should send nothing more. */
const DELAY_MS = 3000;

const shared = globalThis as { [key]?: 'asked' | 'draining' };

const listenersKey = Symbol.for('appkit.onDraining');

const listening = globalThis as { [listenersKey]?: Set<() => void> };

/**
 * Whether this server has been told to stop, and will soon accept no connection. Answer a readiness probe with 503 then, so that the
 * proxy in front sends nothing more.
 *
 * A server that has been asked goes on for three seconds after SIGTERM, for the probe to see it; another one closes at once. It is
 * `stopOnSignal` of `appkit-server/shutdown` or `appkit serve` that says so: on other hosts it is always `false`. It works outside a
 * request too.
 */
export function isDraining(): boolean {
  return (shared[key] ??= 'asked') === 'draining';
}

/** Says that this server is about to stop. Returns after how many milliseconds it may accept no more connections. */
export function startDraining(): number {
  const wasAsked = shared[key] !== undefined;
  shared[key] = 'draining';
  for (const listener of listening[listenersKey] ?? []) listener();
  return wasAsked ? DELAY_MS : 0;
}

/**
 * Calls a function when this server is told to stop, before it closes.
 *
 * @returns a function that takes it back.
 */
export function onDraining(listener: () => void): () => void {
  const listeners = (listening[listenersKey] ??= new Set());
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
