import type { JobEnvelope, JobOutcome, JobRunner } from '../../runtime/host.ts';
import { toDeadJob } from '../_jobs/job-message.ts';
import type { CloudflareMessage, CloudflareQueue } from './host-types.ts';

/** The queues of an app, as far as its Worker has them. */
export interface Queues {
  jobs: CloudflareQueue | undefined;
  dead: CloudflareQueue | undefined;
}

/** What a message is settled with. */
export interface Consumer {
  runner: JobRunner;
  signal: AbortSignal;
  queues: Queues;
  now: number;
}

/**
 * How long a message waits at most, and may grow old, in seconds: a queue takes a delay of a day, but forgets what is as old on the free plan. On the
 * others, it does so after four days by default.
 */
const LONGEST_SECONDS = 43_200;
/** How long a queue that takes nothing is left alone, in milliseconds. */
const LATER_MS = 60_000;

/** Puts a job into a queue, until its time or for as long as the queue can wait. */
export async function sendTo(queue: CloudflareQueue, envelope: JobEnvelope, now: number): Promise<void> {
  await queue.send(envelope, { contentType: 'json', delaySeconds: toDelay(envelope.runAt - now) });
}

/** Runs a job, and says what becomes of its message. Never rejects: the other messages of the batch are settled as well. */
export async function settle(message: CloudflareMessage, envelope: JobEnvelope, consumer: Consumer): Promise<void> {
  // A message cannot be changed: it is told how often it was delivered, and the job how often it was begun before it was put back.
  const attempt = envelope.attempt + message.attempts;
  try {
    await settleAttempt(message, { ...envelope, attempt }, consumer);
  } catch (error) {
    console.error(
      `What came of the job ${envelope.job} (${envelope.id}) cannot be stored yet. It is tried again.`,
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
  /** A delivery that was no attempt must not count as one, so it goes on as another message. */
  const putBack = async (changed: Pick<JobEnvelope, 'attempt' | 'runAt'>): Promise<void> => {
    if (!queues.jobs) throw new Error('This Worker has no queue as its binding JOBS.');
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
  if (!dead) throw new Error('This Worker has no queue as its binding DEAD_JOBS, so the dead job stays where it is.');
  await dead.send(toDeadJob(envelope, error), { contentType: 'json' });
}

function toDelay(milliseconds: number): number {
  return Math.min(LONGEST_SECONDS, Math.max(0, Math.ceil(milliseconds / 1000)));
}
