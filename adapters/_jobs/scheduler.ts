import type { JobEnvelope, JobRunner, ScheduleSettings } from '../../runtime/host.ts';
import type { Timetable } from './cron.ts';
import { LATE_MS, toScheduledRun } from './scheduled-run.ts';

/** What a store keeps about the last time of a schedule. */
export interface PassedTime {
  job: string;
  /** The cron and its time zone. */
  rule: string;
  /** The time that was due, in milliseconds since 1970. */
  at: number;
}

/** The part of a store that keeps schedules. */
export interface ScheduleStore {
  /**
   * Begins the schedule of a job, or deletes it if there is no rule. The store keeps one rule per job. A process of an
   * earlier release goes on with the rule that it has read until that process ends.
   *
   * @returns the last time that has passed: `now` for a schedule that is new or has changed, and if the stored time is
   * more than {@link WRONG_CLOCK_MS} ahead.
   */
  beginSchedule(job: string, rule: string | undefined, now: number): Promise<number> | number;
  /**
   * Records that a time has passed, and stores its run, unless that has already been done.
   *
   * @param run – `undefined` if the run is skipped.
   */
  passTime(passed: PassedTime, run: JobEnvelope | undefined, now: number): Promise<void> | void;
}

/** A stored time that is this far ahead was written by a wrong clock, in milliseconds. */
export const WRONG_CLOCK_MS = 3_600_000;

/** How often a job that cannot be read is read again, in milliseconds. */
const AGAIN_MS = 60_000;

/** Stores the runs of schedules when they are due. */
export interface Scheduler {
  /** Stores the runs that are due. Rejects if the store does: the next look continues. */
  look(runner: JobRunner): Promise<void>;
  /** When there is something to do next, in milliseconds since 1970. `Infinity` if no time is known. */
  next(): number;
}

type Timed = ScheduleSettings & { rule: string; timetable: Timetable };

/** What is known about a job. */
interface Plan {
  job: string;
  state: 'unread' | 'read' | 'begun';
  /** `undefined` for a job without a schedule. */
  timed: Timed | undefined;
  /** When there is something to do next. */
  nextAt: number;
}

const NOW = Number.NEGATIVE_INFINITY;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Creates a scheduler, which stores the runs of schedules.
 *
 * @param wake – called when more is known about a job.
 */
export function createScheduler(store: ScheduleStore, now: () => number, wake: () => void): Scheduler {
  let present: JobRunner | undefined;
  let plans: Plan[] = [];
  const told = new Set<string>();

  /** Loads a job without waiting for it: a job that loads slowly must not delay others. */
  const read = (runner: JobRunner, plan: Plan): void => {
    plan.nextAt = NEVER;
    const known = (timed: Timed | undefined): void => {
      Object.assign(plan, { timed, state: 'read', nextAt: NOW });
      wake();
    };
    void runner.findSchedule(plan.job, toTimed).then(known, (error: unknown) => {
      plan.nextAt = now() + AGAIN_MS;
      // Reported once: an error that stays is the same every minute.
      if (told.has(plan.job)) return;
      told.add(plan.job);
      console.error('The schedule of a job cannot be read. Trying again every minute.', error);
    });
  };
  const begin = async (plan: Plan): Promise<void> => {
    const { job, timed } = plan;
    const since = await store.beginSchedule(job, timed?.rule, now());
    plan.nextAt = timed?.timetable.next(since) ?? NEVER;
    plan.state = 'begun';
  };
  const pass = async (plan: Plan, { rule, timetable, missed, input }: Timed): Promise<void> => {
    const { job } = plan;
    const at = findLast(timetable, plan.nextAt, now());
    const isLeftOut = missed === 'skip' && now() - at > LATE_MS;
    await store.passTime({ job, rule, at }, isLeftOut ? undefined : toScheduledRun(job, at, input), now());
    plan.nextAt = timetable.next(at) ?? NEVER;
  };
  return {
    async look(runner) {
      if (runner !== present) {
        present = runner;
        plans = runner.names.map((job) => ({ job, state: 'unread', timed: undefined, nextAt: NOW }));
        told.clear();
      }
      for (const plan of plans) {
        if (plan.nextAt > now()) continue;
        if (plan.state === 'unread') read(runner, plan);
        if (plan.state === 'read') await begin(plan);
        if (plan.timed && plan.nextAt <= now()) await pass(plan, plan.timed);
      }
    },
    next: () => Math.min(NEVER, ...plans.map(({ nextAt }) => nextAt)),
  };
}

async function toTimed(schedule: ScheduleSettings): Promise<Timed> {
  const { createTimetable } = await import('./cron.ts');
  const { cron, timeZone } = schedule;
  return { ...schedule, rule: `${cron} ${timeZone}`, timetable: createTimetable(schedule) };
}

/** The last of the times that are due. The process may have slept for years, so the search starts at the end. */
function findLast({ next }: Timetable, first: number, now: number): number {
  let last = first;
  for (let back = LATE_MS; now - back > first; back *= 2) {
    const found = next(now - back);
    if (found === undefined || found > now) continue;
    last = found;
    break;
  }
  for (let later = next(last); later !== undefined && later <= now; later = next(last)) last = later;
  return last;
}
