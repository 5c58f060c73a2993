import type * as QueueModule from '@vercel/queue';
import type { MessageMetadata, QueueClient } from '@vercel/queue';
import { codedError } from '../../runtime/host.ts';
import type { JobEnvelope } from '../../runtime/host.ts';
import type { DeadJob, Death } from '../_jobs/job-message.ts';

/** The topic of the jobs. `vercel.json` has the same. */
export const TOPIC = 'appkit-jobs';
/** The topic of those that are dead. */
export const DEAD_TOPIC = 'appkit-jobs-dead';

/** What Vercel says of a message that it delivers. */
export type Delivery = Pick<MessageMetadata, 'messageId' | 'deliveryCount' | 'expiresAt'>;

/** The topics of an app. */
export interface JobQueue {
  /**
   * Sends a job, to be delivered at its time, or in three days if that is before.
   *
   * @param isOnce – whether Vercel is to drop a second job with this id, for a day.
   */
  send(envelope: JobEnvelope, isOnce?: boolean): Promise<void>;
  /** Sends what is dead to the topic of the dead: a job, or what is none. */
  bury(message: DeadJob | { message: unknown; dead: Death }): Promise<void>;
  /** The client of the package, loaded when it is needed first. */
  client(): Promise<QueueClient>;
}

/** The longest retention, in seconds. */
const RETENTION_S = 604_800;
/** A message that waits is to have some of its retention left. */
const LONGEST_DELAY_S = 259_200;

/** Makes the queue. The first message loads the package. */
export function createJobQueue(): JobQueue {
  let starting: Promise<QueueClient> | undefined;
  const client = (): Promise<QueueClient> => {
    starting ??= start().catch((error: unknown) => {
      // The next one who needs it tries again.
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
