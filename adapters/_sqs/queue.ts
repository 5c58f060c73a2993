import type { JobEnvelope } from '../../runtime/host.ts';
import { startSqs } from './client.ts';
import type { Sqs } from './client.ts';
import { toBody, toSendable } from './message.ts';

/** The addresses of the queues. */
export interface QueueUrls {
  queueUrl: string;
  deadLetterQueueUrl: string | undefined;
}

/** A job that is not tried again. */
export interface DeadLetter {
  /** The message that runs it again when it is sent to the queue. */
  body: string;
  error: string;
  /** How often it was run. */
  attempts: number;
}

/** The queue for jobs, and the queue for dead jobs. */
export interface SqsQueue extends QueueUrls {
  /** Sends a job, to be received at its time, but after a quarter of an hour at the latest. */
  send(envelope: JobEnvelope): Promise<void>;
  /** Makes SQS deliver a received message again after this time, in milliseconds. */
  hide(receiptHandle: string, afterMs: number): Promise<void>;
  /** Sends a job to the dead-letter queue. */
  bury(letter: DeadLetter): Promise<void>;
}

/** The longest delay of a message in SQS. */
const LONGEST_DELAY_S = 900;

/** Creates the queue. The first message loads the SDK. */
export function createSqsQueue(urls: QueueUrls): SqsQueue {
  let starting: Promise<Sqs> | undefined;
  const start = (): Promise<Sqs> => {
    starting ??= startSqs().catch((error: unknown) => {
      // The next caller tries again.
      starting = undefined;
      throw error;
    });
    return starting;
  };
  return {
    ...urls,
    async send(envelope) {
      const { sdk, client } = await start();
      const DelaySeconds = Math.min(toSeconds(envelope.runAt - Date.now()), LONGEST_DELAY_S);
      await client.send(
        new sdk.SendMessageCommand({ QueueUrl: urls.queueUrl, MessageBody: toBody(envelope), DelaySeconds }),
      );
    },
    async hide(receiptHandle, afterMs) {
      const { sdk, client } = await start();
      const message = { QueueUrl: urls.queueUrl, ReceiptHandle: receiptHandle };
      const VisibilityTimeout = toSeconds(afterMs);
      await client.send(new sdk.ChangeMessageVisibilityCommand({ ...message, VisibilityTimeout }));
    },
    async bury({ body, error, attempts }) {
      const { sdk, client } = await start();
      await client.send(
        new sdk.SendMessageCommand({
          QueueUrl: urls.deadLetterQueueUrl,
          MessageBody: body,
          MessageAttributes: {
            error: { DataType: 'String', StringValue: toSendable(error) },
            attempts: { DataType: 'Number', StringValue: String(attempts) },
          },
        }),
      );
    },
  };
}

/** Rounds up to whole seconds. */
function toSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
