import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { Outcome } from './generic/results.ts';
import type { HostDescription } from './host.ts';
import type { SuiteOptions } from './run-suite.ts';

/** What a thread is asked to do. Plain data. */
export interface SuiteRun {
  host: Omit<HostDescription, 'seed'>;
  options: SuiteOptions;
}

/** Threads that run the suite. Each loads it once, and one host at a time has it. */
export interface SuiteThreads extends AsyncDisposable {
  /** Runs the suite against a running host. */
  run(run: SuiteRun): Promise<Outcome>;
}

/** Starts a thread for each run at the same time. */
export function createSuiteThreads(): SuiteThreads {
  const all: Worker[] = [];
  const idle: Worker[] = [];
  const start = (): Worker => {
    const thread = new Worker(new URL('suite-thread.ts', import.meta.url));
    all.push(thread);
    return thread;
  };
  return {
    async run(run) {
      const thread = idle.pop() ?? start();
      thread.postMessage(run);
      // Rejects when the thread fails.
      const [outcome] = (await once(thread, 'message')) as [Outcome]; // from suite-thread.ts
      idle.push(thread);
      return outcome;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(all.map((thread) => thread.terminate()));
    },
  };
}
