import type { JobEnvelope, JobRunner } from '../../runtime/host.ts';
import type { ReceivedMessage } from './event.ts';
import type { Deadline } from './deadline.ts';
import { parseBody, toBody } from './message.ts';
import type { SqsQueue } from './queue.ts';

/** What a message is settled by. */
export interface Settling {
  queue: SqsQueue;
  runner: JobRunner;
  deadline: Deadline;
}

/** What a message is told when its attempt has ended. */
type Settled =
  /** It is done with, or another message has taken its place. */
  | 'gone'
  /** It comes again by itself, and its receive count has grown. */
  | 'again';

const HOUR_MS = 3_600_000;
/** SQS hides a message for twelve hours at most, counted from when it was received. */
const LONGEST_HIDING_MS = 11 * HOUR_MS;
/** A queue forgets a message after two weeks at most, by the default of SQS after four days. One that gets old is sent again. */
const OLDEST_MS = 72 * HOUR_MS;

// Nothing stops the process of a function while it is at work.
const NEVER = new AbortController().signal;

/**
 * Runs the job of a message. Never rejects.
 *
 * The attempts are counted by SQS: a message that comes again, by our doing or because its process has ended, has a higher receive count. What is
 * not to count takes the place of the message, as a new one.
 */
export async function settleMessage(message: ReceivedMessage, settling: Settling): Promise<Settled> {
  try {
    return await settle(message, settling);
  } catch (error) {
    console.error('What came of a job cannot be told to SQS: it will run again when its message comes again.', error);
    return 'again';
  }
}

async function settle(message: ReceivedMessage, { queue, runner, deadline }: Settling): Promise<Settled> {
  const envelope = parseBody(message.body);
  if (!envelope) return buryUnread(message, queue);
  const { job, runAt } = envelope;
  // SQS delays no message for longer than a quarter of an hour.
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

/** A message that is no job of ours would come again for ever. */
async function buryUnread({ id, body, receiveCount }: ReceivedMessage, queue: SqsQueue): Promise<Settled> {
  const error = `The message ${id} is no job: its body is not what enqueue() has written.`;
  await queue.bury({ body, error, attempts: receiveCount });
  console.error(`${error} It is in the dead-letter queue.`);
  return 'gone';
}

/** If the process ends between both, there are two messages: the job runs twice, as any may. */
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
