import type { JobEnvelope, JobRunner, ScheduleSettings } from '../../runtime/host.ts';
import type { Timetable } from './cron.ts';
import { LATE_MS, toScheduledRun } from './scheduled-run.ts';

/** The part of a time that a store keeps of a schedule. */
export interface PassedTime {
  job: string;
  /** The cron and its time zone. */
  rule: string;
  /** The time that was due, in milliseconds since 1970. */
  at: number;
}

/** What a store has for schedules. */
export interface ScheduleStore {
  /**
   * Begins the schedule of a job, or forgets it if there is no rule. The store keeps one rule for each job. Until it ends, a process of an
   * earlier release goes on with the rule that it has read.
   *
   * @returns the last time that has passed: `now` for a schedule that is new or has changed, and if the time is more than {@link WRONG_CLOCK_MS} ahead.
   */
  beginSchedule(job: string, rule: string | undefined, now: number): Promise<number> | number;
  /**
   * Notes that a time has passed, and stores its run, unless that has been done.
   *
   * @param run – `undefined` if it is left out.
   */
  passTime(passed: PassedTime, run: JobEnvelope | undefined, now: number): Promise<void> | void;
}

/** A time that is so far ahead was written by a clock that was wrong, in milliseconds. */
export const WRONG_CLOCK_MS = 3_600_000;

/** How often a job that cannot be read is read again, in milliseconds. */
const AGAIN_MS = 60_000;

/** Stores the runs of schedules when they are due. */
export interface Scheduler {
  /** Stores what is due. Rejects if the store does: the next look continues. */
  look(runner: JobRunner): Promise<void>;
  /** When there is something to do, in milliseconds since 1970. `Infinity` if nothing is known. */
  next(): number;
}

type Timed = ScheduleSettings & { rule: string; timetable: Timetable };

/** What is known of a job. */
interface Plan {
  job: string;
  state: 'unread' | 'read' | 'begun';
  /** `undefined` for a job without a schedule. */
  timed: Timed | undefined;
  /** When there is something to do. */
  nextAt: number;
}

const NOW = Number.NEGATIVE_INFINITY;
const NEVER = Number.POSITIVE_INFINITY;

/**
 * Makes what stores the runs of schedules.
 *
 * @param wake – called when more is known of a job.
 */
export function createScheduler(store: ScheduleStore, now: () => number, wake: () => void): Scheduler {
  let present: JobRunner | undefined;
  let plans: Plan[] = [];
  const told = new Set<string>();

  /** Loads a job without waiting for it: one that takes long holds up no other. */
  const read = (runner: JobRunner, plan: Plan): void => {
    plan.nextAt = NEVER;
    const known = (timed: Timed | undefined): void => {
      Object.assign(plan, { timed, state: 'read', nextAt: NOW });
      wake();
    };
    void runner.findSchedule(plan.job, toTimed).then(known, (error: unknown) => {
      plan.nextAt = now() + AGAIN_MS;
      // Once: an error that stays is the same every minute.
      if (told.has(plan.job)) return;
      told.add(plan.job);
      console.error('The schedule of a job cannot be read. It is read again every minute.', error);
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

/** The last of the times that are due. A process may have slept for years, so it looks from the end. */
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
