import type { JobEnvelope } from '../../runtime/host.ts';
import { startSqs } from './client.ts';
import type { Sqs } from './client.ts';
import { toBody, toSendable } from './message.ts';

/** Where the messages are. */
export interface QueueUrls {
  queueUrl: string;
  deadLetterQueueUrl: string | undefined;
}

/** A job that is not run again by itself. */
export interface DeadLetter {
  /** What to send to the queue to run it again. */
  body: string;
  error: string;
  /** How often it was run. */
  attempts: number;
}

/** The queue of the jobs, and the one of those that are dead. */
export interface SqsQueue extends QueueUrls {
  /** Sends a job, to be received at its time, or in a quarter of an hour if that is before. */
  send(envelope: JobEnvelope): Promise<void>;
  /** Has a message that was received come again after a time, in milliseconds. */
  hide(receiptHandle: string, afterMs: number): Promise<void>;
  /** Sends a job to the queue of the dead. */
  bury(letter: DeadLetter): Promise<void>;
}

/** What SQS delays a message by at most. */
const LONGEST_DELAY_S = 900;

/** Makes the queue. The first message loads the SDK. */
export function createSqsQueue(urls: QueueUrls): SqsQueue {
  let starting: Promise<Sqs> | undefined;
  const start = (): Promise<Sqs> => {
    starting ??= startSqs().catch((error: unknown) => {
      // The next one who needs it tries again.
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

/** Whole seconds, never less than the time. */
function toSeconds(ms: number): number {
  return Math.max(0, Math.ceil(ms / 1000));
}
