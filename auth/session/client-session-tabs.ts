/** A tab's message to the others. */
export interface TabMessage {
  type: 'refreshed' | 'signed-in' | 'signed-out';
  /** The tokens in the form of the storage. */
  text: string | null;
  /** Whether the storage has them. Default: true. */
  isKept?: boolean;
}

/** Sends a message to all other tabs of the app. */
export type TellTabs = (message: TabMessage) => void;

// A message to another tab may arrive after a lock that is released at the same time.
const SETTLE_MS = 100;

/** Starts listening to the other tabs. Without tabs, as in Node or a native app, nothing happens. */
export function joinTabs(name: string, listener: (message: TabMessage) => void): TellTabs {
  // In Node a channel would keep the process from ending.
  if (typeof document === 'undefined' || typeof BroadcastChannel === 'undefined') return () => undefined;
  const channel = new BroadcastChannel(name);
  // Only pages of the same origin are heard, which could also read the storage.
  channel.addEventListener('message', ({ data }: MessageEvent<TabMessage>) => listener(data));
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a channel has only one origin
  return (message) => channel.postMessage(message);
}

/**
 * Runs some work while no other tab runs work of the same name. The next tab begins after it has received this one's
 * message.
 *
 * @see https://www.w3.org/TR/web-locks/
 */
export async function inTurn<T>(name: string, work: () => Promise<T>): Promise<T> {
  // Missing on pages without https and in native apps: there, only the callers in this tab share the work.
  if (typeof document === 'undefined' || !('locks' in navigator)) return work();
  return new Promise((resolve, reject) => {
    let hasBegun = false;
    navigator.locks
      .request(name, async () => {
        hasBegun = true;
        // Callers do not wait until the other tabs have received the message.
        await work().then(resolve, reject);
        await new Promise((settled) => setTimeout(settled, SETTLE_MS));
      })
      // Chrome refuses locks where it blocks the storage of a site. Then the tabs share no tokens either.
      .catch((error: unknown) => (hasBegun ? reject(error) : work().then(resolve, reject)));
  });
}
