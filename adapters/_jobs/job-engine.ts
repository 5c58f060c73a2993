import { setImmediate } from 'node:timers';
import { createJobRunner, createTaskSet, onDraining } from '../../runtime/host.ts';
import type { ConnectedJobs, JobApp, JobEngine } from '../../runtime/host.ts';
import { createWorker } from './worker.ts';
import type { AppRunner, Worker, WorkerStore } from './worker.ts';

/** The parts that an engine consists of. */
export interface JobEngineParts {
  /** Stores a job. */
  enqueue: ConnectedJobs['enqueue'];
  /** Called with the names of each app's jobs. Returns the store to run them from. */
  open(names: readonly string[]): WorkerStore;
  /** Whether this process runs jobs. */
  work: boolean;
  /** Called once no job runs any more. */
  close?(): Promise<void>;
}

/** An engine, with the functions that only its owner calls. */
export interface OwnedEngine extends JobEngine {
  /** Looks at once for jobs to run. */
  wake(): void;
  /** Starts no further job, and waits for the running ones. */
  drain(): Promise<void>;
}

/** Creates an engine that runs the jobs of a store in this process. */
export function createJobEngine({ enqueue, open, work, close }: JobEngineParts): OwnedEngine {
  let worker: Worker | undefined;
  let runner: AppRunner | undefined;
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
    const started = createWorker(jobs, () => runner as AppRunner); // set before it
    unlisten = onDraining(() => started.stop());
    return started;
  };
  return {
    connect(app: JobApp) {
      const made = createJobRunner(app, { enqueue: store, waitUntil: tasks.waitUntil });
      const attempts = createTaskSet();
      const own: AppRunner = { ...made, waitUntil: attempts.waitUntil };
      runner = own;
      const jobs = open(own.names);
      if (work) {
        worker ??= startWorker(jobs);
        worker.wake();
      }
      // If a later app has connected since, its jobs go on.
      return { enqueue: store, drain: () => (runner === own ? drain() : attempts.drain()) };
    },
    wake: () => worker?.wake(),
    drain,
  };
}
