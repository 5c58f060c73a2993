import type { OnError } from '../request/error-report.ts';

/** A job as an engine stores it. It is JSON. */
export interface JobEnvelope {
  /** The version of this shape. */
  v: 1;
  id: string;
  /** The name of the job. */
  job: string;
  key?: string;
  /** The input passed to `enqueue()`. Absent if there was none. */
  input?: unknown;
  /** Not before this time, in milliseconds since 1970. */
  runAt: number;
  /** The time of the schedule that it is for, in milliseconds since 1970. Absent if `enqueue()` has stored it. */
  scheduledAt?: number;
  /** How many attempts have begun: 0 while it waits for the first. */
  attempt: number;
  /** The headers that continue the caller's trace: W3C Trace Context. */
  trace?: Record<string, string>;
}

/** What `enqueue()` returns. */
export interface Enqueued {
  /** The id of the stored job: that of the earlier one, if this is a duplicate. */
  id: string;
  /** Whether a job of this name with the same key already exists, so that nothing was stored. */
  duplicate: boolean;
}

/** The result of an attempt. */
export type JobOutcome =
  | { kind: 'done' }
  /** It has failed. */
  | { kind: 'retry'; afterMs: number; error: string }
  /** It is not retried automatically. */
  | { kind: 'dead'; error: string }
  /**
   * The process ends, or does not know or cannot load the job: another process runs it, and this attempt does not
   * count.
   */
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

/** Stores jobs, and runs them. Pass it as the option `jobs` of an adapter. */
export interface JobEngine {
  /**
   * The features it needs that not every host has: `process`, which keeps running between requests, to run jobs;
   * `disk`, which keeps files. Default: neither.
   */
  readonly needs?: readonly ('process' | 'disk')[];
  /** Connects the jobs of an app. A later app replaces the previous one. Adapters call it. */
  connect(app: JobApp): ConnectedJobs;
}

/**
 * A transaction of the database that stores the jobs: a client of node-postgres, after `BEGIN`, or an object with
 * `executeSql()`, as pg-boss accepts it.
 */
export type JobTransaction =
  | { query(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> }
  | { executeSql(text: string, values?: unknown[]): Promise<{ rows: unknown[] }> };

/** The jobs of an app in an engine. */
export interface ConnectedJobs {
  /** Resolves once the job is stored. With a transaction, it exists if and when that is committed. */
  enqueue(envelope: JobEnvelope, transaction?: JobTransaction): Promise<Enqueued>;
  /**
   * Starts no more jobs, aborts the signals of running ones, and resolves once these have ended. If a later app has
   * replaced this one, it only waits for the running jobs of this one.
   */
  drain(): Promise<void>;
}
