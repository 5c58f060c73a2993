import type { JobEnvelope } from '../../runtime/host.ts';

/**
 * What a job does: it waits for its time or for another attempt, it runs, it has succeeded, or it is not tried again.
 */
export type JobState = 'waiting' | 'running' | 'done' | 'dead';

/** A stored job. */
export interface JobRecord {
  id: string;
  job: string;
  state: JobState;
  /** How often it has been started. */
  attempt: number;
  key: string | undefined;
  /** Its input, as read from JSON. */
  input: unknown;
  createdAt: Date;
  /** The scheduled time that it is for. `undefined` if `enqueue()` has stored it. */
  scheduledAt: Date | undefined;
  /** When it may run; while it runs, until when no other process runs it. */
  dueAt: Date;
  endedAt: Date | undefined;
  /** The error of the last attempt. */
  error: string | undefined;
  envelope: JobEnvelope;
}

/** How many jobs with a name are in a state. */
export interface JobCount {
  job: string;
  state: JobState;
  count: number;
}

interface Row {
  id: string;
  job: string;
  key: string | null;
  input: string | null;
  trace: string | null;
  state: JobState;
  attempt: number;
  due_at: number;
  created_at: number;
  scheduled_at: number | null;
  ended_at: number | null;
  error: string | null;
}

/** Reads a row of the table. */
export function toRecord(value: unknown): JobRecord {
  const row = value as Row; // the table has these columns
  const { id, job, state, attempt, key, error, scheduled_at: scheduledAt } = row;
  const input: unknown = row.input === null ? undefined : JSON.parse(row.input);
  const trace = row.trace === null ? undefined : (JSON.parse(row.trace) as Record<string, string>);
  return {
    id,
    job,
    state,
    attempt,
    key: key ?? undefined,
    input,
    createdAt: new Date(row.created_at),
    scheduledAt: scheduledAt === null ? undefined : new Date(scheduledAt),
    dueAt: new Date(row.due_at),
    endedAt: row.ended_at === null ? undefined : new Date(row.ended_at),
    error: error ?? undefined,
    envelope: {
      v: 1,
      id,
      job,
      ...(key === null ? {} : { key }),
      ...(input === undefined ? {} : { input }),
      runAt: row.due_at,
      attempt,
      ...(scheduledAt === null ? {} : { scheduledAt }),
      ...(trace ? { trace } : {}),
    },
  };
}
