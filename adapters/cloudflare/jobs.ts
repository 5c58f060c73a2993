/**
 * An engine for jobs on Cloudflare: a queue that this Worker fills and consumes, and its cron triggers.
 *
 * @module
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { codedError, createJobRunner } from '../../runtime/host.ts';
import type { ConnectedJobs, JobApp, JobEngine, JobEnvelope, ManifestJob } from '../../runtime/host.ts';
import { isEnvelope } from '../_jobs/job-message.ts';
import { toScheduledRun } from '../_jobs/scheduled-run.ts';
import { bindings, keepBindings } from './bindings.ts';
import type { CloudflareBatch, CloudflareContext, CloudflareController, CloudflareQueue } from './host-types.ts';
import { timesOfJob, timesOfTrigger } from './cron.ts';
import { environmentOf } from './environment.ts';
import { sendTo, settle } from './job-message.ts';
import type { Queues } from './job-message.ts';

export type { ConnectedJobs, Enqueued, JobApp, JobEngine, JobEnvelope } from '../../runtime/host.ts';
export type { CloudflareBatch, CloudflareContext, CloudflareController, CloudflareMessage } from './host-types.ts';
export type { DeadJob, Death } from '../_jobs/job-message.ts';

/** Jobs in a Cloudflare queue. */
export interface CloudflareJobs extends JobEngine {
  connect(app: JobApp): ConnectedCloudflareJobs;
}

/** The jobs of an app in a Cloudflare queue. */
export interface ConnectedCloudflareJobs extends ConnectedJobs {
  /** Runs the jobs that the queue delivers. Never rejects: each message is settled separately. */
  queue(batch: CloudflareBatch, env: unknown, context: CloudflareContext): Promise<void>;
  /** Stores the jobs of a cron trigger. Rejects if one cannot be stored. */
  scheduled(controller: CloudflareController, env: unknown, context: CloudflareContext): Promise<void>;
}

/** After which time a message that is not one of our jobs is delivered again, in seconds. */
const FOREIGN_AFTER_SECONDS = 600;

/**
 * Stores jobs in a Cloudflare queue, and runs them in this Worker. The Worker has the queue as its binding `JOBS` and
 * is its consumer. It has the queue for dead jobs as its binding `DEAD_JOBS`.
 *
 * ```js
 * export default createRequestHandler({ build, jobs: createCloudflareJobs() });
 * ```
 */
export function createCloudflareJobs(): CloudflareJobs {
  return { connect };
}

function connect(app: JobApp): ConnectedCloudflareJobs {
  const invocation = new AsyncLocalStorage<CloudflareContext>();
  const waitUntil = (promise: Promise<unknown>): void => invocation.getStore()?.waitUntil(promise);
  const inWorker: JobApp = {
    ...app,
    get environment() {
      return app.environment ?? environmentOf(bindings());
    },
  };
  const runner = createJobRunner(inWorker, { enqueue, waitUntil, deadPlace: 'the queue DEAD_JOBS' });
  const storeDue = async (cron: string, at: number): Promise<void> => {
    const times = timesOfTrigger(cron);
    const isDue = (schedule: { cron: string }): boolean => timesOfJob(schedule.cron) === times;
    const store = async ({ name, schedule: shown }: ManifestJob): Promise<void> => {
      if (shown === undefined || (shown !== 'unknown' && !isDue(shown))) return;
      // The input of the schedule is in the module of the job.
      const schedule = await runner.findSchedule(name, async (found) => found);
      if (schedule && isDue(schedule)) await send(toScheduledRun(name, at, schedule.input));
    };
    const stored = await Promise.allSettled(runner.jobs.map(store));
    // A job that cannot be stored does not affect others, and the platform lists the trigger as failed.
    for (const result of stored) if (result.status === 'rejected') throw result.reason;
  };
  return {
    enqueue,
    drain: async () => {},
    async queue(batch, env, context) {
      keepBindings(env);
      const { signal } = new AbortController(); // a Worker is never told to stop
      const run = async (message: CloudflareBatch['messages'][number]): Promise<void> => {
        const { body } = message;
        if (isEnvelope(body)) return settle(message, body, { runner, signal, queues: queues(), now: Date.now() });
        console.error(`The queue ${batch.queue} has a message that is not a job. It stays there.`);
        message.retry({ delaySeconds: FOREIGN_AFTER_SECONDS });
      };
      await invocation.run(context, () => Promise.all(batch.messages.map(run)));
    },
    async scheduled({ cron, scheduledTime }, env, context) {
      keepBindings(env);
      // The seconds may differ, but a cron means whole minutes.
      const at = Math.floor(scheduledTime / 60_000) * 60_000;
      await invocation.run(context, () => storeDue(cron, at));
    },
  };
}

const enqueue: ConnectedJobs['enqueue'] = async (envelope, transaction) => {
  const { id, job, key } = envelope;
  if (key !== undefined) {
    throw codedError(
      'ERR_JOB_INVALID',
      `The job ${job} was enqueued with the option key, but Cloudflare's queues do not support keys. Leave it out, and make sure that the job may run twice.`,
    );
  }
  if (transaction) {
    throw codedError(
      'ERR_JOB_INVALID',
      `The job ${job} was enqueued with the option transaction, but it is stored in a Cloudflare queue, which a transaction cannot include. Leave it out.`,
    );
  }
  await send(envelope);
  return { id, duplicate: false };
};

async function send(envelope: JobEnvelope): Promise<void> {
  const { jobs } = queues();
  if (jobs) return sendTo(jobs, envelope, Date.now());
  throw codedError(
    'ERR_JOBS_UNAVAILABLE',
    `The job ${envelope.job} cannot be stored: this Cloudflare Worker has no queue with the binding JOBS. appkit export says what to add to wrangler.jsonc.`,
  );
}

function queues(): Queues {
  const { JOBS: jobs, DEAD_JOBS: dead } = bindings<{ JOBS?: CloudflareQueue; DEAD_JOBS?: CloudflareQueue }>();
  return { jobs, dead };
}
