import type { JobEnvelope, JobRunner } from '../../runtime/host.ts';
import { isEnvelope, toDeadJob } from '../_jobs/job-message.ts';
import type { Delivery, JobQueue } from './job-queue.ts';

/** What settling a message needs. */
export interface Settling {
  queue: JobQueue;
  runner: JobRunner;
}

/** Thrown to make Vercel deliver a message again. */
export class Again extends Error {
  override readonly name = 'Again';
  readonly afterSeconds: number;

  constructor(afterMs: number) {
    super(`The message must be delivered again in ${afterMs} ms.`);
    this.afterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  }
}

/** Vercel hides a message for an hour at most. */
const LONGEST_HIDING_MS = 3_600_000;
/** A message that expires within this time is sent again: Vercel deletes it after a week at most. */
const LEFT_MS = 172_800_000;

// Vercel does not stop the process of a function while it is working.
const NEVER = new AbortController().signal;

/**
 * Runs the job of a message. Vercel deletes the message when this resolves, and delivers it again when this rejects.
 *
 * Vercel counts the attempts: a message that is delivered again, because we asked for it or because its process has
 * ended, has a higher delivery count. For a delivery that must not count, a new message replaces this one. If the
 * process ends between sending the new one and deleting the old one, there are two: the job runs twice, as any job may.
 *
 * @throws Again for an attempt that has failed.
 */
export async function settleMessage(
  payload: unknown,
  { messageId, deliveryCount, expiresAt }: Delivery,
  { queue, runner }: Settling,
): Promise<void> {
  if (!isEnvelope(payload)) {
    const error = `The message ${messageId} is not a job: it was not sent by enqueue().`;
    await queue.bury({ message: payload, dead: { attempts: deliveryCount, error, at: Date.now() } });
    console.error(`${error} It is in the topic for dead jobs.`);
    return;
  }
  const { runAt } = payload;
  if (runAt > Date.now()) return queue.send(payload);
  const begun: JobEnvelope = { ...payload, attempt: payload.attempt + deliveryCount };
  const notBegun: JobEnvelope = { ...payload, attempt: begun.attempt - 1 };
  const outcome = await runner.runMessage(begun, NEVER);
  switch (outcome.kind) {
    case 'done':
      return;
    case 'dead':
      return queue.bury(toDeadJob(begun, outcome.error));
    case 'released':
      return queue.send(later(notBegun, outcome.afterMs));
    case 'retry': {
      const { afterMs } = outcome;
      const isYoung = Date.now() + afterMs + LEFT_MS < expiresAt.getTime();
      if (isYoung && afterMs <= LONGEST_HIDING_MS) throw new Again(afterMs);
      return queue.send(later(begun, afterMs));
    }
  }
}

function later(envelope: JobEnvelope, afterMs = 0): JobEnvelope {
  return { ...envelope, runAt: Date.now() + afterMs };
}
