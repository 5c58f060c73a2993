import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';

/** How to load one thing after the other. */
export interface QueueOptions {
  /** What a name has been loaded as, if it still is. */
  find(name: string): object | undefined;
  /**
   * How long a load waits at most, in milliseconds. The one before may never end: a top-level `await` may wait for
   * anything, even for an answer of this server. Default: 10 seconds.
   */
  patienceMs?: number;
}

/** Loads a name when the loads before have ended, or at once if it has been loaded. */
export type LoadInTurn = <T>(name: string, load: () => Promise<T>) => Promise<T>;

interface Turn {
  /** What is loaded during it, such as by an `import()` that nothing waits for. */
  parts: Promise<unknown>[];
  isOver: boolean;
}

/** Creates a queue of loads. What a load itself loads belongs to its turn. */
export function createQueue({ find, patienceMs = 10_000 }: QueueOptions): LoadInTurn {
  const turns = new AsyncLocalStorage<Turn>();
  const complete = new WeakSet<object>();
  let last: Promise<unknown> = Promise.resolve();

  return async (name, load) => {
    const current = turns.getStore();
    if (current && !current.isOver) {
      const part = load();
      current.parts.push(part);
      return part;
    }
    const known = find(name);
    if (known && complete.has(known)) return load();
    const turn: Turn = { parts: [], isOver: false };
    const before = Promise.race([last, delay(patienceMs, undefined, { ref: false })]);
    const whole = before.then(() => turns.run(turn, load));
    turn.parts.push(whole);
    last = end(turn);
    const result = await whole;
    const loaded = find(name);
    if (loaded) complete.add(loaded);
    return result;
  };
}

async function end(turn: Turn): Promise<void> {
  // Iterating an array also visits items that are added meanwhile.
  for (const part of turn.parts) await Promise.allSettled([part]);
  turn.isOver = true;
}
