import { codedError } from '../../runtime/host.ts';
import type { JobEngine } from '../../runtime/host.ts';
import { enqueueTo } from './enqueue.ts';
import { createRunningHandler } from './job-handler.ts';
import type { JobHandler, RunningOptions } from './job-handler.ts';
import { createSqsQueue } from './queue.ts';
import type { SqsQueue } from './queue.ts';

export type { ConnectedJobs, Enqueued, JobApp, JobEngine, JobEnvelope } from '../../runtime/host.ts';
export type { LambdaContext } from './deadline.ts';
export type { JobBatchResult, JobHandler, RunningOptions } from './job-handler.ts';

/** Options of {@link createSqsJobs}. */
export interface SqsJobsOptions {
  /** The URL of the queue. Default: the variable `APPKIT_JOBS_QUEUE_URL`, which `template.yaml` sets. */
  queueUrl?: string | undefined;
  /**
   * The URL of the queue for dead jobs. Only the function that runs jobs needs it. Default: the variable
   * `APPKIT_JOBS_DEAD_LETTER_QUEUE_URL`, which `template.yaml` sets there.
   */
  deadLetterQueueUrl?: string | undefined;
}

/** Jobs in a queue of SQS. */
export interface SqsJobs extends JobEngine {
  /** Only for this package. */
  readonly '~queue': SqsQueueUrls;
}

/** Only for this package. */
export interface SqsQueueUrls {
  readonly queueUrl: string;
}

/** Options of {@link createJobHandler}. */
export interface JobHandlerOptions extends RunningOptions {
  /** The queue: `createSqsJobs()`. */
  jobs: SqsJobs;
}

/**
 * Stores jobs in a standard queue of SQS. The function of {@link createJobHandler} runs them. It needs the package
 * `@aws-sdk/client-sqs`, which Lambda's Node.js runtimes have.
 *
 * ```js
 * createStreamingRequestHandler({ build: 'dist/server', jobs: createSqsJobs() });
 * ```
 *
 * @throws TypeError with code `ERR_OPTION_INVALID` for an invalid URL. The SDK is loaded when the first job is stored.
 */
export function createSqsJobs(options: SqsJobsOptions = {}): SqsJobs {
  const {
    queueUrl = process.env['APPKIT_JOBS_QUEUE_URL'],
    deadLetterQueueUrl = process.env['APPKIT_JOBS_DEAD_LETTER_QUEUE_URL'],
  } = options;
  assertUrl('queueUrl', 'APPKIT_JOBS_QUEUE_URL', queueUrl);
  if (deadLetterQueueUrl !== undefined) {
    assertUrl('deadLetterQueueUrl', 'APPKIT_JOBS_DEAD_LETTER_QUEUE_URL', deadLetterQueueUrl);
  }
  const queue = createSqsQueue({ queueUrl, deadLetterQueueUrl });
  const jobs = { enqueue: enqueueTo(queue), drain: async () => {} };
  return { connect: () => jobs, '~queue': queue };
}

/**
 * Creates the function that runs the jobs of an exported app: a separate Lambda function without a URL, which is called
 * with messages of the queue and by the schedules. `ReportBatchItemFailures` must be on.
 *
 * ```js
 * export const jobs = createJobHandler({ build: 'dist/server', jobs: createSqsJobs() });
 * ```
 *
 * @returns the function. It rejects with a CodedError ERR_EVENT_INVALID when it is called with anything else, including
 * messages of another queue. It also rejects if there is no server build or no dead-letter queue.
 * @throws TypeError with code `ERR_OPTION_INVALID` without jobs.
 */
export function createJobHandler({ jobs, ...options }: JobHandlerOptions): JobHandler {
  const queue = (jobs as { '~queue'?: unknown } | undefined)?.['~queue'] as SqsQueue | undefined;
  if (!queue) {
    throw codedError('ERR_OPTION_INVALID', 'Give createJobHandler the option jobs: createSqsJobs().');
  }
  let handler: JobHandler | undefined;
  const start = (): JobHandler => {
    assertUrl('deadLetterQueueUrl', 'APPKIT_JOBS_DEAD_LETTER_QUEUE_URL', queue.deadLetterQueueUrl);
    return createRunningHandler(options, queue);
  };
  // Not before it is called: the function that answers requests may be in the same file.
  return async (event, context) => (handler ??= start())(event, context);
}

function assertUrl(option: string, variable: string, url: string | undefined): asserts url is string {
  if (typeof url === 'string' && /^https?:\/\/[^/]+\/[^/]+\/[^/]+$/.test(url)) return;
  throw codedError(
    'ERR_OPTION_INVALID',
    `The option ${option} of createSqsJobs() is ${JSON.stringify(url)}. Give the URL of an SQS queue, or set ${variable}, as template.yaml of \`appkit init --host aws-lambda\` does.`,
  );
}
