import type { JobEnvelope } from '../../runtime/host.ts';

/** What a job does: it waits for its time or for another attempt, it runs, it has ended well, or it is not tried again. */
export type JobState = 'waiting' | 'running' | 'done' | 'dead';

/** A stored job. */
export interface JobRecord {
  id: string;
  job: string;
  state: JobState;
  /** How often it has been begun. */
  attempt: number;
  key: string | undefined;
  /** What it was given, as JSON has it. */
  input: unknown;
  createdAt: Date;
  /** The time of the schedule that it is for. `undefined` if `enqueue()` has stored it. */
  scheduledAt: Date | undefined;
  /** When it may run, and while it runs, until when nobody else runs it. */
  dueAt: Date;
  endedAt: Date | undefined;
  /** What the last attempt has failed by. */
  error: string | undefined;
  envelope: JobEnvelope;
}

/** How many jobs of a name are in a state. */
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
  const row = value as Row; // by the table
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
