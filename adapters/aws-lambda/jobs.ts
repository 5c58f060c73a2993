/**
 * An engine for jobs on AWS: a standard queue of SQS, and a second Lambda function that runs the jobs in it.
 *
 * @module
 */
export { createJobHandler, createSqsJobs } from '../_sqs/index.ts';
export type {
  ConnectedJobs,
  Enqueued,
  JobApp,
  JobBatchResult,
  JobEngine,
  JobEnvelope,
  JobHandler,
  JobHandlerOptions,
  LambdaContext,
  RunningOptions,
  SqsJobs,
  SqsJobsOptions,
  SqsQueueUrls,
} from '../_sqs/index.ts';
