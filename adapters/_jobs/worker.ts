import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout, clearTimeout } from 'node:timers';
import { createTaskSet } from '../../runtime/host.ts';
import type { JobOutcome, JobRunner } from '../../runtime/host.ts';
import type { ClaimedJob, JobStore } from './job-store.ts';

/** Time, which tests have in hand. */
export interface Clock {
  now(): number;
  /** Calls back once after a time. Returns a function that takes it back. */
  after(ms: number, call: () => void): () => void;
}

/** The clock of this machine. Its timers keep no process running. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

/** Runs what a store has to run. */
export interface Worker {
  /** Looks now whether there is something to run. */
  wake(): void;
  /** Begins nothing more, and aborts the signals of what runs. */
  stop(): void;
  /** Resolves when nothing runs. */
  settled(): Promise<void>;
}

// A request wakes the worker, and its context is nobody's business in a job.
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** How often it looks for what other processes have stored, in milliseconds. */
const POLL_MS = 1000;
type Described = Awaited<ReturnType<JobRunner['describe']>>;

/** How much longer than its time-out a job is left alone, in milliseconds: the end of an attempt has to be stored. */
const LEASE_MARGIN_MS = 5000;
/** How often what was done is cleaned up, in milliseconds. */
const CLEAN_MS = 3_600_000;

/**
 * Makes what runs the jobs of a store.
 *
 * @param findRunner – gives the runner of the present app.
 */
export function createWorker(store: JobStore, findRunner: () => JobRunner, clock: Clock = SYSTEM_CLOCK): Worker {
  const stopping = new AbortController();
  const tasks = createTaskSet();
  const inFlight = new Map<string, ClaimedJob>();
  const settings = new Map<string, Described>();
  const describing = new Set<string>();
  let cancel: (() => void) | undefined;
  let isLooking = false;
  let isAsked = false;
  let cleanedAt = Number.NEGATIVE_INFINITY;

  const wake = (): void => {
    isAsked = true;
    if (isLooking || stopping.signal.aborted) return;
    isLooking = true;
    outsideOfRequests(() => tasks.waitUntil(look()));
  };
  const look = async (): Promise<void> => {
    cancel?.();
    try {
      while (isAsked && !stopping.signal.aborted) {
        isAsked = false;
        await begin();
      }
    } catch (error) {
      console.error('The jobs cannot be read. They are looked for again in a second.', error);
    } finally {
      isLooking = false;
      if (!stopping.signal.aborted) cancel = clock.after(untilNext(), wake);
    }
  };
  /** Begins what is to run. */
  const begin = async (): Promise<void> => {
    if (clock.now() - cleanedAt > CLEAN_MS) store.clean((cleanedAt = clock.now()));
    const runner = findRunner();
    for (const job of store.due(runner.names, clock.now())) {
      const described = settings.get(job);
      if (!described) describe(runner, job);
      else beginJob(runner, job, described);
      // The next time, the app may be another one.
      settings.delete(job);
    }
  };
  /** Loads a job without waiting for it: one that takes long holds up no other. */
  const describe = (runner: JobRunner, job: string): void => {
    if (describing.has(job)) return;
    describing.add(job);
    void runner.describe(job).then((described) => {
      describing.delete(job);
      if (runner === findRunner()) settings.set(job, described);
      wake();
    });
  };
  const beginJob = (runner: JobRunner, job: string, { concurrency, timeoutMs }: Described): void => {
    const claimed = store.claim(job, {
      concurrency,
      leaseMs: timeoutMs + LEASE_MARGIN_MS,
      now: clock.now(),
      except: [...inFlight.keys()],
    });
    for (const envelope of claimed) {
      inFlight.set(envelope.id, envelope);
      tasks.waitUntil(run(runner, envelope));
    }
  };
  const run = async (runner: JobRunner, envelope: ClaimedJob): Promise<void> => {
    const outcome = await runner.runMessage(envelope, stopping.signal);
    await finish(envelope, outcome);
    inFlight.delete(envelope.id);
    wake();
  };
  /** If the disk is full, say, the lease runs out, and the job is run again. */
  const finish = async (envelope: ClaimedJob, outcome: JobOutcome): Promise<void> => {
    try {
      store.finish(envelope, outcome, clock.now());
    } catch (error) {
      console.error(
        `What came of the job ${envelope.job} (${envelope.id}) cannot be stored. It will run again.`,
        error,
      );
    }
  };
  /** What has not ended when a shutdown has taken too long is given back, and its attempt does not count. */
  const release = (): void => {
    for (const envelope of inFlight.values()) void finish(envelope, { kind: 'released' });
  };
  const untilNext = (): number => {
    try {
      const now = clock.now();
      const next = store.nextDue(findRunner().names, now) ?? Number.POSITIVE_INFINITY;
      return Math.max(1, Math.min(POLL_MS, next - now));
    } catch {
      return POLL_MS;
    }
  };
  return {
    wake,
    stop() {
      cancel?.();
      stopping.abort(new DOMException('The process has been told to stop.', 'AbortError'));
      process.once('exit', release);
    },
    settled: () => tasks.drain().finally(() => process.off('exit', release)),
  };
}
