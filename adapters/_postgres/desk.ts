import type { JobCount, JobRecord, JobState } from '../_jobs/job-record.ts';
import type { PgBoss } from './boss.ts';
import { KEPT_SECONDS } from './job-queue.ts';
import { COLUMNS, STATES, toRecord, toState } from './job-row.ts';
import type { JobRow } from './job-row.ts';
import { toJobName } from './names.ts';

/** The operations for looking after jobs. */
export interface Desk {
  /** The latest first. */
  list(options: { state: JobState | undefined; limit: number }): Promise<JobRecord[]>;
  count(): Promise<JobCount[]>;
  get(id: string): Promise<JobRecord | undefined>;
  /** Runs a dead or waiting job now, with all its attempts. */
  retry(id: string): Promise<boolean>;
  /** Deletes a job that is not running. */
  discard(id: string): Promise<boolean>;
}

type CountRow = Pick<JobRow, 'name' | 'state'> & { count: number };

const UUID = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** Looks after the jobs in a schema of pg-boss. */
export function createDesk(boss: PgBoss, schema: string): Desk {
  const database = boss.getDb();
  const table = `${schema}.job`;
  const now = `${schema}.job_now()`;
  // The index begins with the name.
  const one = `name IN (SELECT name FROM ${schema}.queue) AND id = $1`;
  // A run whose lease is over was cut off, and its job may no longer be part of any build.
  const isIdle = `(state NOT IN ('active', 'completed') OR (state = 'active' AND heartbeat_on + heartbeat_seconds * interval '1s' < ${now}))`;
  const ask = async (text: string, values: unknown[]): Promise<JobRow[]> =>
    (await database.executeSql(text, values)).rows as JobRow[]; // by COLUMNS
  const changes = async (text: string, id: string): Promise<boolean> =>
    UUID.test(id) && (await ask(`${text} RETURNING id`, [id])).length === 1;
  return {
    async list({ state, limit }) {
      const where = state === undefined ? 'true' : `state = ANY('{${STATES[state].join()}}')`;
      const text = `SELECT ${COLUMNS} FROM ${table} WHERE ${where} ORDER BY created_on DESC LIMIT $1`;
      return (await ask(text, [limit])).map(toRecord);
    },
    async count() {
      const text = `SELECT name, state, count(*)::int AS count FROM ${table} GROUP BY name, state`;
      const counts = new Map<string, JobCount>();
      // Two states of pg-boss may be one state here.
      for (const { name, state, count } of (await database.executeSql(text)).rows as CountRow[]) {
        const counted = { job: toJobName(name), state: toState(state), count };
        const key = `${counted.state} ${name}`;
        counts.set(key, { ...counted, count: count + (counts.get(key)?.count ?? 0) });
      }
      return [...counts.values()];
    },
    async get(id) {
      if (!UUID.test(id)) return undefined;
      const [row] = await ask(`SELECT ${COLUMNS} FROM ${table} WHERE ${one}`, [id]);
      return row && toRecord(row);
    },
    retry(id) {
      // The count of pg-boss only grows, which distinguishes an earlier claim from a later one. What it has counted so
      // far is stored as uncounted.
      const claims = 'CASE WHEN started_on IS NULL THEN 0 ELSE retry_count + 1 END';
      const set = `state = CASE WHEN started_on IS NULL THEN 'created' ELSE 'retry' END::${schema}.job_state, start_after = ${now},
        completed_on = NULL, deletion_seconds = ${KEPT_SECONDS}, data = jsonb_set(data, '{uncounted}', to_jsonb(${claims}))`;
      return changes(`UPDATE ${table} SET ${set} WHERE ${one} AND ${isIdle}`, id);
    },
    discard: (id) => changes(`DELETE FROM ${table} WHERE ${one} AND (${isIdle} OR state = 'completed')`, id),
  };
}
