import { existsSync } from 'node:fs';
import { codedError } from '../../runtime/host.ts';
import type { Enqueued, JobEnvelope, JobOutcome } from '../../runtime/host.ts';
import type { ClaimedJob, ClaimOptions } from './claim.ts';
import { openDatabase, openToRead } from './open-database.ts';
import type { Database } from './open-database.ts';
import { WRONG_CLOCK_MS } from './scheduler.ts';
import type { ScheduleStore } from './scheduler.ts';
import { toRecord } from './job-record.ts';
import type { JobCount, JobRecord, JobState } from './job-record.ts';

/** The version of the table, kept in the file. */
const VERSION = 3;

/** How long a job is kept after it is done, in milliseconds: its key is taken for that long. */
export const KEPT_MS: number = 7 * 86_400_000;

// `due_at` is when a job may run; while it runs, until when no other process may run it. `claim` counts how often it
// was taken, and never decreases, while `attempt` starts from 0 again when the job is retried by hand.
const TABLE = `
CREATE TABLE IF NOT EXISTS appkit_jobs (
  id TEXT PRIMARY KEY,
  job TEXT NOT NULL,
  key TEXT,
  input TEXT,
  trace TEXT,
  state TEXT NOT NULL,
  attempt INTEGER NOT NULL,
  claim INTEGER NOT NULL DEFAULT 0,
  due_at INTEGER NOT NULL,
  created_at INTEGER NOT NULL,
  scheduled_at INTEGER,
  ended_at INTEGER,
  error TEXT
);
CREATE UNIQUE INDEX IF NOT EXISTS appkit_jobs_key ON appkit_jobs (job, key) WHERE key IS NOT NULL;
CREATE INDEX IF NOT EXISTS appkit_jobs_due ON appkit_jobs (job, due_at) WHERE state IN ('waiting', 'running');
CREATE INDEX IF NOT EXISTS appkit_jobs_running ON appkit_jobs (job, due_at) WHERE state = 'running';
CREATE INDEX IF NOT EXISTS appkit_jobs_ended ON appkit_jobs (ended_at) WHERE state = 'done';
`;

// `at` is the last time of the schedule that has passed.
const SCHEDULES = `
CREATE TABLE IF NOT EXISTS appkit_schedules (
  job TEXT PRIMARY KEY,
  rule TEXT NOT NULL,
  at INTEGER NOT NULL
);
`;

/** What the file of each earlier version lacks: a file of the first version lacks both. */
const CHANGES: readonly string[] = [
  'ALTER TABLE appkit_jobs ADD COLUMN claim INTEGER NOT NULL DEFAULT 0;',
  `ALTER TABLE appkit_jobs ADD COLUMN scheduled_at INTEGER; ${SCHEDULES}`,
];

const OPEN = "state IN ('waiting', 'running')";

/** Jobs in a database file. All times are in milliseconds since 1970. */
export interface JobStore extends ScheduleStore {
  /** Stores a job, unless one with its key exists. The job is on the disk when this returns. */
  add(envelope: JobEnvelope, now: number): Enqueued;
  /** Which of these job names have a job to run now. */
  due(jobs: readonly string[], now: number): string[];
  /** When the next job that is not due yet will be due. */
  nextDue(jobs: readonly string[], now: number): number | undefined;
  /**
   * Takes the jobs with a name that are due, and counts the attempts: an attempt that ends its process has been
   * counted. At most `concurrency` of them run at the same time.
   *
   * @returns the jobs, which no other process takes for `leaseMs`.
   */
  claim(job: string, options: ClaimOptions): ClaimedJob[];
  /**
   * Stores the result of an attempt. Returns `false` if another process has taken the job since, so that this attempt
   * does not count.
   */
  finish(claimed: Pick<ClaimedJob, 'id' | 'claim'>, outcome: JobOutcome, now: number): boolean;
  /** Deletes jobs that were done long ago. */
  clean(now: number): void;
  /** The latest first. */
  list(options: { state?: JobState | undefined; limit: number }): JobRecord[];
  /** Combinations without jobs are left out. */
  count(): JobCount[];
  get(id: string): JobRecord | undefined;
  /** Runs a dead or waiting job now, with all its attempts. */
  retry(id: string, now: number): boolean;
  /** Deletes a job that is not running. */
  discard(id: string, now: number): boolean;
  close(): void;
}

/** Opens the jobs in a file. */
export function openJobStore(file: string): JobStore {
  return createJobStore(openDatabase(file), file);
}

/** Whether a file has the table of jobs. Does not change the file. */
export function hasJobs(file: string): boolean {
  if (!existsSync(file)) return false;
  const database = openToRead(file);
  try {
    return Boolean(database.prepare("SELECT 1 FROM sqlite_master WHERE name = 'appkit_jobs'").get());
  } finally {
    database.close();
  }
}

/** Keeps jobs in a database. */
export function createJobStore(database: Database, file: string): JobStore {
  prepareTable(database, file);
  const queue = createQueue(database);
  return { ...queue, ...createSchedules(database, queue), ...createDesk(database), close: () => database.close() };
}

function prepareTable(database: Database, file: string): void {
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number };
  if (version === VERSION) return;
  if (version > VERSION) {
    database.close();
    throw codedError(
      'ERR_JOBS_UNAVAILABLE',
      `${file} has the jobs of a newer appkit-server (version ${version} of the table, this one knows ${VERSION}). Install that release, or ` +
        'name another file.',
    );
  }
  atomically(database, () => {
    // Another process may have done this meanwhile.
    const { user_version: present } = database.prepare('PRAGMA user_version').get() as { user_version: number };
    database.exec(present === 0 ? TABLE + SCHEDULES : CHANGES.slice(present - 1).join(''));
    database.exec(`PRAGMA user_version = ${VERSION}`);
  });
}

type Queue = Pick<JobStore, 'add' | 'due' | 'nextDue' | 'claim' | 'finish' | 'clean'> & {
  /** Like `add`, inside of a transaction. */
  insert: JobStore['add'];
};

function createQueue(database: Database): Queue {
  const insert = database.prepare(
    `INSERT INTO appkit_jobs (id, job, key, input, trace, state, attempt, due_at, created_at, scheduled_at)
     VALUES (?, ?, ?, ?, ?, 'waiting', 0, ?, ?, ?) ON CONFLICT DO NOTHING`,
  );
  const findKey = database.prepare('SELECT id FROM appkit_jobs WHERE job = ? AND key = ?');
  const isDue = database.prepare(`SELECT 1 FROM appkit_jobs WHERE job = ? AND ${OPEN} AND due_at <= ? LIMIT 1`);
  const next = database.prepare(`SELECT min(due_at) AS at FROM appkit_jobs WHERE job = ? AND ${OPEN} AND due_at > ?`);
  const running = database.prepare(
    "SELECT count(*) AS count FROM appkit_jobs WHERE job = ? AND state = 'running' AND due_at > ?",
  );
  const take = database.prepare(
    `UPDATE appkit_jobs SET state = 'running', attempt = attempt + 1, claim = claim + 1, due_at = ? WHERE id IN (
       SELECT id FROM appkit_jobs WHERE job = ? AND ${OPEN} AND due_at <= ? AND id NOT IN (SELECT value FROM json_each(?))
       ORDER BY due_at, rowid LIMIT ?
     ) RETURNING *`,
  );
  const settle = database.prepare(
    `UPDATE appkit_jobs SET state = ?, due_at = ?, ended_at = ?, error = ?, attempt = attempt - ?
     WHERE id = ? AND claim = ? AND state = 'running'`,
  );
  const forget = database.prepare("DELETE FROM appkit_jobs WHERE state = 'done' AND ended_at < ?");
  const insertJob = (envelope: JobEnvelope, now: number): Enqueued => {
    const { id, job, key = null, input, trace, runAt, scheduledAt = null } = envelope;
    const json = [input, trace].map((value) => (value === undefined ? null : JSON.stringify(value)));
    const [storedInput = null, storedTrace = null] = json;
    const { changes } = insert.run(id, job, key, storedInput, storedTrace, runAt, now, scheduledAt);
    if (Number(changes) === 1) return { id, duplicate: false };
    return { id: key === null ? id : (findKey.get(job, key) as { id: string }).id, duplicate: true };
  };
  return {
    add: (envelope, now) => atomically(database, () => insertJob(envelope, now)),
    insert: insertJob,
    due: (jobs, now) => jobs.filter((job) => isDue.get(job, now)),
    nextDue(jobs, now) {
      const times = jobs.map((job) => (next.get(job, now) as { at: number | null }).at).filter((at) => at !== null);
      return times.length > 0 ? Math.min(...times) : undefined;
    },
    claim: (job, { concurrency, leaseMs, now, except = [] }) =>
      atomically(database, () => {
        const { count } = running.get(job, now) as { count: number };
        if (count >= concurrency) return [];
        return take
          .all(now + leaseMs, job, now, JSON.stringify(except), concurrency - count)
          .map((row) => ({ ...toRecord(row).envelope, claim: (row as { claim: number }).claim }));
      }),
    finish({ id, claim }, outcome, now) {
      const [state, dueAt, endedAt, error, uncounted] = toColumns(outcome, now);
      return Number(settle.run(state, dueAt, endedAt, error, uncounted, id, claim).changes) === 1;
    },
    clean: (now) => void forget.run(now - KEPT_MS),
  };
}

function createSchedules(database: Database, { insert }: Queue): ScheduleStore {
  const begin = database.prepare(
    `INSERT INTO appkit_schedules (job, rule, at) VALUES (?, ?, ?) ON CONFLICT (job) DO UPDATE SET rule = excluded.rule, at = excluded.at
     WHERE rule <> excluded.rule OR at > excluded.at + ${WRONG_CLOCK_MS}`,
  );
  const find = database.prepare('SELECT rule, at FROM appkit_schedules WHERE job = ?');
  const note = database.prepare('UPDATE appkit_schedules SET at = ? WHERE job = ? AND rule = ?');
  const forget = database.prepare('DELETE FROM appkit_schedules WHERE job = ?');
  const findRow = (job: string): { rule: string; at: number } | undefined =>
    (find.get(job) ?? undefined) as { rule: string; at: number } | undefined; // the table has these columns
  return {
    beginSchedule(job, rule, now) {
      const present = findRow(job);
      if (rule === undefined) {
        if (present) forget.run(job);
        return now;
      }
      return atomically(database, () => {
        begin.run(job, rule, now);
        return findRow(job)?.at ?? now;
      });
    },
    passTime: ({ job, rule, at }, run, now) =>
      atomically(database, () => {
        const present = findRow(job);
        if (present?.rule === rule && present.at >= at) return;
        if (run) insert(run, now);
        note.run(at, job, rule);
      }),
  };
}

type Columns = [state: JobState, dueAt: number, endedAt: number | null, error: string | null, uncounted: number];

function toColumns(outcome: JobOutcome, now: number): Columns {
  switch (outcome.kind) {
    case 'done':
      return ['done', now, now, null, 0];
    case 'dead':
      return ['dead', now, now, outcome.error, 0];
    case 'retry':
      return ['waiting', now + outcome.afterMs, null, outcome.error, 0];
    case 'released':
      return ['waiting', now + (outcome.afterMs ?? 0), null, outcome.error ?? null, 1];
  }
}

// A run whose lease is over was cut off, and its job may no longer be part of any build.
const IDLE = "(state IN ('dead', 'waiting') OR (state = 'running' AND due_at <= ?))";

/** The operations for looking after jobs. */
function createDesk(database: Database): Pick<JobStore, 'list' | 'count' | 'get' | 'retry' | 'discard'> {
  const all = database.prepare('SELECT * FROM appkit_jobs ORDER BY created_at DESC, rowid DESC LIMIT ?');
  const some = database.prepare(
    'SELECT * FROM appkit_jobs WHERE state = ? ORDER BY created_at DESC, rowid DESC LIMIT ?',
  );
  const counted = database.prepare('SELECT job, state, count(*) AS count FROM appkit_jobs GROUP BY job, state');
  const one = database.prepare('SELECT * FROM appkit_jobs WHERE id = ?');
  const revive = database.prepare(
    `UPDATE appkit_jobs SET state = 'waiting', attempt = 0, due_at = ?, ended_at = NULL
     WHERE id = ? AND ${IDLE}`,
  );
  const remove = database.prepare(`DELETE FROM appkit_jobs WHERE id = ? AND (${IDLE} OR state = 'done')`);
  return {
    list: ({ state, limit }) =>
      (state === undefined ? all.all(limit) : some.all(state, limit)).map((row) => toRecord(row)),
    count: () => counted.all().map((row) => ({ ...(row as JobCount) })), // the statement has these columns
    get(id) {
      const row = one.get(id);
      return row ? toRecord(row) : undefined;
    },
    retry: (id, now) => Number(revive.run(now, id, now).changes) === 1,
    discard: (id, now) => Number(remove.run(id, now).changes) === 1,
  };
}

/** Makes a change in one transaction, so that no other process sees half of it. */
function atomically<Result>(database: Database, change: () => Result): Result {
  database.exec('BEGIN IMMEDIATE');
  try {
    const result = change();
    database.exec('COMMIT');
    return result;
  } catch (error) {
    try {
      database.exec('ROLLBACK');
    } catch {
      // On a full disk, SQLite has already rolled back.
    }
    throw error;
  }
}
