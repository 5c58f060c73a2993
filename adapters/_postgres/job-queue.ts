import { codedError } from '../../runtime/host.ts';
import type { Enqueued, JobEnvelope, JobOutcome, JobTransaction } from '../../runtime/host.ts';
import type { ClaimedJob, ClaimOptions } from '../_jobs/claim.ts';
import type { PassedTime } from '../_jobs/scheduler.ts';
import { WRONG_CLOCK_MS } from '../_jobs/scheduler.ts';
import type { BossDatabase, PgBoss } from './boss.ts';
import { inBatches } from './in-batches.ts';
import { toEnvelope } from './job-row.ts';
import type { JobData } from './job-row.ts';
import { toJobName, toKeyId, toQueueName } from './names.ts';

/** How long a job is kept after it is done, in seconds: its key is taken for that long. */
export const KEPT_SECONDS: number = 7 * 86_400;
/**
 * How long a process may be silent before its jobs are given to others, in seconds. The minimum of pg-boss is 10; a job
 * that computes sends no heartbeat.
 */
const HEARTBEAT_SECONDS = 30;

const QUEUE = {
  heartbeatSeconds: HEARTBEAT_SECONDS,
  // The longest possible. The job's own time-out ends an attempt, and the heartbeat ends the attempt of a process that
  // has ended.
  expireInSeconds: 86_400,
  deleteAfterSeconds: KEPT_SECONDS,
  // A job waits until it is run: fifty years.
  retentionSeconds: 50 * 365 * 86_400,
  // The runtime counts the attempts, and decides when a job is dead: the limit comes from the release that runs the
  // job.
  retryLimit: 1_000_000,
};

/** pg-boss has an index on its groups: with it, running jobs are found without looking at finished ones. */
const GROUP = 'appkit';

/** Jobs in the queues of pg-boss, for storing and for running them. */
export interface JobQueue {
  add(envelope: JobEnvelope, transaction: JobTransaction | undefined): Promise<Enqueued>;
  due(jobs: readonly string[]): Promise<string[]>;
  /** The time until the next job is due, in milliseconds, if that is within the next second. */
  untilNext(jobs: readonly string[]): Promise<number | undefined>;
  claim(job: string, options: ClaimOptions): Promise<ClaimedJob[]>;
  finish(claimed: ClaimedJob, outcome: JobOutcome): Promise<boolean>;
  keep(claimed: readonly ClaimedJob[]): Promise<void>;
  excuse(claimed: readonly ClaimedJob[]): Promise<void>;
  beginSchedule(job: string, rule: string | undefined, now: number): Promise<number>;
  passTime(passed: PassedTime, run: JobEnvelope | undefined): Promise<void>;
}

/** Creates the queues of some jobs, if they do not exist. */
export async function createJobQueue(boss: PgBoss, schema: string, jobs: readonly string[]): Promise<JobQueue> {
  const database = boss.getDb();
  const there = new Set((await boss.getQueues()).map(({ name }) => name));
  const ensure = async (queue: string): Promise<void> => {
    if (there.has(queue)) return;
    await boss.createQueue(queue, QUEUE);
    there.add(queue);
  };
  for (const job of jobs) await ensure(toQueueName(job));
  const table = `${schema}.job`;
  const schedules = await makeSchedules(database, schema);
  const now = `${schema}.job_now()`;
  const isLost = `heartbeat_on + heartbeat_seconds * interval '1s' < ${now}`;
  const isTaken = "state = 'active' AND retry_count = $3 AND name = $1 AND id = $2";
  const ask = async <Row>(text: string, values: unknown[]): Promise<Row[]> =>
    (await database.executeSql(text, values)).rows as Row[];
  const change = async ({ job, id, claim }: ClaimedJob, set: string, values: unknown[]): Promise<boolean> => {
    const text = `UPDATE ${table} SET ${set} WHERE ${isTaken} RETURNING id`;
    return (await ask(text, [toQueueName(job), id, claim, ...values])).length === 1;
  };
  const excuses = new WeakMap<ClaimedJob, Promise<boolean>>();
  /** Jobs that have ended by themselves: their end is being stored, on another connection than an excuse would be. */
  const ended = new WeakSet<ClaimedJob>();
  /** A job that was excused but has ended by itself after all counts. */
  const countAgain = async (claimed: ClaimedJob): Promise<void> => {
    const isExcused = await excuses.get(claimed)?.catch(() => false); // it has been reported
    if (isExcused) await change(claimed, `data = ${uncounted('$4')}`, [withoutThis(claimed) - 1]);
  };
  const completers = new Map<string, (claimed: ClaimedJob) => Promise<string[]>>();
  const completerOf = (job: string): ((claimed: ClaimedJob) => Promise<string[]>) => {
    const complete = completers.get(job) ?? inBatches((ended: ClaimedJob[]) => completeAll(boss, job, ended));
    completers.set(job, complete);
    return complete;
  };

  const queue: JobQueue = {
    async add(envelope, transaction) {
      const { job, key, runAt } = envelope;
      const name = toQueueName(job);
      await ensure(name);
      const id = key === undefined ? envelope.id : toKeyId(job, key);
      const data: JobData = { v: 1, envelope: JSON.stringify({ ...envelope, id }), uncounted: 0 };
      // By the clock of PostgreSQL, which decides when the time is over.
      const delay = Math.ceil(Math.max(0, runAt - Date.now())) / 1000;
      const callers = transaction && onlyInQueues(toDatabase(transaction));
      const send = (): Promise<string | null> =>
        boss.send(name, data, {
          id,
          group: { id: GROUP },
          ...(delay > 0 ? { startAfter: delay } : {}),
          ...(callers ? { db: callers } : {}),
        });
      const store = async (): Promise<Enqueued | undefined> => {
        const sent = await send().catch((error: unknown) => {
          if (isQueueMissing(error)) return undefined;
          throw error;
        });
        if (sent === undefined) return undefined;
        if (sent !== null) return { id, duplicate: false };
        // Either its id is taken, or the statement saw no queue of that name.
        const text = `SELECT id FROM ${table} WHERE name = $1 AND id = $2`;
        const { rows } = await (callers ?? database).executeSql(text, [name, id]);
        return rows.length > 0 ? { id, duplicate: true } : undefined;
      };
      const stored = await store();
      if (stored) return stored;
      there.delete(name);
      if (callers) {
        throw codedError(
          'ERR_JOB_INVALID',
          `The job ${job} is not stored: in this transaction there is no queue for it. Either the transaction is in another database than the jobs, or it began before the queue was made. Begin it again.`,
        );
      }
      await ensure(name);
      const storedNow = await store();
      if (storedNow) return storedNow;
      throw codedError('ERR_JOBS_UNAVAILABLE', `The job ${job} is not stored: its queue is removed again and again.`);
    },
    async due(jobs) {
      const rows = await ask<{ queue: string }>(
        `SELECT queue FROM unnest($1::text[]) AS queue
         WHERE EXISTS (SELECT FROM ${table} WHERE name = queue AND state < 'active' AND NOT blocked AND start_after <= ${now})
         OR EXISTS (SELECT FROM ${table} WHERE name = queue AND group_id = '${GROUP}' AND state = 'active' AND ${isLost})`,
        [jobs.map(toQueueName)],
      );
      return rows.map(({ queue }) => toJobName(queue));
    },
    async untilNext(jobs) {
      const [row] = await ask<{ ms: number | null }>(
        `SELECT (EXTRACT(EPOCH FROM min(start_after) - ${now}) * 1000)::float8 AS ms FROM ${table}
         WHERE name = ANY($1) AND state < 'active' AND NOT blocked
         AND start_after > ${now} AND start_after <= ${now} + interval '1s'`,
        [jobs.map(toQueueName)],
      );
      return row?.ms ?? undefined;
    },
    async claim(job, { concurrency, except = [] }) {
      const name = toQueueName(job);
      const ofJob = `name = '${name}' AND group_id = '${GROUP}' AND state = 'active'`;
      const room = `greatest(0, ${concurrency} - (SELECT count(*) FROM ${table} WHERE ${ofJob}))`;
      // One message is one transaction. Names and ids contain no quotes.
      const alone = async (fetch: string): Promise<{ rows: unknown[] }> => {
        if (!fetch.includes(`LIMIT ${concurrency}\n`))
          throw new Error('This version of pg-boss takes jobs in a different way.');
        const results: unknown = await database.executeSql(`
          SELECT pg_advisory_xact_lock(hashtextextended('${schema}.${name}', 0));
          UPDATE ${table} SET state = 'retry', start_after = ${now}, output = '{ "error": "${LOST}" }'
          WHERE ${ofJob} AND ${isLost} AND id <> ALL('{${except.join()}}'::uuid[]);
          ${fetch.replace(`LIMIT ${concurrency}\n`, `LIMIT ${room}\n`)};
        `);
        return (results as { rows: unknown[] }[]).at(-1) ?? { rows: [] }; // one for each statement
      };
      // Until this transaction ends, no other process takes runs of this job: two that count at the same time would
      // both find room.
      const taken = await boss.fetch<JobData>(name, { batchSize: concurrency, db: { executeSql: alone } });
      return taken.map(({ data, retryCount }) => ({ ...toEnvelope(data, retryCount + 1), claim: retryCount }));
    },
    async finish(claimed, outcome) {
      if (outcome.kind !== 'released') {
        ended.add(claimed);
        await countAgain(claimed);
      }
      switch (outcome.kind) {
        case 'done': {
          const settled = await completerOf(claimed.job)(claimed);
          return settled.includes(claimed.id);
        }
        case 'dead':
          // pg-boss would copy it to a dead-letter queue under another id. Here it keeps its id and its key, until it
          // is discarded.
          return change(claimed, `state = 'failed', completed_on = ${now}, deletion_seconds = 0, output = $4`, [
            toOutput(outcome.error),
          ]);
        case 'retry':
          return change(claimed, `state = 'retry', start_after = ${now} + $5 * interval '1ms', output = $4`, [
            toOutput(outcome.error),
            outcome.afterMs,
          ]);
        case 'released': {
          const { afterMs = 0, error } = outcome;
          // Already excused, if the process has been told to stop.
          const set = `state = 'retry', start_after = ${now} + $5 * interval '1ms', output = $4, data = ${uncounted('$6')}`;
          return change(claimed, set, [error === undefined ? null : toOutput(error), afterMs, withoutThis(claimed)]);
        }
      }
    },
    async keep(claimed) {
      for (const job of new Set(claimed.map((taken) => taken.job))) {
        const ofJob = claimed.filter((taken) => taken.job === job);
        await boss.touch(
          toQueueName(job),
          ofJob.map(({ id, claim }) => ({ id, retryCount: claim })),
        );
      }
    },
    async excuse(claimed) {
      for (const taken of claimed) {
        if (ended.has(taken)) continue;
        const excuse = change(taken, `data = ${uncounted('$4')}`, [withoutThis(taken)]);
        excuses.set(taken, excuse);
        await excuse;
      }
    },
    async beginSchedule(job, rule, at) {
      if (rule === undefined) {
        await ask(`DELETE FROM ${schedules} WHERE job = $1`, [job]);
        return at;
      }
      const text = `INSERT INTO ${schedules} AS present (job, rule, at) VALUES ($1, $2, $3::float8) ON CONFLICT (job) DO UPDATE SET
        at = CASE WHEN present.rule <> excluded.rule OR present.at > excluded.at + ${WRONG_CLOCK_MS} THEN excluded.at ELSE present.at END,
        rule = excluded.rule RETURNING at`;
      const [row] = await ask<{ at: number }>(text, [job, rule, at]);
      return row?.at ?? at;
    },
    async passTime({ job, rule, at }, run) {
      const text = `SELECT FROM ${schedules} WHERE job = $1 AND rule = $2 AND at >= $3::float8`;
      if ((await ask(text, [job, rule, at])).length > 0) return;
      // If another process does the same now, or this one ends in between, the id of the run refuses the second.
      if (run) await queue.add(run, undefined);
      await ask(`UPDATE ${schedules} SET at = $3::float8 WHERE job = $1 AND rule = $2 AND at < $3::float8`, [
        job,
        rule,
        at,
      ]);
    },
  };
  return queue;
}

/**
 * Creates the table of schedules if it does not exist. It is not that of pg-boss, whose own clock would run its
 * contents. Returns its name.
 */
async function makeSchedules(database: BossDatabase, schema: string): Promise<string> {
  const table = `${schema}.appkit_schedule`;
  const { rows } = await database.executeSql('SELECT to_regclass($1) AS found', [table]);
  if ((rows[0] as { found: unknown }).found !== null) return table;
  // Two processes that create it at the same time would make each other fail.
  await database.executeSql(`
    SELECT pg_advisory_xact_lock(hashtextextended('${table}', 0));
    CREATE TABLE IF NOT EXISTS ${table} (job text PRIMARY KEY, rule text NOT NULL, at float8 NOT NULL);
  `);
  return table;
}

/** Marks some runs of a job as done. Returns those that no other process has taken since. */
async function completeAll(boss: PgBoss, job: string, ended: readonly ClaimedJob[]): Promise<string[]> {
  const attempts = ended.map(({ id, claim }) => ({ id, retryCount: claim }));
  const { settled = [] } = (await boss.complete(toQueueName(job), attempts)) as { settled?: string[] }; // which its types leave out
  return settled;
}

/** How many of the times that a job was taken do not count as attempts, if this time does not either. */
function withoutThis({ claim, attempt }: ClaimedJob): number {
  return claim + 2 - attempt;
}

function uncounted(value: string): string {
  return `jsonb_set(data, '{uncounted}', to_jsonb(${value}::int))`;
}

/** pg-boss has no class for this error, and gives it a code only sometimes. */
function isQueueMissing(error: unknown): boolean {
  return error instanceof Error && /^Queue \S+ does not exist$/.test(error.message);
}

const LOST = 'The process that ran it has ended, or was too busy to keep it.';

/** PostgreSQL refuses U+0000 and lone surrogates in JSON. */
function toOutput(error: string): string {
  return JSON.stringify({ error: error.replace(/[\0\p{Surrogate}]/gu, '\ufffd') });
}

function toDatabase(transaction: JobTransaction): BossDatabase {
  if ('executeSql' in transaction) return { executeSql: (text, values) => transaction.executeSql(text, values) };
  return { executeSql: (text, values) => transaction.query(text, values) };
}

/**
 * Since 12.38, pg-boss stores a job in a transaction that sees no queue for it, without the settings of the queue. Only
 * its COMMIT fails, and says nothing about jobs.
 */
function onlyInQueues(transaction: BossDatabase): BossDatabase {
  return { executeSql: (text, values) => transaction.executeSql(text.replace(' LEFT JOIN ', ' JOIN '), values) };
}
