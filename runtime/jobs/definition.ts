import type { InferInput, InferOutput, StandardSchemaV1 } from '../contract/standard-schema.ts';
import { codedError } from '../http/coded-error.ts';
import { toSchedule } from './schedule.ts';
import type { JobSchedule, ScheduleSettings } from './schedule.ts';

/** How a failed job is retried. */
export interface JobRetry {
  /** The maximum number of runs, including the first: 1 to 100. Default: 5. */
  attempts?: number | undefined;
  /** How long the first retry waits, in milliseconds. Default: 1000. */
  delayMs?: number | undefined;
  /** The factor by which each further delay grows. Default: 2. */
  factor?: number | undefined;
  /** The longest delay, in milliseconds. Default: 3600000, an hour. */
  maxDelayMs?: number | undefined;
}

/** The information a run of a job receives in addition to its input. */
export interface JobRun {
  /** The id that `enqueue()` has returned, the same in each attempt. */
  id: string;
  /** The number of the attempt, from 1. An attempt that was cut off by the end of its process counts too. */
  attempt: number;
  /** The key that `enqueue()` was given. `undefined` if there is none. */
  key: string | undefined;
  /** The time of the schedule that this run is for, the same in each attempt. `undefined` if `enqueue()` has stored it. */
  scheduledAt: Date | undefined;
  /**
   * Aborted when the time-out is over, and when the process is told to stop: a run that then ends with an error is
   * repeated.
   */
  signal: AbortSignal;
}

/** The options of {@link defineJob}. */
export interface JobDefinition<Schema extends StandardSchemaV1 | undefined> {
  /**
   * Checks the input, in `enqueue()` and again before each run. It accepts any library that implements Standard
   * Schema. Default: any JSON value, or none.
   */
  input?: Schema;
  /** How often and when it is tried again. Default: 4 more times, after 1, 2, 4 and 8 seconds. */
  retry?: JobRetry | undefined;
  /** How long an attempt may take, in milliseconds, before it counts as failed: at most 86400000, a day. Default: 60000, a minute. */
  timeoutMs?: number | undefined;
  /** How many runs of this job may be in progress at the same time, in all processes of one engine. Default: 4. */
  concurrency?: number | undefined;
  /**
   * When the job runs by itself: once for each time, however many processes run the jobs of an engine. Default: only
   * when `enqueue()` was called.
   */
  schedule?: JobSchedule<JobArgument<Schema>> | undefined;
  /**
   * Does the work. It may run more than once for one `enqueue()`, so it must be idempotent.
   *
   * @param input – the schema's output.
   */
  run(input: JobInput<Schema>, run: JobRun): unknown;
}

/** What `run` receives. */
export type JobInput<Schema> = Schema extends StandardSchemaV1 ? InferOutput<Schema> : unknown;

/** What `enqueue()` takes. */
export type JobArgument<Schema> = Schema extends StandardSchemaV1 ? InferInput<Schema> : unknown;

/** The settings of a job, with all defaults filled in. */
export interface JobSettings {
  input: StandardSchemaV1 | undefined;
  retry: { attempts: number; delayMs: number; factor: number; maxDelayMs: number };
  timeoutMs: number;
  concurrency: number;
  schedule: ScheduleSettings | undefined;
  run(input: unknown, run: JobRun): unknown;
}

/** A job, for `enqueue()`. It is the default export of a `+job` file. */
export interface Job<Argument = unknown> {
  /** Only for appkit's own packages. */
  readonly '~job': JobSettings & {
    /** By its path, such as `mail`. The export sets it. */
    name: string | undefined;
    /** Exists for the compiler only. */
    readonly argument?: Argument;
  };
}

/** The settings of a job that cannot be loaded. */
export const DEFAULT_SETTINGS: Omit<JobSettings, 'run'> = {
  input: undefined,
  retry: { attempts: 5, delayMs: 1000, factor: 2, maxDelayMs: 3_600_000 },
  timeoutMs: 60_000,
  concurrency: 4,
  schedule: undefined,
};

const DAY_MS = 86_400_000;
/** Databases store delays up to this one exactly. */
const LONGEST_DELAY_MS = 365 * DAY_MS;

/**
 * Creates the job that a `+job` file exports as default: `app/mail+job.ts` defines the job `mail`.
 *
 * ```ts
 * export default defineJob({ input: Mail, run: async ({ to }) => send(to) });
 * ```
 *
 * @throws TypeError with code `ERR_JOB_INVALID` for an invalid setting.
 */
export function defineJob<const Schema extends StandardSchemaV1 | undefined = undefined>(
  definition: JobDefinition<Schema>,
): Job<JobArgument<Schema>> {
  assertKeys('defineJob()', definition, ['input', 'retry', 'timeoutMs', 'concurrency', 'schedule', 'run']);
  const { input, retry = {}, timeoutMs = DEFAULT_SETTINGS.timeoutMs, run } = definition;
  const { concurrency = DEFAULT_SETTINGS.concurrency } = definition;
  assertKeys('retry of defineJob()', retry, ['attempts', 'delayMs', 'factor', 'maxDelayMs']);
  const given = Object.fromEntries(Object.entries(retry).filter(([, value]) => value !== undefined)) as Partial<
    JobSettings['retry']
  >;
  const whole = { ...DEFAULT_SETTINGS.retry, ...given };
  if (typeof run !== 'function') invalid('run', run, 'Give a function.');
  if (input !== undefined && typeof (input as { '~standard'?: unknown } | null)?.['~standard'] !== 'object') {
    invalid('input', input, 'Give a schema of a library of Standard Schema, such as zod, valibot or arktype.');
  }
  assertNumber('retry.attempts', whole.attempts, { least: 1, most: 100, isWhole: true });
  assertNumber('retry.delayMs', whole.delayMs, { least: 0, most: LONGEST_DELAY_MS });
  assertNumber('retry.factor', whole.factor, { least: 1, most: 1000 });
  assertNumber('retry.maxDelayMs', whole.maxDelayMs, { least: 0, most: LONGEST_DELAY_MS });
  assertNumber('timeoutMs', timeoutMs, { least: 1, most: DAY_MS });
  assertNumber('concurrency', concurrency, { least: 1, most: 1000, isWhole: true });
  if (definition.schedule !== undefined) {
    assertKeys('schedule of defineJob()', definition.schedule, ['cron', 'timeZone', 'missed', 'input']);
  }
  const schedule = definition.schedule && toSchedule(definition.schedule);
  // The schema has given the input its type.
  const settings = { input, retry: whole, timeoutMs, concurrency, schedule, run: run as JobSettings['run'] };
  return { '~job': { ...settings, name: undefined } };
}

/** Whether a value is what {@link defineJob} has returned, perhaps in another copy of this module. */
export function isJob(value: unknown): value is Job {
  return typeof (value as { '~job'?: unknown } | null | undefined)?.['~job'] === 'object';
}

/** Refuses unknown settings: an ignored setting would seem to work. */
export function assertKeys(whose: string, given: object, known: readonly string[]): void {
  for (const [key, value] of Object.entries(given)) {
    if (known.includes(key) || value === undefined) continue;
    throw codedError(
      'ERR_JOB_INVALID',
      `${whose} was given ${key}, which it does not know. It knows ${known.join(', ')}.`,
    );
  }
}

function assertNumber(
  name: string,
  value: unknown,
  { least, most, isWhole = false }: { least: number; most: number; isWhole?: boolean },
): void {
  const fits = typeof value === 'number' && value >= least && value <= most && (!isWhole || Number.isInteger(value));
  if (!fits) invalid(name, value, `Give a ${isWhole ? 'whole ' : ''}number from ${least} to ${most}.`);
}

function invalid(name: string, value: unknown, advice: string): never {
  // JSON would write NaN and Infinity as null.
  const shown = typeof value === 'string' ? JSON.stringify(value) : typeof value === 'number' ? value : typeof value;
  throw codedError('ERR_JOB_INVALID', `The setting ${name} of defineJob() is ${shown}. ${advice}`);
}
