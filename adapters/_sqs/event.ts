import { codedError } from '../../runtime/host.ts';

/** A message, as Lambda passes it to the function. */
export interface ReceivedMessage {
  id: string;
  receiptHandle: string;
  body: string;
  /** How often it has been received, including this time. */
  receiveCount: number;
  /** In milliseconds since 1970. */
  sentAt: number;
}

/** What the function for jobs is called with. */
export type JobEvent =
  | { kind: 'messages'; messages: ReceivedMessage[] }
  /** `at` is the time of the schedule, in milliseconds since 1970. */
  | { kind: 'schedule'; job: string; at: number };

type Fields = Partial<Record<string, unknown>>;

/**
 * Reads the event of a queue or of a schedule.
 *
 * @param queueUrl – the URL of the only queue whose messages are jobs.
 * @throws CodedError ERR_EVENT_INVALID for any other event.
 */
export function parseEvent(value: unknown, queueUrl: string): JobEvent {
  const event = Object(value) as Fields;
  if (event['source'] === 'appkit.schedule') return parseSchedule(event);
  const { Records: records } = event;
  if (!Array.isArray(records) || records.length === 0) throw refused('an event that is not from SQS');
  return { kind: 'messages', messages: records.map((record: unknown) => parseRecord(record, queueUrl)) };
}

function parseSchedule({ job, scheduledAt }: Fields): JobEvent {
  const at = typeof scheduledAt === 'string' ? Date.parse(scheduledAt) : Number.NaN;
  if (typeof job !== 'string' || !Number.isFinite(at)) throw refused('an event of a schedule without a job or a time');
  return { kind: 'schedule', job, at };
}

function parseRecord(record: unknown, queueUrl: string): ReceivedMessage {
  const { eventSource, eventSourceARN: arn, messageId: id, receiptHandle, body, attributes } = Object(record) as Fields;
  if (eventSource !== 'aws:sqs') throw refused('an event that is not from SQS');
  if (typeof arn !== 'string' || toQueueName(arn.split(':').slice(-2)) !== toQueueName(queueUrl.split('/').slice(-2))) {
    throw refused(`a message of ${String(arn)}, which is not the queue ${queueUrl} for jobs`);
  }
  const { ApproximateReceiveCount: count, SentTimestamp: sent } = Object(attributes) as Fields;
  const [receiveCount, sentAt] = [Number(count), Number(sent)];
  const isWhole = isText(id) && isText(receiptHandle) && isText(body) && receiveCount >= 1 && sentAt > 0;
  if (!isWhole) throw refused('an incomplete message');
  return { id, receiptHandle, body, receiveCount, sentAt };
}

/** The account and the name. */
function toQueueName(parts: readonly string[]): string {
  return parts.join('/');
}

function isText(value: unknown): value is string {
  return typeof value === 'string';
}

function refused(what: string): Error {
  return codedError(
    'ERR_EVENT_INVALID',
    `The function for jobs was called with ${what}. It accepts only messages of the queue for jobs, and the schedules of template.yaml: ` +
      'see "On AWS" in guide/jobs.md.',
  );
}
