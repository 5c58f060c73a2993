import { PgBoss } from 'pg-boss';
import { createPostgresJobs } from '../adapters/_postgres/index.ts';
import { findPostgres, HOW_TO_INSTALL, startPostgres } from '../adapters/_postgres/postgres-server.cases.ts';
import { defineJob } from '../runtime/jobs.ts';
import { atLeast, median, toTable } from './section.ts';
import type { Section } from './section.ts';

const COUNT = 2000;
const CONCURRENCY = 20;
const ROUNDS = 5;

/** How many jobs per second are stored and run. */
interface Rates {
  stored: number;
  run: number;
}

/** Jobs in PostgreSQL next to bare pg-boss, in the same database. */
export async function measureJobs(): Promise<Section> {
  const programs = findPostgres();
  if (programs === undefined) throw new Error(HOW_TO_INSTALL);
  const server = await startPostgres(programs);
  const rates: Record<'appkit' | 'pg-boss', Rates[]> = { appkit: [], 'pg-boss': [] };
  try {
    for (let round = 0; round <= ROUNDS; round++) {
      const [ours, theirs] = [await measureOurs(server.url), await measureTheirs(server.url)];
      // The first warms up.
      if (round === 0) continue;
      rates.appkit.push(ours);
      rates['pg-boss'].push(theirs);
    }
  } finally {
    await server.stop();
  }
  const middle = (whose: Rates[], what: keyof Rates): number => median(whose.map((each) => each[what]));
  const row = (what: keyof Rates): number[] => [middle(rates.appkit, what), middle(rates['pg-boss'], what)];
  const rows = (['stored', 'run'] as const).map((what) => [what, ...row(what).map((rate) => rate.toFixed(0))]);
  const goals = (['stored', 'run'] as const).map((what) => {
    const [our = 0, their = 1] = row(what);
    return atLeast(`jobs ${what} per second: of pg-boss`, our / their, 0.9);
  });
  const text = `${COUNT} jobs that do nothing are stored ${CONCURRENCY} at a time and then run ${CONCURRENCY} at a time, alternating, in one PostgreSQL without fsync.
Jobs per second, median of ${ROUNDS} rounds. pg-boss fetches ${CONCURRENCY} at once, and fetches again at once while there are that many.

${toTable(['', 'appkit', 'pg-boss'], rows)}`;
  return { title: 'Jobs', text, goals };
}

async function measureOurs(connectionString: string): Promise<Rates> {
  const ended = counter();
  const job = defineJob({ concurrency: CONCURRENCY, run: ended.count });
  const manifest = { version: 6, routes: [], jobs: [{ name: 'job', file: 'job.js' }] };
  const build = { manifest, modules: { 'job.js': () => ({ default: job }) } };
  const storing = createPostgresJobs({ connectionString, schema: 'ours', work: false });
  const { enqueue } = storing.connect({ build });
  await storing.ready();
  const stored = await rateOf(() =>
    inTurns(() => enqueue({ v: 1, id: crypto.randomUUID(), job: 'job', input: { a: 1 }, runAt: 0, attempt: 0 })),
  );
  await storing.close();
  const running = createPostgresJobs({ connectionString, schema: 'ours' });
  await running.ready();
  const run = await rateOf(async () => {
    running.connect({ build });
    await ended.all;
  });
  await running.close();
  return { stored, run };
}

async function measureTheirs(connectionString: string): Promise<Rates> {
  const ended = counter();
  const boss = await new PgBoss({ connectionString, schema: 'theirs', schedule: false }).start();
  await boss.createQueue('job');
  const stored = await rateOf(() => inTurns(() => boss.send('job', { a: 1 })));
  const run = await rateOf(async () => {
    const options = { batchSize: CONCURRENCY, burstWhenBatchFull: true, pollingIntervalSeconds: 0.5 };
    await boss.work('job', options, async (jobs) => void jobs.forEach(ended.count));
    await ended.all;
  });
  await boss.stop();
  return { stored, run };
}

/** Resolves `all` once it has counted all jobs. */
function counter(): { count(): void; all: Promise<void> } {
  let left = COUNT;
  let resolve = (): void => undefined;
  const all = new Promise<void>((done) => (resolve = done));
  return { count: () => void (--left === 0 && resolve()), all };
}

async function inTurns(store: () => Promise<unknown>): Promise<void> {
  for (let count = 0; count < COUNT; count += CONCURRENCY)
    await Promise.all(Array.from({ length: CONCURRENCY }, store));
}

async function rateOf(work: () => Promise<void>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return COUNT / ((performance.now() - startedAt) / 1000);
}
