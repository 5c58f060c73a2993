import type { HostContext } from './handler-context.ts';
import { isStatusError } from './status-error.ts';

/** Who reads the body of a request, and for how long that matters to somebody. */
export class BodyUse {
  #reads = 0;
  #tasks = 0;
  #isAnswered = false;

  /** Whether a read of it has begun and not ended. */
  get isRead(): boolean {
    return this.#reads > 0;
  }

  /** Counts a task of the request until it ends: it may need the body after the answer. */
  hold(task: Promise<unknown>): void {
    this.#tasks++;
    const end = (): void => void this.#tasks--;
    task.then(end, end);
  }

  /** The request has been answered. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** The body is in other hands, which tell nothing of what they do. */
  handOut(): void {
    this.#reads++;
  }

  /**
   * Gives the outcome of a read. That the reading has broken off is after the answer told to a task only: whatever else is waiting was
   * left alone, and a rejection would end the process. That a body is not what it should be is told to anybody.
   */
  read<T>(promise: Promise<T>): Promise<T> {
    this.#reads++;
    const outcome = new Promise<T>((resolve, reject) => {
      promise.then(
        (value) => {
          this.#reads--;
          resolve(value);
        },
        (error: unknown) => {
          this.#reads--;
          // A turn later, so that a route which waits for nothing has answered.
          setTimeout(() => {
            if (!this.#isAnswered || this.#tasks > 0 || !isBreak(error)) reject(error as Error);
          });
        },
      );
    });
    return handled(outcome);
  }
}

// Malformed, too large or read twice, it is so on each host alike. What a broken connection is called, each host has its own name for.
function isBreak(error: unknown): boolean {
  return !(error instanceof SyntaxError || error instanceof TypeError || isStatusError(error));
}

/** The host, whose tasks are counted by what has a `hold` as well. */
export function countTasks(host: HostContext, counter: Pick<BodyUse, 'hold'>): HostContext {
  const waitUntil = (task: Promise<unknown>): void => {
    counter.hold(task);
    host.waitUntil?.(task);
  };
  // Its getters are asked when somebody wants to know.
  return { __proto__: host, waitUntil } as HostContext;
}

/** A promise that ends no process when it fails and nobody looks at it. Whoever does is told all the same. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}

function ignore(): void {}
