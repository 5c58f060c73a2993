// Each route file has its own copy of this module, and the server has another.
const key = Symbol.for('appkit.draining');

/** How long a server keeps answering, so that a proxy that probes about once per second stops sending requests. */
const DELAY_MS = 3000;

const shared = globalThis as { [key]?: 'asked' | 'draining' };

const listenersKey = Symbol.for('appkit.onDraining');

const listening = globalThis as { [listenersKey]?: Set<() => void> };

/**
 * Whether this server has been told to stop, and will soon accept no connection. Answer a readiness probe with 503
 * then, so that the proxy in front stops sending requests.
 *
 * If this was called before, the server keeps answering for three seconds after SIGTERM, so that the probe sees it;
 * otherwise it closes at once. `stopOnSignal` of `appkit-server/shutdown` and `appkit serve` set it: on other hosts it
 * is always `false`. It works outside a request too.
 */
export function isDraining(): boolean {
  return (shared[key] ??= 'asked') === 'draining';
}

/** Whether this server has been told to stop, for our own code: that this was called does not keep it answering. */
export function isStopping(): boolean {
  return shared[key] === 'draining';
}

/** Marks this server as about to stop. Returns after how many milliseconds it may stop accepting connections. */
export function startDraining(): number {
  const wasAsked = shared[key] !== undefined;
  shared[key] = 'draining';
  for (const listener of listening[listenersKey] ?? []) listener();
  return wasAsked ? DELAY_MS : 0;
}

/**
 * Calls a function when this server is told to stop, before it closes.
 *
 * @returns a function that unsubscribes.
 */
export function onDraining(listener: () => void): () => void {
  const listeners = (listening[listenersKey] ??= new Set());
  listeners.add(listener);
  return () => void listeners.delete(listener);
}
