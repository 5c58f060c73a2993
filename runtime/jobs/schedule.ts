import { codedError } from '../http/coded-error.ts';

/** When a job runs by itself. */
export interface JobScheduleRule {
  /**
   * Five fields, as in crontab(5): minute, hour, day of the month, month, day of the week. Each has numbers, `*`, ranges, lists, steps, or the English
   * names of months and days: `0 8 * * 1` is Monday at 8:00. If both days are restricted, either is enough.
   */
  cron: string;
  /** The time zone of the fields, by its IANA name, such as `Europe/Berlin`. Default: `UTC`. */
  timeZone?: string | undefined;
  /**
   * What happens when no process could store the run within a minute of its time: `skip` waits for the next time,
   * `once` runs the job once for all missed times. Default: `skip`.
   */
  missed?: 'skip' | 'once' | undefined;
}

/** When a job runs by itself, and with which input. */
export type JobSchedule<Argument = unknown> = JobScheduleRule &
  (undefined extends Argument
    ? {
        /** The input of each run: a JSON value that the schema of the job accepts. Default: none. */
        input?: Argument;
      }
    : {
        /** The input of each run: a JSON value that the schema of the job accepts. */
        input: Argument;
      });

/** A schedule, complete. */
export interface ScheduleSettings {
  cron: string;
  timeZone: string;
  missed: 'skip' | 'once';
  input: unknown;
}

const NAME = 'jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec|sun|mon|tue|wed|thu|fri|sat';
/** The characters that all cron implementations accept in five fields. The engine checks the numbers. */
const FIELD = new RegExp(`^(?:[\\d*,/-]|${NAME})+$`, 'i');

/**
 * Checks a schedule, as far as possible without a cron parser, which app bundles do not contain.
 *
 * @throws TypeError with code `ERR_JOB_INVALID`.
 */
export function toSchedule(schedule: JobSchedule): ScheduleSettings {
  const { cron, timeZone = 'UTC', missed = 'skip', input } = schedule;
  const fields = typeof cron === 'string' ? cron.trim().split(/\s+/) : [];
  if (fields.length !== 5 || !fields.every((field) => FIELD.test(field))) {
    invalid(
      'cron',
      cron,
      'Give five fields, minute, hour, day of the month, month and day of the week, such as 0 8 * * 1: numbers, *, ranges (1-5), lists (1,3), ' +
        'steps (*/15), and names (mon, jan). Seconds, years, L, W, # and names such as @daily do not work.',
    );
  }
  if (!isTimeZone(timeZone)) {
    invalid('timeZone', timeZone, 'Give the IANA name of a time zone, such as Europe/Berlin or UTC.');
  }
  if (missed !== 'skip' && missed !== 'once') invalid('missed', missed, 'Give skip or once.');
  return { cron: fields.join(' '), timeZone, missed, input };
}

function isTimeZone(name: unknown): boolean {
  // Some platforms accept an offset too, such as +01:00, which has no letters.
  if (typeof name !== 'string' || !/[a-z]/i.test(name)) return false;
  try {
    return Boolean(new Intl.DateTimeFormat('en', { timeZone: name }));
  } catch {
    return false;
  }
}

function invalid(name: string, value: unknown, advice: string): never {
  const shown = typeof value === 'string' ? JSON.stringify(value) : typeof value;
  throw codedError('ERR_JOB_INVALID', `The setting schedule.${name} of defineJob() is ${shown}. ${advice}`);
}
