/**
 * An engine for jobs on Vercel: a topic of Vercel Queues, a function that runs the jobs in it, and a function that
 * Vercel's cron jobs call.
 *
 * @module
 */
import { codedError, createJobRunner, createTaskSet, toServerBuild } from '../../runtime/host.ts';
import type { ConnectedJobs, HandlerOptions, JobEngine, JobRunner, ServerBuild } from '../../runtime/host.ts';
import { loadBuild } from '../_build/load-build.ts';
import { toUuid } from '../_jobs/uuid.ts';
import { Again, settleMessage } from './job-message.ts';
import { createJobQueue } from './job-queue.ts';
import type { JobQueue } from './job-queue.ts';
import { storeScheduledRun } from './schedule-request.ts';

export type { ConnectedJobs, Enqueued, JobApp, JobEngine, JobEnvelope } from '../../runtime/host.ts';
export type { DeadJob, Death } from '../_jobs/job-message.ts';

/** Jobs in a topic of Vercel Queues. */
export interface VercelJobs extends JobEngine {
  /** Only for this package. */
  readonly '~queue': unknown;
}

/** Options of {@link createJobHandler} and {@link createScheduleHandler}. */
export interface JobHandlerOptions extends Pick<HandlerOptions, 'environment' | 'onError'> {
  /** The folder `dist/server` of the exported app, as a path or file URL, or what its `index.js` exports. */
  build: string | URL | ServerBuild;
  /** The queue: `createVercelJobs()`. */
  jobs: VercelJobs;
}

/** A function in the form that Vercel calls with a request, exported as its method. */
export type JobHandler = (request: Request) => Promise<Response>;

/** When a message is delivered again whose result could not be reported to Vercel, in milliseconds. */
const LATER_MS = 60_000;

/**
 * Stores jobs in the topic `appkit-jobs` of Vercel Queues. The function of {@link createJobHandler} runs them. It needs
 * the package `@vercel/queue`, which is loaded when the first job is stored.
 *
 * ```js
 * export default createRequestHandler({ build: new URL('../dist/server', import.meta.url), jobs: createVercelJobs() });
 * ```
 */
export function createVercelJobs(): VercelJobs {
  const queue = createJobQueue();
  const jobs = { enqueue: enqueueTo(queue), drain: async () => {} };
  return { connect: () => jobs, '~queue': queue };
}

/**
 * Creates the function that runs the jobs of an exported app, for `api/jobs.mjs`. A trigger in `vercel.json` makes
 * Vercel call it with the messages of the topic. It does not verify the caller: a function with such a trigger has no
 * public URL, so keep it out of other routes.
 *
 * ```js
 * export const POST = createJobHandler({ build: new URL('../dist/server', import.meta.url), jobs: createVercelJobs() });
 * ```
 *
 * @returns the function.
 * @throws TypeError with code `ERR_OPTION_INVALID` without jobs; Error when there is no server build.
 */
export function createJobHandler(options: JobHandlerOptions): JobHandler {
  const tasks = createTaskSet();
  const { queue, runner } = createRunner(options, tasks.waitUntil);
  const settling = { queue, runner };
  return async (request) => {
    const { handleCallback } = await queue.client();
    const callback = handleCallback(
      async (payload, metadata) => {
        try {
          await settleMessage(payload, metadata, settling);
        } catch (error) {
          if (error instanceof Again) throw error;
          console.error(
            'The result of a job cannot be reported to Vercel. The job will run again when Vercel delivers its message again.',
            error,
          );
          throw new Again(LATER_MS);
        } finally {
          await tasks.drain();
        }
      },
      { retry: (error) => (error instanceof Again ? { afterSeconds: error.afterSeconds } : undefined) },
    );
    return callback(request);
  };
}

/**
 * Creates the function that stores the runs of schedules, for `api/schedules.mjs`, which the crons of `vercel.json`
 * call. It answers 401 to every caller that does not send the value of the variable `CRON_SECRET`, as Vercel does, and
 * to all if the variable is not set.
 *
 * ```js
 * export const GET = createScheduleHandler({ build: new URL('../dist/server', import.meta.url), jobs: createVercelJobs() });
 * ```
 *
 * @returns the function.
 * @throws TypeError with code `ERR_OPTION_INVALID` without jobs; Error when there is no server build.
 */
export function createScheduleHandler(options: JobHandlerOptions): JobHandler {
  const found = createRunner(options, () => {});
  return (request) => storeScheduledRun(request, process.env['CRON_SECRET'], () => found);
}

function createRunner(
  { jobs, ...options }: JobHandlerOptions,
  waitUntil: (promise: Promise<unknown>) => void,
): { queue: JobQueue; runner: JobRunner } {
  const queue = (jobs as VercelJobs | undefined)?.['~queue'] as JobQueue | undefined; // createVercelJobs() has set it
  if (!queue)
    throw codedError('ERR_OPTION_INVALID', 'Give the functions for jobs the option jobs: createVercelJobs().');
  const { environment = process.env['VERCEL_ENV'], onError } = options;
  const build = toServerBuild(loadBuild(options));
  return { queue, runner: createJobRunner({ build, environment, onError }, { enqueue: enqueueTo(queue), waitUntil }) };
}

function enqueueTo(queue: JobQueue): ConnectedJobs['enqueue'] {
  return async (envelope, transaction) => {
    const { job, key } = envelope;
    if (transaction) {
      throw codedError(
        'ERR_JOB_INVALID',
        `The job ${job} was enqueued with the option transaction, but Vercel stores it in a queue, which a database transaction cannot include. ` +
          'Leave the option out, and enqueue after the commit.',
      );
    }
    // Vercel does not say whether a message is a second one: both have the same id, and only one is delivered.
    const id = key === undefined ? envelope.id : toUuid(job, key);
    await queue.send({ ...envelope, id }, key !== undefined);
    return { id, duplicate: false };
  };
}
