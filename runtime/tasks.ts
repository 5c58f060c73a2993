/** Work beside or after an answer. What it returns is not looked at, but a promise is waited for. */
export type Task = () => unknown;

/** The tasks of a long-lived process: what a host without a `waitUntil` of its own keeps them in. */
export interface TaskSet {
  /** Remembers a promise until it settles. */
  waitUntil(task: Promise<unknown>): void;
  /** Resolves when nothing is remembered any more, also of what was added while waiting. */
  drain(): Promise<void>;
}

/** Creates the set in which a Node or Bun adapter keeps tasks, for a shutdown to await. */
export function createTaskSet(): TaskSet {
  const running = new Set<Promise<unknown>>();
  return {
    waitUntil(task) {
      running.add(task);
      const forget = (): void => void running.delete(task);
      task.then(forget, forget);
    },
    async drain() {
      while (running.size > 0) await Promise.allSettled(running);
    },
  };
}

/** Runs a task so that nothing it does, thrown or rejected, leaves this promise. */
export async function runIsolated(task: Task, onError: (error: unknown) => void): Promise<void> {
  try {
    await task();
  } catch (error) {
    onError(error);
  }
}

/** Throws when what a helper was given is not a function. */
export function assertTask(helper: string, task: unknown): asserts task is Task {
  if (typeof task !== 'function') {
    throw new TypeError(
      `${helper} was given ${describe(task)}. Give it a function: ${helper.replace('()', '')}(async () => { … }).`,
    );
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return value instanceof Promise ? 'a promise' : `a value of type ${typeof value}`;
}
