import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout, clearTimeout } from 'node:timers';
import { createTaskSet, printError } from '../../runtime/host.ts';
import type { JobOutcome, JobRunner } from '../../runtime/host.ts';
import type { ClaimedJob, ClaimOptions } from './claim.ts';
import { createScheduler } from './scheduler.ts';
import type { ScheduleStore } from './scheduler.ts';

/** The clock, which tests control. */
export interface Clock {
  now(): number;
  /** Calls back once after this time. Returns a function that cancels the call. */
  after(ms: number, call: () => void): () => void;
}

/** The clock of this machine. Its timers do not keep the process running. */
export const SYSTEM_CLOCK: Clock = {
  now: () => Date.now(),
  after(ms, call) {
    const timer = setTimeout(call, ms).unref();
    return () => clearTimeout(timer);
  },
};

type Awaitable<Result> = Result | Promise<Result>;

/**
 * The part of a store that a worker uses, whether the store is in this process or elsewhere. All times are in
 * milliseconds since 1970.
 */
export interface WorkerStore extends ScheduleStore {
  /** Which of these job names have a job to run now. */
  due(jobs: readonly string[], now: number): Awaitable<string[]>;
  /** When the next job that is not due yet will be due. May leave out jobs that are not due within the next second. */
  nextDue(jobs: readonly string[], now: number): Awaitable<number | undefined>;
  /** Takes the jobs with a name that are due. */
  claim(job: string, options: ClaimOptions): Awaitable<ClaimedJob[]>;
  /** Stores the result of an attempt. Returns `false` if another process has taken the job since. */
  finish(claimed: ClaimedJob, outcome: JobOutcome, now: number): Awaitable<boolean>;
  /** Deletes jobs that were done long ago. Default: the store does this itself. */
  clean?(now: number): void;
  /** Reports that these still run. Default: a lease lasts as long as an attempt may take. */
  keep?(claimed: readonly ClaimedJob[]): Promise<void>;
  /**
   * Reports that an attempt of these does not count if it is cut off from now on. Default: they are given back when the
   * process exits.
   */
  excuse?(claimed: readonly ClaimedJob[]): Promise<void>;
}

/** The runner of an app whose attempts are counted apart from those of other apps. */
export interface AppRunner extends JobRunner {
  /** Called with each attempt, which settles once its result is stored or has failed to be. */
  waitUntil?(attempt: Promise<void>): void;
}

/** Runs the jobs of a store. */
export interface Worker {
  /** Looks at once for jobs to run. */
  wake(): void;
  /** Starts no further job, and aborts the signals of the running ones. */
  stop(): void;
  /** Resolves when no job runs. */
  settled(): Promise<void>;
}

// A request wakes the worker, and jobs must not run in the context of that request.
const outsideOfRequests = AsyncLocalStorage.snapshot();

/** How often the worker looks for jobs that other processes have stored, in milliseconds. */
const POLL_MS = 1000;
/** How often the worker reports to the store which jobs still run, in milliseconds. */
const KEEP_MS = 10_000;
type Described = Awaited<ReturnType<JobRunner['describe']>>;

/** How much longer than its time-out the lease of a job is, in milliseconds: the end of an attempt has to be stored. */
const LEASE_MARGIN_MS = 5000;
/** How often old jobs are deleted, in milliseconds. */
const CLEAN_MS = 3_600_000;

/**
 * Creates a worker, which runs the jobs of a store.
 *
 * @param findRunner – returns the runner of the current app.
 */
export function createWorker(store: WorkerStore, findRunner: () => AppRunner, clock: Clock = SYSTEM_CLOCK): Worker {
  const stopping = new AbortController();
  const tasks = createTaskSet();
  const inFlight = new Set<ClaimedJob>();
  /** The results that could not be stored yet. */
  const unstored = new Map<ClaimedJob, JobOutcome>();
  const settings = new Map<string, Described>();
  const describing = new Set<string>();
  let described: JobRunner | undefined;
  let cancel: (() => void) | undefined;
  let isLooking = false;
  let isAsked = false;
  let hasFailed = false;
  let cleanedAt = Number.NEGATIVE_INFINITY;
  let keptAt = clock.now();

  const wake = (): void => {
    isAsked = true;
    if (isLooking || stopping.signal.aborted) return;
    isLooking = true;
    outsideOfRequests(() => tasks.waitUntil(look()));
  };
  const scheduler = createScheduler(store, () => clock.now(), wake);
  const look = async (): Promise<void> => {
    cancel?.();
    let untilNext = POLL_MS;
    try {
      let due: string[] = [];
      while (isAsked && !stopping.signal.aborted) {
        isAsked = false;
        due = await begin();
      }
      if (!stopping.signal.aborted) untilNext = await findNext(due);
      hasFailed = false;
    } catch (error) {
      isAsked = false;
      // Reported once: otherwise a database that is stopped for an hour would fill the log with 3600 messages.
      if (!hasFailed) console.error('The jobs cannot be read. Trying again every second.', error);
      hasFailed = true;
    }
    isLooking = false;
    if (isAsked) wake();
    else if (!stopping.signal.aborted) cancel = clock.after(untilNext, wake);
  };
  /** Starts the jobs that are due. Returns their names. */
  const begin = async (): Promise<string[]> => {
    if (clock.now() - keptAt >= KEEP_MS) await keep();
    if (unstored.size > 0) await storeRest();
    if (clock.now() - cleanedAt > CLEAN_MS) store.clean?.((cleanedAt = clock.now()));
    const runner = findRunner();
    if (runner !== described) settings.clear();
    described = runner;
    await scheduler.look(runner);
    const due = await store.due(runner.names, clock.now());
    for (const job of due) {
      const found = settings.get(job);
      if (found) await beginJob(runner, job, found);
      else describe(runner, job);
    }
    return due;
  };
  /** Loads a job without waiting for it: a job that loads slowly must not delay others. */
  const describe = (runner: JobRunner, job: string): void => {
    if (describing.has(job)) return;
    describing.add(job);
    void runner.describe(job).then((found) => {
      describing.delete(job);
      if (runner === findRunner()) settings.set(job, found);
      wake();
    });
  };
  /** Whether a runner begins no further job. That may change during any wait for the store. */
  const isOver = (runner: JobRunner): boolean => stopping.signal.aborted || runner !== findRunner();
  const beginJob = async (runner: AppRunner, job: string, { concurrency, timeoutMs }: Described): Promise<void> => {
    if (isOver(runner)) return;
    const claimed = await store.claim(job, {
      concurrency,
      leaseMs: timeoutMs + LEASE_MARGIN_MS,
      now: clock.now(),
      except: [...inFlight].map(({ id }) => id),
    });
    for (const taken of claimed) {
      inFlight.add(taken);
      if (isOver(runner)) await finish(taken, { kind: 'released' });
      else begun(runner, run(runner, taken));
    }
  };
  const begun = (runner: AppRunner, attempt: Promise<void>): void => {
    tasks.waitUntil(attempt);
    runner.waitUntil?.(attempt);
  };
  const run = async (runner: JobRunner, claimed: ClaimedJob): Promise<void> => {
    const outcome = await runner.runMessage(claimed, stopping.signal);
    // The job may not have been loaded, and then its settings are unknown.
    if (outcome.kind === 'released') settings.delete(claimed.job);
    await finish(claimed, outcome);
    wake();
  };
  const finish = async (claimed: ClaimedJob, outcome: JobOutcome): Promise<void> => {
    try {
      await store.finish(claimed, outcome, clock.now());
      inFlight.delete(claimed);
    } catch (error) {
      unstored.set(claimed, outcome);
      const { job, id } = claimed;
      printError(`The result of the job ${job} (${id}) cannot be stored yet. Trying again every second.`, error);
    }
  };
  /**
   * The disk may have room again, or the database may be back. A result that cannot be stored yet delays nothing else.
   */
  const storeRest = async (): Promise<void> => {
    for (const [claimed, outcome] of unstored) {
      try {
        await store.finish(claimed, outcome, clock.now());
      } catch {
        continue; // it has been reported
      }
      unstored.delete(claimed);
      inFlight.delete(claimed);
    }
  };
  const keep = async (): Promise<void> => {
    if (inFlight.size > 0) await store.keep?.([...inFlight]);
    keptAt = clock.now();
  };
  const keepWhileStopping = (): void => {
    if (inFlight.size === 0) return;
    cancel = clock.after(KEEP_MS, () => void keep().catch(report).then(keepWhileStopping));
  };
  const report = (error: unknown): void => {
    console.error(
      'The leases of running jobs cannot be renewed. These jobs may also be run by another process.',
      error,
    );
  };
  /** Gives back the jobs that still run when the process exits. That attempt does not count. */
  const release = (): void => {
    for (const claimed of inFlight) void finish(claimed, unstored.get(claimed) ?? { kind: 'released' });
  };
  const findNext = async (due: readonly string[]): Promise<number> => {
    const now = clock.now();
    const others = findRunner().names.filter((name) => !due.includes(name));
    const next = others.length > 0 ? await store.nextDue(others, now) : undefined;
    return Math.max(1, Math.min(POLL_MS, (next ?? Number.POSITIVE_INFINITY) - now, scheduler.next() - now));
  };
  return {
    wake,
    stop() {
      if (stopping.signal.aborted) return;
      cancel?.();
      stopping.abort(new DOMException('The process has been told to stop.', 'AbortError'));
      if (!store.excuse) return void process.once('exit', release);
      tasks.waitUntil(store.excuse([...inFlight]).catch(report));
      keepWhileStopping();
    },
    async settled() {
      await tasks.drain();
      cancel?.();
      process.off('exit', release);
      if (unstored.size === 0) return;
      await storeRest();
      if (unstored.size > 0)
        console.error(`The results of ${unstored.size} jobs cannot be stored. These jobs will run again.`);
    },
  };
}
