// The only file that imports the parser. It is loaded when a job has a schedule.
import { Cron } from 'croner';

/** Says when a schedule is due. */
export interface Timetable {
  /** The first time after another one, in milliseconds since 1970. `undefined` if there is none. */
  next(after: number): number | undefined;
}

/**
 * Reads the five fields of a cron.
 *
 * @throws Error for an invalid cron, and for one that is never due.
 */
export function createTimetable({ cron, timeZone }: { cron: string; timeZone: string }): Timetable {
  // A time of day without * and steps means the clock on the wall: it occurs once per day, even on days when the clock
  // is changed. And 5/20 is 5,25,45, as on AWS and Cloudflare.
  const options = { mode: '5-part', fixedTimeRule: 'no-wildcard', sloppyRanges: true } as const;
  const rule = new Cron(cron, { ...options, timezone: timeZone, paused: true });
  const next = (after: number): number | undefined => rule.nextRun(new Date(after))?.getTime();
  if (next(0) === undefined) throw new Error(`CronPattern: ${cron} is never due.`);
  return { next };
}
