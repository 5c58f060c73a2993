import type * as QueueModule from '@vercel/queue';
import type { MessageMetadata, QueueClient } from '@vercel/queue';
import { codedError } from '../../runtime/host.ts';
import type { JobEnvelope } from '../../runtime/host.ts';
import type { DeadJob, Death } from '../_jobs/job-message.ts';

/** The topic for jobs. `vercel.json` contains the same name. */
export const TOPIC = 'appkit-jobs';
/** The topic for dead jobs. */
export const DEAD_TOPIC = 'appkit-jobs-dead';

/** What Vercel reports about a message that it delivers. */
export type Delivery = Pick<MessageMetadata, 'messageId' | 'deliveryCount' | 'expiresAt'>;

/** The topics of an app. */
export interface JobQueue {
  /**
   * Sends a job, to be delivered at its time, but after three days at the latest.
   *
   * @param isOnce – whether Vercel drops a second job with this id, for a day.
   */
  send(envelope: JobEnvelope, isOnce?: boolean): Promise<void>;
  /** Sends a dead job, or a message that is not a job, to the topic for dead jobs. */
  bury(message: DeadJob | { message: unknown; dead: Death }): Promise<void>;
  /** The client of the package, which is loaded when it is first needed. */
  client(): Promise<QueueClient>;
}

/** The longest retention, in seconds. */
const RETENTION_S = 604_800;
/** The longest delay, in seconds: a message must have some of its retention left after it. */
const LONGEST_DELAY_S = 259_200;

/** Creates the queue. The first message loads the package. */
export function createJobQueue(): JobQueue {
  let starting: Promise<QueueClient> | undefined;
  const client = (): Promise<QueueClient> => {
    starting ??= start().catch((error: unknown) => {
      // The next caller tries again.
      starting = undefined;
      throw error;
    });
    return starting;
  };
  return {
    client,
    async send(envelope, isOnce = false) {
      const delaySeconds = Math.min(LONGEST_DELAY_S, Math.max(0, Math.ceil((envelope.runAt - Date.now()) / 1000)));
      const once = isOnce ? { idempotencyKey: envelope.id } : {};
      const { send } = await client();
      await send(TOPIC, envelope, { retentionSeconds: RETENTION_S, delaySeconds, ...once });
    },
    async bury(message) {
      const { send } = await client();
      await send(DEAD_TOPIC, message, { retentionSeconds: RETENTION_S });
    },
  };
}

async function start(): Promise<QueueClient> {
  const { QueueClient: Client } = await load();
  return new Client();
}

async function load(): Promise<typeof QueueModule> {
  try {
    return await import('@vercel/queue');
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ERR_MODULE_NOT_FOUND') throw error;
    throw codedError('ERR_JOBS_UNAVAILABLE', 'Jobs on Vercel need a package: npm install @vercel/queue@0.6');
  }
}
