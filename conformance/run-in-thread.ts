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

/**
 * Runs the suite against a running host in a thread of its own. When the thread ends, so do the connections of
 * behaviours that still wait, which a server that stops would wait for.
 */
export async function runInThread(run: SuiteRun): Promise<Outcome> {
  const thread = new Worker(new URL('suite-thread.ts', import.meta.url), { workerData: run });
  // Rejects when the thread fails.
  const [outcome] = (await once(thread, 'message')) as [Outcome]; // from suite-thread.ts
  // Until then, what still waits may fail.
  thread.on('error', () => undefined);
  await thread.terminate();
  return outcome;
}
