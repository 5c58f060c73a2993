import type { OnError } from '../request/error-report.ts';

/** A job as an engine stores it. It is JSON. */
export interface JobEnvelope {
  /** The version of this shape. */
  v: 1;
  id: string;
  /** The name of the job. */
  job: string;
  key?: string;
  /** The input as it was given. Absent if there was none. */
  input?: unknown;
  /** Not before this time, in milliseconds since 1970. */
  runAt: number;
  /** The time of the schedule that it is for, in milliseconds since 1970. Absent if `enqueue()` has stored it. */
  scheduledAt?: number;
  /** How often it has been begun: 0 while it waits for the first time. */
  attempt: number;
  /** What continues the trace of the caller: headers of W3C Trace Context. */
  trace?: Record<string, string>;
}

/** What `enqueue()` returns. */
export interface Enqueued {
  /** The id of the stored job: that of the earlier one, if this is a duplicate. */
  id: string;
  /** There is a job of this name with the same key already, so that nothing was stored. */
  duplicate: boolean;
}

/** What came of an attempt. */
export type JobOutcome =
  | { kind: 'done' }
  /** It has failed. */
  | { kind: 'retry'; afterMs: number; error: string }
  /** It is never run again by itself. */
  | { kind: 'dead'; error: string }
  /** The process ends, or does not know or cannot load the job: another one runs it, and this attempt does not count. */
  | { kind: 'released'; afterMs?: number; error?: string };

/** An app whose jobs an engine runs. */
export interface JobApp {
  /** Its server build. */
  build: unknown;
  /** As the option of the adapter. */
  environment?: string | undefined;
  /** As the option of the adapter. */
  onError?: OnError | undefined;
}

/** Stores jobs, and runs them. The option `jobs` of an adapter takes one. */
export interface JobEngine {
  /**
   * What it needs that not every host has: `process`, which goes on between requests, since it runs jobs; `disk`, which keeps files. Default: neither.
   */
  readonly needs?: readonly ('process' | 'disk')[];
  /** Takes the jobs of an app. A later app takes the place of the one before it. Adapters call it. */
  connect(app: JobApp): ConnectedJobs;
}

/**
 * A transaction of the database that the jobs are in: a client of node-postgres, after `BEGIN`, or an object with `executeSql()`, as pg-boss takes
 * it.
 */
export type JobTransaction =
  | { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }
  | { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> };

/** The jobs of an app in an engine. */
export interface ConnectedJobs {
  /** Resolves once the job is stored. With a transaction, it is there if and when that is committed. */
  enqueue(envelope: JobEnvelope, transaction?: JobTransaction): Promise<Enqueued>;
  /** Begins no further job, aborts the signals of those that run, and resolves once these have ended. */
  drain(): Promise<void>;
}
