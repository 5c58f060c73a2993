/** What a tab tells the others. */
export interface TabMessage {
  type: 'refreshed' | 'signed-in' | 'signed-out';
  /** As the storage has it. */
  text: string | null;
}

/** Tells all other tabs of the app. */
export type TellTabs = (message: TabMessage) => void;

// A message to another tab may come after a lock that is given back together with it.
const SETTLE_MS = 100;

/** Listens to the other tabs from now on. Where there are none, as in Node or a native app, nothing happens. */
export function joinTabs(name: string, listener: (message: TabMessage) => void): TellTabs {
  // In Node a channel would keep the process from ending.
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(name);
  // Pages of the same origin alone are heard, which could as well read the storage.
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data));
  // No origin is given: a channel has no other.
  // oxlint-disable-next-line unicorn/require-post-message-target-origin
  return (message) => channel.postMessage(message);
}

/**
 * Does some work while no other tab does that of the same name. The next one begins after it has heard of this.
 *
 * @see https://www.w3.org/TR/web-locks/
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Not on pages without https, nor in native apps: there the callers in this tab share the work, and that is all.
  if (typeof document === 'undefined' || !('locks' in navigator)) return work();
  return new Promise((resolve, reject) => {
    navigator.locks
      .request(name, async () => {
        // Who waits for the work does not wait for the others to hear of it.
        await work().then(resolve, reject);
        await new Promise((settled) => setTimeout(settled, SETTLE_MS));
      })
      .catch(reject);
  });
}
