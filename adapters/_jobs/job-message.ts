import type { JobEnvelope } from '../../runtime/host.ts';

/**
 * A job that is not tried again, as a message. If it is sent to the queue of the jobs unchanged, it runs again with all
 * its attempts.
 */
export interface DeadJob extends JobEnvelope {
  dead: Death;
}

/** How a job has died. */
export interface Death {
  /** How often it was started. */
  attempts: number;
  /** The error of the last attempt. */
  error: string;
  /** In milliseconds since 1970. */
  at: number;
}

/** Creates the message of a dead job. */
export function toDeadJob(envelope: JobEnvelope, error: string): DeadJob {
  return { ...envelope, attempt: 0, dead: { attempts: envelope.attempt, error, at: Date.now() } };
}

/** Whether a message is a job. Anyone who may send to a queue may send anything. */
export function isEnvelope(value: unknown): value is JobEnvelope {
  const { v, id, job, key, runAt, scheduledAt, attempt, trace } = Object(value) as Partial<Record<string, unknown>>;
  return (
    v === 1 &&
    isName(id) &&
    isName(job) &&
    (key === undefined || isName(key)) &&
    Number.isFinite(runAt) &&
    (scheduledAt === undefined || Number.isFinite(scheduledAt)) &&
    Number.isSafeInteger(attempt) &&
    Number(attempt) >= 0 &&
    (trace === undefined || isTrace(trace))
  );
}

function isName(value: unknown): boolean {
  return typeof value === 'string' && value !== '';
}

function isTrace(value: unknown): boolean {
  return typeof value === 'object' && value !== null && Object.values(value).every((line) => typeof line === 'string');
}
