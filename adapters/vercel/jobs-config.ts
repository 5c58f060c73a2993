import type { HostedJob } from '../_deploy/jobs-host.ts';
import { TOPIC } from './job-queue.ts';
import { toVercelCron } from './vercel-cron.ts';

/** The defaults of `timeoutMs` and `concurrency`. */
const TIMEOUT_MS = 60_000;
const CONCURRENCY = 4;
/** The seconds that the function needs in addition to the attempt: to load the job, and to report to Vercel. */
const MARGIN_S = 10;
/** Vercel ends a function after this time, in seconds. */
export const LONGEST_S = 800;

/** The files of the functions. */
export const RUNNING_FILE = 'api/jobs.mjs';
export const SCHEDULES_FILE = 'api/schedules.mjs';
/** The path that the crons call. */
export const SCHEDULES_PATH = '/api/schedules';

/** The time that the function needs, in seconds. */
export function toDuration(jobs: readonly HostedJob[]): number {
  const times = jobs.map(({ timeoutMs = TIMEOUT_MS }) => (timeoutMs === 'unknown' ? TIMEOUT_MS : timeoutMs));
  return Math.ceil(Math.max(...times) / 1000) + MARGIN_S;
}

/**
 * How many jobs may run at the same time: a trigger does not distinguish jobs, so the smallest concurrency applies to
 * all.
 */
export function toConcurrency(jobs: readonly HostedJob[]): number {
  return Math.min(
    ...jobs.map(({ concurrency = CONCURRENCY }) => (concurrency === 'unknown' ? CONCURRENCY : concurrency)),
  );
}

/** The function that runs the jobs, as written in `functions` of `vercel.json`. */
export function toRunning(jobs: readonly HostedJob[]): object {
  return {
    includeFiles: 'dist/server/**',
    maxDuration: Math.min(LONGEST_S, toDuration(jobs)),
    experimentalTriggers: [
      { type: 'queue/v2beta', topic: TOPIC, retryAfterSeconds: 60, maxConcurrency: toConcurrency(jobs) },
    ],
  };
}

/** The function that the crons call. */
export const SCHEDULING: object = { includeFiles: 'dist/server/**' };

/** A cron job of Vercel. */
export interface Cron {
  path: string;
  schedule: string;
}

/** The cron of a job. `undefined` for a job without a schedule that Vercel supports. */
export function toCron({ name, schedule }: HostedJob): Cron | undefined {
  const expression = typeof schedule === 'object' ? toVercelCron(schedule.cron) : undefined;
  if (expression === undefined) return undefined;
  return { path: `${SCHEDULES_PATH}?job=${encodeURIComponent(name)}`, schedule: expression };
}

/** The crons of the jobs. */
export function toCrons(jobs: readonly HostedJob[]): Cron[] {
  return jobs.map(toCron).filter((cron) => cron !== undefined);
}

/** The source of a function for jobs. */
export function toSource(kind: 'running' | 'scheduling'): string {
  const [method, create] = kind === 'running' ? ['POST', 'createJobHandler'] : ['GET', 'createScheduleHandler'];
  const caller =
    kind === 'running'
      ? '// Vercel calls it with the messages of the topic. Because of its trigger in vercel.json, it has no public URL.'
      : '// The crons of vercel.json call it, with the variable CRON_SECRET.';
  return `\
import { ${create}, createVercelJobs } from 'appkit-server/jobs/vercel';

${caller}
export const ${method} = ${create}({ build: new URL('../dist/server', import.meta.url), jobs: createVercelJobs() });
`;
}
