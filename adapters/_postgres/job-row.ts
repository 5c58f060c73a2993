import type { JobEnvelope } from '../../runtime/host.ts';
import type { JobRecord, JobState } from '../_jobs/job-record.ts';
import { toJobName } from './names.ts';

/** The value of a job in pg-boss's column `data`. */
export interface JobData {
  v: 1;
  /**
   * The envelope as text: a JSON value in PostgreSQL cannot contain U+0000, and changes numbers and the order of keys.
   */
  envelope: string;
  /**
   * How many of the times that it was taken do not count as attempts: it was given back, or it has been retried by hand
   * since.
   */
  uncounted: number;
}

/** A row of pg-boss, with the columns in {@link COLUMNS}. */
export interface JobRow {
  id: string;
  name: string;
  state: 'created' | 'retry' | 'active' | 'completed' | 'cancelled' | 'failed';
  data: JobData;
  claims: number;
  createdAt: Date;
  dueAt: Date;
  endedAt: Date | null;
  output: { error?: string; value?: { message?: string } } | null;
}

/** `claims` is how often the job was taken: pg-boss counts from the second time. */
export const COLUMNS = `id, name, state, data, CASE WHEN started_on IS NULL THEN 0 ELSE retry_count + 1 END AS claims,
  created_on AS "createdAt", CASE WHEN state = 'active' THEN heartbeat_on + heartbeat_seconds * interval '1s' ELSE start_after END AS "dueAt",
  completed_on AS "endedAt", output`;

/** The names of states here and in pg-boss. */
export const STATES: Readonly<Record<JobState, readonly JobRow['state'][]>> = {
  waiting: ['created', 'retry'],
  running: ['active'],
  done: ['completed'],
  dead: ['failed', 'cancelled'],
};

/** Reads a row. */
export function toRecord({ id, name, state, data, claims, createdAt, dueAt, endedAt, output }: JobRow): JobRecord {
  const envelope = toEnvelope(data, claims);
  return {
    id,
    job: toJobName(name),
    state: toState(state),
    attempt: envelope.attempt,
    key: envelope.key,
    input: envelope.input,
    createdAt,
    scheduledAt: envelope.scheduledAt === undefined ? undefined : new Date(envelope.scheduledAt),
    dueAt,
    endedAt: endedAt ?? undefined,
    error: output?.error ?? output?.value?.message,
    envelope,
  };
}

/** The name used here for a state of pg-boss. */
export function toState(state: JobRow['state']): JobState {
  const states = Object.entries(STATES) as [JobState, readonly JobRow['state'][]][]; // its keys
  return states.find(([, theirs]) => theirs.includes(state))?.[0] ?? 'waiting';
}

/** The envelope of a job that has been taken this many times. */
export function toEnvelope({ envelope, uncounted }: JobData, claims: number): JobEnvelope {
  const stored = JSON.parse(envelope) as JobEnvelope; // unchanged since it was enqueued
  return { ...stored, attempt: Math.max(0, claims - uncounted) };
}
