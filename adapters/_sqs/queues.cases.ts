import { once } from 'node:events';
import { createSqs } from '../aws-lambda/emulator/host/sqs.mjs';
import type { Queue } from '../aws-lambda/emulator/host/sqs.mjs';
import type { JobEnvelope } from '../../runtime/host.ts';

/** The queues of an app, in an emulator of SQS. */
export interface Queues {
  jobs: Queue;
  dead: Queue;
  /** The environment variables by which a function finds them. */
  variables: Record<string, string>;
  stop(): Promise<void>;
}

/** Starts the queues as `template.yaml` defines them. */
export async function startQueues(): Promise<Queues> {
  const sqs = createSqs({
    jobs: {
      VisibilityTimeout: 720,
      MessageRetentionPeriod: 1_209_600,
      RedrivePolicy: { maxReceiveCount: 1000, deadLetterQueue: 'dead' },
    },
    dead: { MessageRetentionPeriod: 1_209_600 },
  });
  sqs.server.listen(0, '127.0.0.1');
  await once(sqs.server, 'listening');
  return {
    jobs: sqs.queue('jobs'),
    dead: sqs.queue('dead'),
    variables: {
      APPKIT_JOBS_QUEUE_URL: sqs.urlOf('jobs'),
      APPKIT_JOBS_DEAD_LETTER_QUEUE_URL: sqs.urlOf('dead'),
      AWS_ENDPOINT_URL_SQS: new URL(sqs.urlOf('jobs')).origin,
      AWS_REGION: 'eu-central-1',
      AWS_ACCESS_KEY_ID: 'AKIAIOSFODNN7EXAMPLE',
      AWS_SECRET_ACCESS_KEY: 'of-the-emulator',
    },
    async stop() {
      sqs.server.closeAllConnections();
      sqs.server.close();
      await once(sqs.server, 'close');
    },
  };
}

/** A job as `enqueue()` creates it. */
export function envelopeOf(job: string, parts: Partial<JobEnvelope> = {}): JobEnvelope {
  return { v: 1, id: crypto.randomUUID(), job, runAt: Date.now(), attempt: 0, ...parts };
}
