import { codedError } from '../http/coded-error.ts';
import { currentContext } from '../request/context.ts';
import { checkInput } from './check-input.ts';
import { assertKeys, isJob } from './definition.ts';
import type { Job } from './definition.ts';
import type { Enqueued, JobEnvelope, JobTransaction } from './engine.ts';
import { toJsonInput } from './json-input.ts';
import { jobTracing } from './trace.ts';

/** Options of {@link enqueue}. */
export interface EnqueueOptions {
  /**
   * Only the first of several calls with the same key for one job stores it. This applies while the job is kept: until
   * seven days after it is done, or until it is discarded if it is dead. 1 to 200 characters. Default: none.
   */
  key?: string | undefined;
  /** The minimum time before it runs, in milliseconds: at most a year. Default: 0. */
  delayMs?: number | undefined;
  /**
   * Stores the job in this transaction: it exists once that is committed, and never if it is rolled back. For jobs in PostgreSQL. Default: it is
   * stored at once.
   */
  transaction?: JobTransaction | undefined;
}

const YEAR_MS = 365 * 86_400_000;

/**
 * Stores a job, which then runs at least once, even if the process ends meanwhile. Call it in a route, a loader, an
 * action, middleware or another job.
 *
 * @param job – the default export of a `+job` file.
 * @param input – a JSON value that the schema of the job accepts, of at most 100,000 bytes.
 * @returns a promise that resolves once the engine has stored it.
 * @throws Error outside a request and a job; TypeError with code `ERR_JOB_INPUT` for an input that cannot be stored or that the schema does not
 * accept, `ERR_JOB_INVALID` for a value that is not a job and for invalid options, `ERR_JOBS_UNAVAILABLE` where no
 * engine stores jobs.
 */
export async function enqueue<Argument>(
  job: Job<Argument>,
  ...[input, options = {}]: unknown extends Argument
    ? [input?: Argument, options?: EnqueueOptions]
    : [input: Argument, options?: EnqueueOptions]
): Promise<Enqueued> {
  const context = currentContext('enqueue()');
  const { name, input: schema } = settingsOf(job);
  const { key, delayMs = 0, transaction } = checkOptions(options);
  const stored = toJsonInput(name, input);
  // A schema may change its argument, so it gets a copy.
  const checked = await checkInput(schema, structuredClone(stored));
  if ('problem' in checked) {
    throw codedError('ERR_JOB_INPUT', `The job ${name} does not accept this input. ${checked.problem}`);
  }
  const trace = jobTracing()?.inject();
  const envelope: JobEnvelope = {
    v: 1,
    id: crypto.randomUUID(),
    job: name,
    ...(key === undefined ? {} : { key }),
    ...(stored === undefined ? {} : { input: stored }),
    runAt: Date.now() + delayMs,
    attempt: 0,
    ...(trace ? { trace } : {}),
  };
  const store = context.enqueue;
  if (!store) throw unavailable(name, context.hostName);
  return store(envelope, transaction);
}

function unavailable(name: string, host = 'A host'): Error {
  return codedError(
    'ERR_JOBS_UNAVAILABLE',
    `The job ${name} cannot be stored: ${host} runs this app without an engine for jobs. On Node, Express, Bun and Deno, give ` +
      'createRequestHandler the option jobs: createSqliteJobs() of appkit-server/jobs/sqlite, or createPostgresJobs() of appkit-server/jobs/postgres. On Cloudflare, createCloudflareJobs() ' +
      'of appkit-server/jobs/cloudflare; on AWS Lambda, createSqsJobs() of appkit-server/jobs/aws; on Vercel, createVercelJobs() of appkit-server/jobs/vercel; on Netlify and Google Cloud, ' +
      'createPostgresJobs({ work: false }), and `appkit work` elsewhere. Other hosts have none yet.',
  );
}

function settingsOf(job: unknown): Job['~job'] & { name: string } {
  if (!isJob(job)) {
    throw codedError(
      'ERR_JOB_INVALID',
      `enqueue() was given a value of type ${typeof job} as its job. Give it the default export of a +job file, which defineJob() has made.`,
    );
  }
  const settings = job['~job'];
  if (settings.name === undefined) {
    throw codedError(
      'ERR_JOB_INVALID',
      'enqueue() was given a job without a name. Make it the default export of a file such as app/mail+job.ts: the export names it.',
    );
  }
  return settings as Job['~job'] & { name: string };
}

/** A database would store all lone surrogates as the same character. */
function isWellFormed(text: string): boolean {
  return !/\p{Surrogate}/u.test(text);
}

function checkOptions(options: EnqueueOptions): EnqueueOptions {
  assertKeys('enqueue()', options, ['key', 'delayMs', 'transaction']);
  const { key, delayMs = 0, transaction } = options;
  if (key !== undefined && (typeof key !== 'string' || key.length === 0 || key.length > 200 || !isWellFormed(key))) {
    throw codedError(
      'ERR_JOB_INVALID',
      'The option key of enqueue() must be a text of 1 to 200 characters, without halves of characters.',
    );
  }
  if (typeof delayMs !== 'number' || !(delayMs >= 0 && delayMs <= YEAR_MS)) {
    throw codedError(
      'ERR_JOB_INVALID',
      `The option delayMs of enqueue() is ${String(delayMs)}. Give milliseconds from 0 to ${YEAR_MS}, a year.`,
    );
  }
  if (transaction !== undefined && !isTransaction(transaction)) {
    throw codedError(
      'ERR_JOB_INVALID',
      'The option transaction of enqueue() must be a client of node-postgres, or an object with executeSql(text, values).',
    );
  }
  if (isPool(transaction)) {
    throw codedError(
      'ERR_JOB_INVALID',
      'The option transaction of enqueue() is a pool, whose statements are no transaction. Give the client that began it, which await pool.connect() gives.',
    );
  }
  return options;
}

/** A pool of node-postgres has `query` like its clients, but also counts of them. */
function isPool(value: unknown): boolean {
  return typeof (value as { totalCount?: unknown } | undefined)?.totalCount === 'number';
}

function isTransaction(value: unknown): boolean {
  const { query, executeSql } = (value ?? {}) as Record<string, unknown>;
  return typeof query === 'function' || typeof executeSql === 'function';
}
