import type { JobEnvelope, JobOutcome, JobRunner } from '../../runtime/host.ts';
import { toDeadJob } from '../_jobs/job-message.ts';
import type { CloudflareMessage, CloudflareQueue } from './host-types.ts';

/** The queues of an app; `undefined` for those that its Worker does not have. */
export interface Queues {
  jobs: CloudflareQueue | undefined;
  dead: CloudflareQueue | undefined;
}

/** What settling a message needs. */
export interface Consumer {
  runner: JobRunner;
  signal: AbortSignal;
  queues: Queues;
  now: number;
}

/**
 * The longest delay of a message, and the age at which it is sent again, in seconds. A queue accepts a delay of a day,
 * but on the free plan it also deletes messages that are a day old. On other plans, it deletes them after four days by
 * default.
 */
const LONGEST_SECONDS = 43_200;
/** After which time a message is delivered again whose result could not be stored, in milliseconds. */
const LATER_MS = 60_000;

/** Puts a job into a queue, which delivers it at its time, or earlier if the queue cannot wait that long. */
export async function sendTo(queue: CloudflareQueue, envelope: JobEnvelope, now: number): Promise<void> {
  await queue.send(envelope, { contentType: 'json', delaySeconds: toDelay(envelope.runAt - now) });
}

/** Runs a job, and settles its message. Never rejects, so that the other messages of the batch are settled too. */
export async function settle(message: CloudflareMessage, envelope: JobEnvelope, consumer: Consumer): Promise<void> {
  // A message cannot be changed: it counts its deliveries, and the job in it the attempts from before it was put back.
  const attempt = envelope.attempt + message.attempts;
  try {
    await settleAttempt(message, { ...envelope, attempt }, consumer);
  } catch (error) {
    console.error(
      `The result of the job ${envelope.job} (${envelope.id}) cannot be stored yet. The job will run again.`,
      error,
    );
    message.retry({ delaySeconds: toDelay(LATER_MS) });
  }
}

async function settleAttempt(
  message: CloudflareMessage,
  envelope: JobEnvelope,
  { runner, signal, queues, now }: Consumer,
): Promise<void> {
  const { attempt, runAt } = envelope;
  /** A delivery that was not an attempt must not count as one, so a new message replaces this one. */
  const putBack = async (changed: Pick<JobEnvelope, 'attempt' | 'runAt'>): Promise<void> => {
    if (!queues.jobs) throw new Error('This Worker has no queue with the binding JOBS.');
    await sendTo(queues.jobs, { ...envelope, ...changed }, Date.now());
    message.ack();
  };
  if (runAt > now) return putBack({ attempt: attempt - 1, runAt });
  const outcome = await runner.runMessage(envelope, signal);
  if (outcome.kind === 'done') return message.ack();
  if (outcome.kind === 'released') return putBack({ attempt: attempt - 1, runAt: Date.now() + (outcome.afterMs ?? 0) });
  if (outcome.kind === 'dead') {
    await bury(envelope, outcome, queues);
    return message.ack();
  }
  const ageMs = Date.now() - message.timestamp.getTime();
  const isYoung = ageMs + outcome.afterMs <= LONGEST_SECONDS * 1000;
  if (isYoung) return message.retry({ delaySeconds: toDelay(outcome.afterMs) });
  await putBack({ attempt, runAt: Date.now() + outcome.afterMs });
}

async function bury(
  envelope: JobEnvelope,
  { error }: Extract<JobOutcome, { kind: 'dead' }>,
  { dead }: Queues,
): Promise<void> {
  if (!dead)
    throw new Error('This Worker has no queue with the binding DEAD_JOBS, so the dead job stays in its queue.');
  await dead.send(toDeadJob(envelope, error), { contentType: 'json' });
}

function toDelay(milliseconds: number): number {
  return Math.min(LONGEST_SECONDS, Math.max(0, Math.ceil(milliseconds / 1000)));
}
