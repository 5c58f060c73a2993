import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { JobRunner } from '../../runtime/host.ts';
import { createJobRunner } from '../../runtime/host.ts';
import { defineJob } from '../../runtime/jobs.ts';
import type { JobSchedule } from '../../runtime/jobs.ts';
import { createScheduler } from '../_jobs/scheduler.ts';
import { startBoss } from './boss.ts';
import type { PgBoss } from './boss.ts';
import { createDesk } from './desk.ts';
import { createJobQueue } from './job-queue.ts';
import type { JobQueue } from './job-queue.ts';
import { findPostgres, startPostgres } from './postgres-server.cases.ts';
import type { PostgresServer } from './postgres-server.cases.ts';

const programs = findPostgres();
const SCHEMA = 'appkit_jobs';

let server: PostgresServer;
let client: pg.Client;
let bosses: PgBoss[];
let now: number;
let job: string;
let jobCount = 0;

beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
});

afterAll(() => server?.stop());

beforeEach(async () => {
  if (!programs) return;
  bosses = [];
  now = Date.parse('2026-11-23T07:00:00Z');
  job = `report-${jobCount++}`;
  client = new pg.Client(server.url);
  await client.connect();
});

afterEach(async () => {
  if (!programs) return;
  await Promise.all(bosses.map((boss) => boss.stop({ graceful: false })));
  await client.end();
});

async function connect(count: number): Promise<JobQueue[]> {
  const started = Array.from({ length: count }, () =>
    startBoss({ connectionString: server.url, schema: SCHEMA, max: 2, supervise: false, app: '.' }),
  );
  bosses.push(...(await Promise.all(started)));
  return Promise.all(bosses.slice(-count).map((boss) => createJobQueue(boss, SCHEMA, [job])));
}

function createRunner(schedule?: JobSchedule): JobRunner {
  const defined = defineJob({ ...(schedule ? { schedule } : {}), run: () => {} });
  const manifest = { version: 6, routes: [], jobs: [{ name: job, file: 'report.js', schedule: 'unknown' as const }] };
  const app = { build: { manifest, modules: { 'report.js': () => ({ default: defined }) } } };
  const enqueue = async ({ id }: { id: string }) => ({ id, duplicate: false });
  return createJobRunner(app, { enqueue, waitUntil: () => {} });
}

/**
 * A process that stores the runs of a schedule. Resolves once the process knows the next time. Returns the function
 * that stores the runs.
 */
async function start(queue: JobQueue, schedule?: JobSchedule): Promise<() => Promise<void>> {
  const runner = createRunner(schedule);
  const wake = vi.fn();
  const scheduler = createScheduler(queue, () => now, wake);
  await scheduler.look(runner);
  await vi.waitFor(() => expect(wake).toHaveBeenCalled());
  await scheduler.look(runner);
  return () => scheduler.look(runner);
}

async function stored(): Promise<string[]> {
  const [boss] = bosses;
  if (!boss) throw new Error('It is connected.');
  const all = await createDesk(boss, SCHEMA).list({ state: undefined, limit: 100 });
  return all.filter((record) => record.job === job).map(({ scheduledAt }) => scheduledAt?.toISOString() ?? 'none');
}

describe.runIf(programs)('schedules in PostgreSQL', () => {
  it('create one table, even at the same time', async () => {
    await client.query(`DROP TABLE IF EXISTS ${SCHEMA}.appkit_schedule`);
    const queues = await connect(4);
    expect(await Promise.all(queues.map((queue) => queue.beginSchedule(job, 'rule', 5)))).toEqual([5, 5, 5, 5]);
  });

  it('store one run per time, even with two engines at the same time', async () => {
    const [first, second] = await connect(2);
    if (!first || !second) throw new Error('There are two.');
    const looks = [await start(first, { cron: '0 8 * * *' }), await start(second, { cron: '0 8 * * *' })];
    now = Date.parse('2026-11-23T08:00:00.100Z');
    // Both have seen that the run is not stored, and are released at the same time.
    await client.query('BEGIN');
    await client.query(`LOCK TABLE ${SCHEMA}.job IN EXCLUSIVE MODE`);
    const looking = looks.map((look) => look());
    await vi.waitFor(async () => {
      await client.query('SELECT pg_stat_clear_snapshot()');
      const { rows } = await client.query("SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock'");
      expect(rows).toHaveLength(2);
    });
    await client.query('COMMIT');
    await Promise.all(looking);
    expect(await stored()).toEqual(['2026-11-23T08:00:00.000Z']);
    now = Date.parse('2026-11-24T08:00:00Z');
    for (const look of looks) await look();
    expect(await stored()).toEqual(['2026-11-24T08:00:00.000Z', '2026-11-23T08:00:00.000Z']);
  });

  it('store no second run after the first was discarded or cleaned up', async () => {
    const [first, second] = await connect(2);
    if (!first || !second) throw new Error('There are two.');
    const look = await start(first, { cron: '0 8 * * *', missed: 'once' });
    const late = await start(second, { cron: '0 8 * * *', missed: 'once' });
    now = Date.parse('2026-11-23T08:00:00Z');
    await look();
    await client.query(`DELETE FROM ${SCHEMA}.job WHERE name = $1`, [job]);
    await late();
    expect(await stored()).toEqual([]);
  });

  it('skip missed runs, or make up one', async () => {
    const [queue] = await connect(1);
    if (!queue) throw new Error('There is one.');
    await start(queue, { cron: '0 8 * * *' });
    now = Date.parse('2026-11-26T09:00:00Z');
    await (
      await start(queue, { cron: '0 8 * * *' })
    )();
    expect(await stored()).toEqual([]);
    now = Date.parse('2026-11-29T09:00:00Z');
    await start(queue, { cron: '0 8 * * *', missed: 'once' });
    expect(await stored()).toEqual(['2026-11-29T08:00:00.000Z']);
    await start(queue, { cron: '0 8 * * *', missed: 'once' });
    expect(await stored()).toHaveLength(1);
  });

  it('start over when they have changed, were removed, or a clock was wrong', async () => {
    const [queue] = await connect(1);
    if (!queue) throw new Error('There is one.');
    await start(queue, { cron: '0 8 * * *', missed: 'once' });
    now = Date.parse('2026-11-26T09:00:00Z');
    await start(queue, { cron: '30 8 * * *', missed: 'once' });
    now = Date.parse('2026-11-26T10:00:00Z');
    await start(queue);
    now = Date.parse('2026-11-28T10:00:00Z');
    await start(queue, { cron: '30 8 * * *', missed: 'once' });
    expect(await stored()).toEqual([]);
    now = Date.parse('2026-11-26T08:00:00Z');
    const look = await start(queue, { cron: '30 8 * * *', missed: 'once' });
    now = Date.parse('2026-11-26T08:30:00Z');
    await look();
    expect(await stored()).toEqual(['2026-11-26T08:30:00.000Z']);
  });
});
