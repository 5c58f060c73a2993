import { setImmediate } from 'node:timers';
import { createJobRunner, createTaskSet, onDraining } from '../../runtime/host.ts';
import type { ConnectedJobs, JobApp, JobEngine, JobRunner } from '../../runtime/host.ts';
import { createWorker } from './worker.ts';
import type { Worker, WorkerStore } from './worker.ts';

/** What an engine is made of. */
export interface JobEngineParts {
  /** Stores a job. */
  enqueue: ConnectedJobs['enqueue'];
  /** Called with the jobs of each app. Gives the store to run them from. */
  open(names: readonly string[]): WorkerStore;
  /** Whether this process runs jobs. */
  work: boolean;
  /** Called once nothing runs any more. */
  close?(): Promise<void>;
}

/** An engine, as its owner has it. */
export interface OwnedEngine extends JobEngine {
  /** Looks now whether there is something to run. */
  wake(): void;
  /** Begins no further job, and waits for those that run. */
  drain(): Promise<void>;
}

/** Makes an engine that runs the jobs of a store in this process. */
export function createJobEngine({ enqueue, open, work, close }: JobEngineParts): OwnedEngine {
  let worker: Worker | undefined;
  let runner: JobRunner | undefined;
  let unlisten: (() => void) | undefined;
  const tasks = createTaskSet();

  const store: ConnectedJobs['enqueue'] = async (envelope, transaction) => {
    const stored = await enqueue(envelope, transaction);
    // A job that computes must not hold up the answer.
    if (!stored.duplicate) setImmediate(() => worker?.wake());
    return stored;
  };
  const drain = async (): Promise<void> => {
    const stopped = worker;
    worker = undefined;
    unlisten?.();
    stopped?.stop();
    await stopped?.settled();
    await tasks.drain();
    await close?.();
  };
  const startWorker = (jobs: WorkerStore): Worker => {
    const started = createWorker(jobs, () => runner as JobRunner); // set before it
    unlisten = onDraining(() => started.stop());
    return started;
  };
  return {
    connect(app: JobApp) {
      const own = createJobRunner(app, { enqueue: store, waitUntil: tasks.waitUntil });
      runner = own;
      const jobs = open(own.names);
      if (work) {
        worker ??= startWorker(jobs);
        worker.wake();
      }
      // The jobs are those of a later app by now, and go on.
      return { enqueue: store, drain: async () => (runner === own ? drain() : undefined) };
    },
    wake: () => worker?.wake(),
    drain,
  };
}
