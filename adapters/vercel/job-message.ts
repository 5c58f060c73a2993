import type { JobEnvelope, JobRunner } from '../../runtime/host.ts';
import { isEnvelope, toDeadJob } from '../_jobs/job-message.ts';
import type { Delivery, JobQueue } from './job-queue.ts';

/** What a message is settled by. */
export interface Settling {
  queue: JobQueue;
  runner: JobRunner;
}

/** Thrown to have Vercel deliver a message again. */
export class Again extends Error {
  override readonly name = 'Again';
  readonly afterSeconds: number;

  constructor(afterMs: number) {
    super(`The message is to come again in ${afterMs} ms.`);
    this.afterSeconds = Math.max(1, Math.ceil(afterMs / 1000));
  }
}

/** Vercel hides a message for an hour at most. */
const LONGEST_HIDING_MS = 3_600_000;
/** A message that expires earlier is sent again: Vercel forgets it after a week at most. */
const LEFT_MS = 172_800_000;

// Nothing stops the process of a function while it is at work.
const NEVER = new AbortController().signal;

/**
 * Runs the job of a message. Vercel forgets the message when this resolves, and delivers it again when it rejects.
 *
 * The attempts are counted by Vercel: a message that comes again, by our doing or because its process has ended, has a higher delivery count. What is
 * not to count takes the place of the message, as a new one. If the process ends between both, there are two: the job runs twice, as any may.
 *
 * @throws Again for an attempt that has failed.
 */
export async function settleMessage(
  payload: unknown,
  { messageId, deliveryCount, expiresAt }: Delivery,
  { queue, runner }: Settling,
): Promise<void> {
  if (!isEnvelope(payload)) {
    const error = `The message ${messageId} is no job: it is not what enqueue() has sent.`;
    await queue.bury({ message: payload, dead: { attempts: deliveryCount, error, at: Date.now() } });
    console.error(`${error} It is in the topic of the dead jobs.`);
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
