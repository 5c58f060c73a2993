import pg from 'pg';
import { afterAll, afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { defineJob, enqueue } from '../../runtime/jobs.ts';
import type { JobRun, JobSchedule } from '../../runtime/jobs.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createSqliteJobs } from '../_jobs/index.ts';
import { createPostgresJobs } from '../_postgres/index.ts';
import type { PostgresJobs } from '../_postgres/index.ts';
import { findPostgres, HOW_TO_INSTALL, startPostgres } from '../_postgres/postgres-server.cases.ts';
import type { PostgresServer } from '../_postgres/postgres-server.cases.ts';
import { createRequestHandler } from './index.ts';

const programs = findPostgres();
if (!programs) console.warn(`${HOW_TO_INSTALL} Without it, its tests are skipped.`);

let server: PostgresServer;
let engines: PostgresJobs[] = [];

beforeAll(async () => {
  if (programs) server = await startPostgres(programs);
});

afterAll(() => server?.stop());

afterEach(async () => {
  await Promise.all(engines.map((jobs) => jobs.close()));
  engines = [];
});

/** An app with a job and a route that enqueues it. Each process has its own. */
function createApp(run: (input: unknown, run: JobRun) => void, schedule?: JobSchedule): ServerBuild {
  const job = defineJob({ run, ...(schedule ? { schedule } : {}) });
  // As the export does.
  Object.assign(job['~job'], { name: 'mail' });
  const POST = async (request: Request): Promise<Response> =>
    Response.json(await enqueue(job, await request.json(), { key: 'order-7' }), { status: 202 });
  return {
    manifest: {
      version: 6,
      routes: [{ pattern: '/orders', file: 'orders.js', methods: ['POST'] }],
      jobs: [{ name: 'mail', file: 'mail.js', ...(schedule ? { schedule: 'unknown' as const } : {}) }],
    },
    modules: { 'orders.js': () => ({ POST }), 'mail.js': () => ({ default: job }) },
  };
}

function open(work: boolean): PostgresJobs {
  const jobs = createPostgresJobs({ connectionString: server.url, work });
  engines.push(jobs);
  return jobs;
}

function order(): Request {
  return new Request('https://shop.example/orders', { method: 'POST', body: JSON.stringify({ to: 'a@b.example' }) });
}

describe.runIf(programs)('a job that a function stores', () => {
  it('runs elsewhere, never in the function, and is one for each key', async () => {
    const inFunction = vi.fn();
    const elsewhere = vi.fn();
    const jobs = open(false);
    const handler = createRequestHandler({ build: createApp(inFunction), jobs });
    const response = await handler(order());
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    expect(await jobs.get(id)).toMatchObject({ job: 'mail', state: 'waiting', attempt: 0 });
    expect(await (await handler(order())).json()).toEqual({ id, duplicate: true });

    open(true).connect({ build: createApp(elsewhere) });
    await vi.waitFor(() => expect(elsewhere).toHaveBeenCalledTimes(1), { timeout: 60_000 });
    expect(elsewhere.mock.calls[0]).toMatchObject([{ to: 'a@b.example' }, { id, attempt: 1, key: 'order-7' }]);
    await vi.waitFor(async () => expect(await jobs.get(id)).toMatchObject({ state: 'done' }), { timeout: 60_000 });
    expect(inFunction).not.toHaveBeenCalled();
  });

  it('may have a schedule, which the process that runs jobs follows', async () => {
    const schedule = { cron: '0 0 1 1 *', missed: 'once' } as const;
    const inFunction = vi.fn();
    const elsewhere = vi.fn();
    const handler = createRequestHandler({ build: createApp(inFunction, schedule), jobs: open(false) });
    const worker = createPostgresJobs({ connectionString: server.url });
    worker.connect({ build: createApp(elsewhere, schedule) });
    const client = new pg.Client(server.url);
    await client.connect();
    // For two years, as if no process had run jobs meanwhile.
    await vi.waitFor(
      async () => {
        const { rowCount } = await client.query(`UPDATE appkit_jobs.appkit_schedule SET at = at - 63072e6`);
        expect(rowCount).toBe(1);
      },
      { timeout: 60_000 },
    );
    await client.end();
    await worker.close();
    expect((await handler(order())).status).toBe(202);
    const scheduled = async (): Promise<object[]> =>
      (await open(false).list()).filter(({ scheduledAt }) => scheduledAt !== undefined);
    expect(await scheduled()).toEqual([]);

    open(true).connect({ build: createApp(elsewhere, schedule) });
    const thisYear = new Date(Date.UTC(new Date().getUTCFullYear(), 0, 1));
    await vi.waitFor(
      () => expect(elsewhere).toHaveBeenCalledWith(undefined, expect.objectContaining({ scheduledAt: thisYear })),
      { timeout: 60_000 },
    );
    await vi.waitFor(async () => expect(await scheduled()).toMatchObject([{ state: 'done' }]), { timeout: 60_000 });
    expect(inFunction).not.toHaveBeenCalled();
  });
});

it('an engine that would run jobs in a function is refused, and so is one with a file', () => {
  const build = createApp(() => {});
  const refusal = (text: string): object => ({ code: 'ERR_OPTION_INVALID', message: expect.stringContaining(text) });
  const working = createPostgresJobs({ connectionString: 'postgres://nobody@localhost/none' });
  expect(() => createRequestHandler({ build, jobs: working })).toThrow(
    expect.objectContaining(refusal('runs jobs in this process: Netlify stops a process when it has answered.')),
  );
  const inFile = createSqliteJobs({ file: 'never-made.sqlite', work: false });
  expect(() => createRequestHandler({ build, jobs: inFile })).toThrow(
    expect.objectContaining(refusal('stores jobs in a file, which is lost there')),
  );
});
