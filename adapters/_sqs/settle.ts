import type { JobEnvelope, JobRunner } from '../../runtime/host.ts';
import type { ReceivedMessage } from './event.ts';
import type { Deadline } from './deadline.ts';
import { parseBody, toBody } from './message.ts';
import type { SqsQueue } from './queue.ts';

/** What settling a message needs. */
export interface Settling {
  queue: SqsQueue;
  runner: JobRunner;
  deadline: Deadline;
}

/** What happens to a message when its attempt has ended. */
type Settled =
  /** It is deleted: its job has ended, or another message has replaced it. */
  | 'gone'
  /** SQS delivers it again, with a higher receive count. */
  | 'again';

const HOUR_MS = 3_600_000;
/** SQS hides a message for twelve hours at most, counted from when it was received. */
const LONGEST_HIDING_MS = 11 * HOUR_MS;
/**
 * A queue deletes a message after two weeks at most, by default after four days. A message that gets older than this is
 * sent again.
 */
const OLDEST_MS = 72 * HOUR_MS;

// Lambda does not stop the process of a function while it is working.
const NEVER = new AbortController().signal;

/**
 * Runs the job of a message. Never rejects.
 *
 * SQS counts the attempts: a message that is delivered again, because we asked for it or because its process has ended,
 * has a higher receive count. For a delivery that must not count, a new message replaces this one.
 */
export async function settleMessage(message: ReceivedMessage, settling: Settling): Promise<Settled> {
  try {
    return await settle(message, settling);
  } catch (error) {
    console.error(
      'The result of a job cannot be reported to SQS. The job will run again when SQS delivers its message again.',
      error,
    );
    return 'again';
  }
}

async function settle(message: ReceivedMessage, { queue, runner, deadline }: Settling): Promise<Settled> {
  const envelope = parseBody(message.body);
  if (!envelope) return buryUnread(message, queue);
  const { job, runAt } = envelope;
  // SQS delays a message for a quarter of an hour at most.
  if (runAt > Date.now()) return replace(queue, envelope);
  const begun: JobEnvelope = { ...envelope, attempt: envelope.attempt + message.receiveCount };
  const notBegun: JobEnvelope = { ...envelope, attempt: begun.attempt - 1 };
  const { timeoutMs } = await runner.describe(job);
  const mostMs = deadline.leftFor(timeoutMs);
  if (mostMs === undefined) return replace(queue, notBegun);
  const outcome = await runner.runMessage(begun, NEVER, mostMs);
  switch (outcome.kind) {
    case 'done':
      return 'gone';
    case 'dead':
      await queue.bury({ body: toBody({ ...envelope, attempt: 0 }), error: outcome.error, attempts: begun.attempt });
      return 'gone';
    case 'released':
      return replace(queue, later(notBegun, outcome.afterMs));
    case 'retry':
      return retry(queue, { message, begun, afterMs: outcome.afterMs });
  }
}

/** Otherwise, a message that is not one of our jobs would be delivered again forever. */
async function buryUnread({ id, body, receiveCount }: ReceivedMessage, queue: SqsQueue): Promise<Settled> {
  const error = `The message ${id} is not a job: its body was not written by enqueue().`;
  await queue.bury({ body, error, attempts: receiveCount });
  console.error(`${error} It is in the dead-letter queue.`);
  return 'gone';
}

/**
 * If the process ends after this and before SQS deletes the old message, there are two: the job runs twice, as any job
 * may.
 */
async function replace(queue: SqsQueue, envelope: JobEnvelope): Promise<Settled> {
  await queue.send(envelope);
  return 'gone';
}

async function retry(
  queue: SqsQueue,
  { message, begun, afterMs }: { message: ReceivedMessage; begun: JobEnvelope; afterMs: number },
): Promise<Settled> {
  const isYoung = Date.now() - message.sentAt + afterMs <= OLDEST_MS;
  if (!isYoung || afterMs > LONGEST_HIDING_MS) return replace(queue, later(begun, afterMs));
  await queue.hide(message.receiptHandle, afterMs);
  return 'again';
}

function later(envelope: JobEnvelope, afterMs = 0): JobEnvelope {
  return { ...envelope, runAt: Date.now() + afterMs };
}
