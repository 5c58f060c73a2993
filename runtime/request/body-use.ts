import type { HostContext } from './handler-context.ts';
import { streamOf } from '../http/quick-response.ts';
import { isStatusError } from '../http/status-error.ts';

/** Tracks who reads the body of a request, and how long that matters. */
export class BodyUse {
  #reads = 0;
  #handedOut: ReadableStream | undefined;
  readonly #tasks: RunningTasks;
  #isAnswered = false;

  constructor(tasks: RunningTasks) {
    this.#tasks = tasks;
  }

  /** Whether a read may have begun that has not ended. Sending the body itself as the answer is none. */
  isReadBeside(answer: Response): boolean {
    return this.#reads > 0 || (this.#handedOut !== undefined && this.#handedOut !== streamOf(answer));
  }

  /** Whether an answer has the body of the request itself. */
  isBodyOf(answer: Response): boolean {
    return this.#handedOut !== undefined && this.#handedOut === streamOf(answer);
  }

  /** The request has been answered. */
  answered(): void {
    this.#isAnswered = true;
  }

  /** The route has the stream of the body, so we cannot know when it has read it. */
  handOut(stream: ReadableStream): void {
    if (this.#handedOut) this.#reads++; // that of the request and that of a clone: one may be the answer, not both
    this.#handedOut = stream;
  }

  /**
   * Returns the result of a read. If it breaks off after the answer, only a task gets the error: other promises are no
   * longer handled, and a rejection would end the process. A malformed or too large body is an error for every reader.
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
          // One turn of the event loop later, so that a route that does not wait has answered.
          setTimeout(() => {
            if (!this.#isAnswered || this.#tasks.running > 0 || !isBreak(error)) reject(error as Error);
          });
        },
      );
    });
    return handled(outcome);
  }
}

// Errors in a body have the same name on each host; a broken connection has different names.
function isBreak(error: unknown): boolean {
  return !(error instanceof SyntaxError || error instanceof TypeError || isStatusError(error));
}

/** A host that knows how many tasks of a request are in progress. */
export interface CountingHost {
  host: HostContext;
  tasks: RunningTasks;
}

/** How many tasks of a request are in progress: they may need its body after the answer. */
export interface RunningTasks {
  running: number;
}

/** Makes the host for one request, whose tasks it counts. */
export function countTasks(host: HostContext): CountingHost {
  const tasks = { running: 0 };
  const end = (): void => void tasks.running--;
  const waitUntil = (task: Promise<unknown>): void => {
    tasks.running++;
    task.then(end, end);
    host.waitUntil?.(task);
  };
  // Its getters are called only when needed.
  return { host: { __proto__: host, waitUntil } as HostContext, tasks };
}

/** A promise that does not end the process if it fails unhandled. Code that awaits it still gets the error. */
export function handled<T>(promise: Promise<T>): Promise<T> {
  promise.catch(ignore);
  return promise;
}

function ignore(): void {}
