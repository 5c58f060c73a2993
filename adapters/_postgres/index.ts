/**
 * An engine for jobs on several machines: PostgreSQL, by pg-boss, which an app installs.
 *
 * @module
 */
import { codedError } from '../../runtime/host.ts';
import type { Enqueued, JobEngine } from '../../runtime/host.ts';
import { createJobEngine } from '../_jobs/job-engine.ts';
import type { JobCount, JobRecord, JobState } from '../_jobs/job-record.ts';
import { hasTables, startBoss } from './boss.ts';
import type { PgBoss } from './boss.ts';
import { createDesk } from './desk.ts';
import type { Desk } from './desk.ts';
import { createJobQueue } from './job-queue.ts';
import type { JobQueue } from './job-queue.ts';
import { createLimit } from './limit.ts';

export type { ConnectedJobs, Enqueued, JobApp, JobEngine, JobEnvelope, JobTransaction } from '../../runtime/host.ts';
export type { JobCount, JobRecord, JobState } from '../_jobs/job-record.ts';

/** Options of {@link createPostgresJobs}. */
export interface PostgresJobsOptions {
  /** Where the database is, such as `postgres://user:password@host/name`. Default: the variable `DATABASE_URL`. */
  connectionString?: string | undefined;
  /**
   * The schema of the tables, which are created if they do not exist. Two apps in one database need different schemas.
   * Default: the variable `APPKIT_JOBS_SCHEMA`, otherwise `appkit_jobs`.
   */
  schema?: string | undefined;
  /**
   * The app's folder, where `pg-boss` is installed if it is not next to this package. Default: the working directory.
   */
  app?: string | undefined;
  /**
   * The largest number of connections of this process, at least 4: two of them are reserved for running jobs. Default:
   * 10.
   */
  maxConnections?: number | undefined;
  /**
   * Whether this process runs jobs. Default: `true`. With `false`, it only stores jobs, and `appkit work` runs them.
   */
  work?: boolean | undefined;
}

/** Jobs in PostgreSQL. */
export interface PostgresJobs extends JobEngine {
  /** Connects, and creates the tables if they do not exist. Otherwise the first job does so. */
  ready(): Promise<void>;
  /** Whether the tables of jobs exist. Creates none: every other call creates them. */
  exists(): Promise<boolean>;
  /** The latest first. */
  list(options?: { state?: JobState | undefined; limit?: number | undefined }): Promise<JobRecord[]>;
  /** How many jobs of each name are in each state; combinations without jobs are left out. */
  count(): Promise<JobCount[]>;
  /** A job, as long as it is kept. */
  get(id: string): Promise<JobRecord | undefined>;
  /** Runs a dead or waiting job at once, with all its attempts. Resolves to whether there was such a job. */
  retry(id: string): Promise<boolean>;
  /** Deletes a job that is not running. Resolves to whether there was such a job. */
  discard(id: string): Promise<boolean>;
  /** Starts no further job, waits for the running ones, and closes the connections. */
  close(): Promise<void>;
}

interface Opened {
  boss: PgBoss;
  queue: JobQueue;
  desk: Desk;
}

/**
 * Stores jobs in PostgreSQL, and runs them in this process. Any number of machines may share the database. It needs the
 * package `pg-boss`.
 *
 * ```js
 * createRequestHandler({ build: 'dist/server', jobs: createPostgresJobs() });
 * ```
 *
 * @throws TypeError with code `ERR_OPTION_INVALID` for an invalid option. The connection is opened when it is first
 * needed: as long as PostgreSQL cannot be reached, `enqueue()` rejects, and jobs wait.
 */
export function createPostgresJobs(options: PostgresJobsOptions = {}): PostgresJobs {
  const {
    connectionString = process.env['DATABASE_URL'],
    schema = process.env['APPKIT_JOBS_SCHEMA'] ?? 'appkit_jobs',
    app = '.',
    maxConnections = 10,
    work = true,
  } = options;
  if (typeof connectionString !== 'string' || !/^postgres(ql)?:\/\//.test(connectionString)) {
    // Not the value that was given: it may contain a password.
    throw codedError(
      'ERR_OPTION_INVALID',
      'The option connectionString of createPostgresJobs() must begin with postgres:// or postgresql://. Give it, or set DATABASE_URL.',
    );
  }
  if (!/^[a-z_][a-z0-9_]{0,49}$/.test(schema)) {
    throw codedError(
      'ERR_OPTION_INVALID',
      `The option schema of createPostgresJobs(), or APPKIT_JOBS_SCHEMA, is ${JSON.stringify(schema)}. Give up to 50 small letters, digits and underscores.`,
    );
  }
  if (!Number.isSafeInteger(maxConnections) || maxConnections < 4) {
    throw codedError(
      'ERR_OPTION_INVALID',
      `The option maxConnections of createPostgresJobs() is ${String(maxConnections)}. Give a whole number of at least 4.`,
    );
  }
  const names = new Set<string>();
  // Storing a job whose key another transaction is storing waits for that transaction, and holds a connection
  // meanwhile.
  const storing = createLimit(maxConnections - 2);
  let opening: Promise<Opened> | undefined;
  const open = (): Promise<Opened> => {
    opening ??= start().catch((error: unknown) => {
      // The next caller tries again.
      opening = undefined;
      throw error;
    });
    return opening;
  };
  const settings = { connectionString, schema, max: maxConnections, supervise: work, app };
  const start = async (): Promise<Opened> => {
    const boss = await startBoss(settings);
    try {
      return { boss, queue: await createJobQueue(boss, schema, [...names]), desk: createDesk(boss, schema) };
    } catch (error) {
      await boss.stop({ graceful: false });
      throw error;
    }
  };
  const withQueue = async <Result>(use: (queue: JobQueue) => Promise<Result>): Promise<Result> =>
    use((await open()).queue);
  const withDesk = async <Result>(use: (desk: Desk) => Promise<Result>): Promise<Result> => use((await open()).desk);

  const engine = createJobEngine({
    enqueue(envelope, transaction) {
      const add = (): Promise<Enqueued> => withQueue((queue) => queue.add(envelope, transaction));
      return transaction === undefined ? storing(add) : add();
    },
    open(jobs) {
      for (const job of jobs) names.add(job);
      return {
        due: (some) => withQueue((queue) => queue.due(some)),
        async nextDue(some, now) {
          const left = await withQueue((queue) => queue.untilNext(some));
          return left === undefined ? undefined : now + left;
        },
        claim: (job, how) => withQueue((queue) => queue.claim(job, how)),
        finish: (claimed, outcome) => withQueue((queue) => queue.finish(claimed, outcome)),
        keep: (claimed) => withQueue((queue) => queue.keep(claimed)),
        beginSchedule: (job, rule, now) => withQueue((queue) => queue.beginSchedule(job, rule, now)),
        passTime: (passed, run) => withQueue((queue) => queue.passTime(passed, run)),
        excuse: (claimed) => withQueue((queue) => queue.excuse(claimed)),
      };
    },
    work,
    async close() {
      const opened = await opening?.catch(() => undefined);
      opening = undefined;
      await opened?.boss.stop({ graceful: false });
    },
  });
  return {
    needs: work ? ['process'] : [],
    connect: engine.connect,
    ready: async () => void (await open()),
    exists: () => hasTables(settings),
    list: ({ state, limit = 100 } = {}) => withDesk((desk) => desk.list({ state, limit })),
    count: () => withDesk((desk) => desk.count()),
    get: (id) => withDesk((desk) => desk.get(id)),
    async retry(id) {
      const isThere = await withDesk((desk) => desk.retry(id));
      engine.wake();
      return isThere;
    },
    discard: (id) => withDesk((desk) => desk.discard(id)),
    close: engine.drain,
  };
}
