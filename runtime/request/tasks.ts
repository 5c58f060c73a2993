import { codedError } from '../http/coded-error.ts';

/** Work during or after an answer. Its result is ignored, but a promise is awaited. */
export type Task = () => unknown;

/** What a long-lived process has in progress, for hosts without their own `waitUntil`. */
export interface TaskSet {
  /** Counts a promise until it settles. */
  waitUntil(task: Promise<unknown>): void;
  /** Counts something until `end` has been called as often. */
  begin(): void;
  end(): void;
  /** Resolves when nothing is in progress, including what began while waiting. */
  drain(): Promise<void>;
}

/** Creates the set in which the adapter of a host with its own process counts requests and tasks. */
export function createTaskSet(): TaskSet {
  let running = 0;
  let waiting: (() => void)[] = [];
  const end = (): void => {
    running--;
    if (running > 0) return;
    for (const resolve of waiting) resolve();
    waiting = [];
  };
  return {
    begin: () => void running++,
    end,
    waitUntil(task) {
      running++;
      task.then(end, end);
    },
    drain: () => (running === 0 ? Promise.resolve() : new Promise((resolve) => waiting.push(resolve))),
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

/** Throws when the argument of a helper is not a function. */
export function assertTask(helper: string, task: unknown): asserts task is Task {
  if (typeof task !== 'function') {
    // Nobody else handles its rejection, which would end the process.
    if (task instanceof Promise) task.catch(() => undefined);
    throw codedError(
      'ERR_TASK_INVALID',
      `${helper} was given ${describe(task)}. Give it a function: ${helper.replace('()', '')}(async () => { … }).`,
    );
  }
}

function describe(value: unknown): string {
  if (value === null) return 'null';
  return value instanceof Promise ? 'a promise' : `a value of type ${typeof value}`;
}
