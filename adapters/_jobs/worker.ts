import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout, clearTimeout } from 'node:timers';
import { createTaskSet } from '../../runtime/host.ts';
import type { JobOutcome, JobRunner } from '../../runtime/host.ts';
import type { ClaimedJob, ClaimOptions } from './claim.ts';
import { createScheduler } from './scheduler.ts';
import type { ScheduleStore } from './scheduler.ts';

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

type Awaitable<Result> = Result | Promise<Result>;

/** What a worker uses of a store: of one in this process, or of one elsewhere. All times are in milliseconds since 1970. */
export interface WorkerStore extends ScheduleStore {
  /** Which of some jobs have something to run. */
  due(jobs: readonly string[], now: number): Awaitable<string[]>;
  /** When something will be to run that is not yet. May leave out what is not within the next second. */
  nextDue(jobs: readonly string[], now: number): Awaitable<number | undefined>;
  /** Takes what is to run of a job. */
  claim(job: string, options: ClaimOptions): Awaitable<ClaimedJob[]>;
  /** Stores what came of an attempt. Returns `false` if somebody else has taken the job since. */
  finish(claimed: ClaimedJob, outcome: JobOutcome, now: number): Awaitable<boolean>;
  /** Forgets what was done long ago. Default: the store does it by itself. */
  clean?(now: number): void;
  /** Says that these still run. Default: a lease lasts as long as an attempt may. */
  keep?(claimed: readonly ClaimedJob[]): Promise<void>;
  /** Says that these are not to blame if they are cut off from now on. Default: they are given back when the process exits. */
  excuse?(claimed: readonly ClaimedJob[]): Promise<void>;
}

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
/** How often a store is told which jobs still run, in milliseconds. */
const KEEP_MS = 10_000;
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
export function createWorker(store: WorkerStore, findRunner: () => JobRunner, clock: Clock = SYSTEM_CLOCK): Worker {
  const stopping = new AbortController();
  const tasks = createTaskSet();
  const inFlight = new Set<ClaimedJob>();
  /** What has ended, and could not be stored yet. */
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
      // Once: whoever has stopped a database for an hour need not read it 3600 times.
      if (!hasFailed) console.error('The jobs cannot be read. They are looked for again every second.', error);
      hasFailed = true;
    }
    isLooking = false;
    if (isAsked) wake();
    else if (!stopping.signal.aborted) cancel = clock.after(untilNext, wake);
  };
  /** Begins what is to run. Gives the jobs that had something. */
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
  /** Loads a job without waiting for it: one that takes long holds up no other. */
  const describe = (runner: JobRunner, job: string): void => {
    if (describing.has(job)) return;
    describing.add(job);
    void runner.describe(job).then((found) => {
      describing.delete(job);
      if (runner === findRunner()) settings.set(job, found);
      wake();
    });
  };
  const beginJob = async (runner: JobRunner, job: string, { concurrency, timeoutMs }: Described): Promise<void> => {
    if (stopping.signal.aborted) return;
    const claimed = await store.claim(job, {
      concurrency,
      leaseMs: timeoutMs + LEASE_MARGIN_MS,
      now: clock.now(),
      except: [...inFlight].map(({ id }) => id),
    });
    for (const taken of claimed) {
      inFlight.add(taken);
      // The process has been told to stop meanwhile.
      if (stopping.signal.aborted) await finish(taken, { kind: 'released' });
      else tasks.waitUntil(run(runner, taken));
    }
  };
  const run = async (runner: JobRunner, claimed: ClaimedJob): Promise<void> => {
    const outcome = await runner.runMessage(claimed, stopping.signal);
    // It could not be loaded, so nobody knows how it is run.
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
      console.error(`What came of the job ${job} (${id}) cannot be stored yet. It is tried again every second.`, error);
    }
  };
  /** A disk has room again, or a database is there again. What cannot be stored yet holds up nothing else. */
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
    console.error('What still runs may run elsewhere too: its lease cannot be kept.', error);
  };
  /** Gives back what still runs when the process exits. That attempt does not count. */
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
      if (unstored.size > 0) console.error(`What came of ${unstored.size} jobs cannot be stored. They will run again.`);
    },
  };
}
