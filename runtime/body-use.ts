import type { HostContext } from './handler-context.ts';

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
   * Gives the outcome of a read. After the answer only a task is told of a failure: whatever else is waiting was left alone, and a
   * rejection would end the process.
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
            if (!this.#isAnswered || this.#tasks > 0) reject(error as Error);
          });
        },
      );
    });
    return handled(outcome);
  }
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
