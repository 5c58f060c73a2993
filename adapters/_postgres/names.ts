import { toUuid } from '../_jobs/uuid.ts';

/** The name of a job's queue. pg-boss allows only a few characters. */
export function toQueueName(job: string): string {
  return job.replace(/[^\w/-]/gu, (character) => `.${character.codePointAt(0)?.toString(16)}.`);
}

/** The job of a queue. */
export function toJobName(queue: string): string {
  return queue.replace(/\.([0-9a-f]+)\./g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/**
 * The id of the job with a key: a UUID that is the same for the same key, so that PostgreSQL itself refuses a second
 * one.
 */
export function toKeyId(job: string, key: string): string {
  return toUuid(job, key);
}
