import { createHash } from 'node:crypto';

/** The name of the queue of a job. pg-boss allows few characters. */
export function toQueueName(job: string): string {
  return job.replace(/[^\w/-]/gu, (character) => `.${character.codePointAt(0)?.toString(16)}.`);
}

/** The job of a queue. */
export function toJobName(queue: string): string {
  return queue.replace(/\.([0-9a-f]+)\./g, (_, code: string) => String.fromCodePoint(Number.parseInt(code, 16)));
}

/** The id of the job with a key: a UUID that is the same for the same key, by which PostgreSQL itself refuses a second one. */
export function toKeyId(job: string, key: string): string {
  const digest = createHash('sha256')
    .update(JSON.stringify([job, key]))
    .digest();
  // Version 8 of RFC 9562: what is in it is ours to say.
  digest[6] = ((digest[6] ?? 0) & 0x0f) | 0x80;
  digest[8] = ((digest[8] ?? 0) & 0x3f) | 0x80;
  const hex = digest.toString('hex');
  return [hex.slice(0, 8), hex.slice(8, 12), hex.slice(12, 16), hex.slice(16, 20), hex.slice(20, 32)].join('-');
}
