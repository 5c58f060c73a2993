/**
 * Jobs: work that is stored before a request is answered, and then run at least once, even if a process ends meanwhile.
 *
 * @module
 */
export { defineJob } from './jobs/definition.ts';
export type { Job, JobArgument, JobDefinition, JobInput, JobRetry, JobRun } from './jobs/definition.ts';
export { enqueue } from './jobs/enqueue.ts';
export type { EnqueueOptions } from './jobs/enqueue.ts';
export type { Enqueued, JobTransaction } from './jobs/engine.ts';
export type { JobSchedule, JobScheduleRule } from './jobs/schedule.ts';
export type { FailedJob } from './jobs/failed-job.ts';
