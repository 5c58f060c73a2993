/**
 * An engine for jobs on one machine: a database file, with the SQLite of Node 22.13 or later, Bun or Deno.
 *
 * @module
 */
import { codedError } from '../../runtime/host.ts';
import type { JobEngine } from '../../runtime/host.ts';
import { createJobEngine } from './job-engine.ts';
import type { JobCount, JobRecord, JobState } from './job-record.ts';
import { hasJobs, openJobStore } from './job-store.ts';
import type { JobStore } from './job-store.ts';

export type { ConnectedJobs, Enqueued, JobApp, JobEngine, JobEnvelope } from '../../runtime/host.ts';
export type { JobCount, JobRecord, JobState } from './job-record.ts';

/** Options of {@link createSqliteJobs}. */
export interface SqliteJobsOptions {
  /**
   * The database file. It is created if it does not exist. Default: the variable `APPKIT_JOBS`, otherwise
   * `.appkit/jobs.sqlite`.
   */
  file?: string | undefined;
  /**
   * Whether this process runs jobs. Default: `true`. With `false`, it only stores jobs, and `appkit work` runs them.
   */
  work?: boolean | undefined;
}

/** Jobs in a database file. */
export interface SqliteJobs extends JobEngine {
  /** Whether a file with the table of jobs exists. Creates none: every other call does. */
  exists(): boolean;
  /** The latest first. */
  list(options?: { state?: JobState | undefined; limit?: number | undefined }): JobRecord[];
  /** How many jobs of each name are in each state; combinations without jobs are left out. */
  count(): JobCount[];
  /** A job, as long as it is kept. */
  get(id: string): JobRecord | undefined;
  /** Runs a dead or waiting job at once, with all its attempts. Returns whether there was such a job. */
  retry(id: string): boolean;
  /** Deletes a job that is not running. Returns whether there was such a job. */
  discard(id: string): boolean;
  /** Starts no further job, waits for the running ones, and closes the file. */
  close(): Promise<void>;
}

/**
 * Stores jobs in a database file, and runs them in this process. Processes of one machine may share the file; it must
 * not be on a network drive.
 *
 * ```js
 * createRequestHandler({ build: 'dist/server', jobs: createSqliteJobs() });
 * ```
 *
 * @throws TypeError with code `ERR_OPTION_INVALID` for an invalid option. The file is opened when it is first needed:
 * if the platform has no SQLite, the adapter throws `ERR_JOBS_UNAVAILABLE`.
 */
export function createSqliteJobs(options: SqliteJobsOptions = {}): SqliteJobs {
  const { file = process.env['APPKIT_JOBS'] ?? '.appkit/jobs.sqlite', work = true } = options;
  if (typeof file !== 'string' || file === '') {
    throw codedError('ERR_OPTION_INVALID', 'The option file of createSqliteJobs() must be the path of a file.');
  }
  let store: JobStore | undefined;
  const open = (): JobStore => (store ??= openJobStore(file));
  const engine = createJobEngine({
    async enqueue(envelope, transaction) {
      if (transaction) throw noTransaction(envelope.job);
      return open().add(envelope, Date.now());
    },
    open,
    work,
  });
  return {
    needs: work ? ['process', 'disk'] : ['disk'],
    connect: engine.connect,
    exists: () => store !== undefined || hasJobs(file),
    list: ({ state, limit = 100 } = {}) => open().list({ state, limit }),
    count: () => open().count(),
    get: (id) => open().get(id),
    retry(id) {
      const isThere = open().retry(id, Date.now());
      engine.wake();
      return isThere;
    },
    discard: (id) => open().discard(id, Date.now()),
    async close() {
      await engine.drain();
      store?.close();
      store = undefined;
    },
  };
}

function noTransaction(job: string): Error {
  return codedError(
    'ERR_JOB_INVALID',
    `The job ${job} was enqueued with the option transaction, but it is stored in a file, which a database transaction cannot include. Leave the ` +
      'option out, or store jobs in PostgreSQL: createPostgresJobs() of appkit-server/jobs/postgres.',
  );
}
