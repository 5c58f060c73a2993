import { createRequire } from 'node:module';
import path from 'node:path';
import { clearInterval, clearTimeout, setInterval, setTimeout } from 'node:timers';
import { pathToFileURL } from 'node:url';
import type * as PgBossModule from 'pg-boss';
import type { PgBoss } from 'pg-boss';
import { codedError } from '../../runtime/host.ts';

export type { PgBoss } from 'pg-boss';

/** What runs its statements. */
export type BossDatabase = ReturnType<PgBoss['getDb']>;

/** How pg-boss is started. */
export interface BossOptions {
  connectionString: string;
  schema: string;
  /** The largest number of connections. */
  max: number;
  /** How long a statement may take, in milliseconds. Default: 20 seconds. */
  query_timeout?: number;
  /** Whether this process cleans up old jobs. */
  supervise: boolean;
  /** The app's folder, whose pg-boss is used if this package finds none. */
  app: string;
}

// A server that has been closed may exit: nothing here keeps a process running.
const clock = {
  now: () => Date.now(),
  setTimeout: (call: () => void, ms: number) => setTimeout(call, ms).unref(),
  clearTimeout: (timer: unknown) => clearTimeout(timer as NodeJS.Timeout), // made above
  setInterval: (call: () => void, ms: number) => setInterval(call, ms).unref(),
  clearInterval: (timer: unknown) => clearInterval(timer as NodeJS.Timeout), // made above
};

/**
 * Starts pg-boss, which creates its tables if they do not exist.
 *
 * @throws CodedError ERR_JOBS_UNAVAILABLE where it is not installed.
 */
export async function startBoss(options: BossOptions): Promise<PgBoss> {
  const boss = await createBoss(options);
  try {
    return await boss.start();
  } catch (error) {
    await boss.stop({ graceful: false }).catch(() => {}); // of two errors, the first says more
    throw error;
  }
}

/**
 * Whether the tables of pg-boss exist. Creates none.
 *
 * @throws as {@link startBoss}.
 */
export async function hasTables(options: BossOptions): Promise<boolean> {
  const boss = await createBoss(options);
  // Its own pool, which it opens when it starts; it creates the tables then.
  const database = boss.getDb() as BossDatabase & { open(): Promise<void>; close(): Promise<void> };
  await database.open();
  try {
    return await boss.isInstalled();
  } finally {
    await database.close();
  }
}

async function createBoss({ app, ...options }: BossOptions): Promise<PgBoss> {
  const { PgBoss } = await loadBoss(app);
  // The pool receives all options, including those that pg-boss does not know. A server that disappears without closing
  // the connection would hold each statement until TCP gives up, a quarter of an hour later.
  const ofPool = {
    allowExitOnIdle: true,
    keepAlive: true,
    keepAliveInitialDelayMillis: 10_000,
    connectionTimeoutMillis: 5000,
    query_timeout: 20_000,
  };
  const boss = new PgBoss({
    ...ofPool,
    ...options,
    application_name: 'appkit',
    schedule: false,
    clock,
    // Otherwise an app that traces has two spans for each job that it stores, and one for each look for jobs.
    openTelemetry: { enabled: false },
  });
  // Without a listener, the first lost connection would end the process.
  boss.on('error', createErrorLog());
  return boss;
}

async function loadBoss(app: string): Promise<typeof PgBossModule> {
  try {
    return await import('pg-boss');
  } catch (error) {
    if (!isMissing(error)) throw error;
  }
  try {
    // A CLI has packages of its own.
    const found = createRequire(path.resolve(app, 'package.json')).resolve('pg-boss');
    return (await import(pathToFileURL(found).href)) as typeof PgBossModule; // by its name
  } catch (error) {
    if (!isMissing(error)) throw error;
    throw codedError(
      'ERR_JOBS_UNAVAILABLE',
      'Jobs in PostgreSQL need pg-boss. Install it: npm install pg-boss@12.38.0',
    );
  }
}

function isMissing(error: unknown): boolean {
  const { code = '', message } = error as NodeJS.ErrnoException;
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(code) || /cannot find (module|package)/i.test(message);
}

/** When PostgreSQL stops, every connection reports it. Repeated messages within this time are not logged. */
const SAME_ERROR_MS = 60_000;

function createErrorLog(): (error: Error) => void {
  let last = { message: '', at: 0 };
  return (error) => {
    const isRepeated = error.message === last.message && Date.now() - last.at < SAME_ERROR_MS;
    last = { message: error.message, at: Date.now() };
    // Only the message: the error object contains pg's client and the data for cancelling its statements.
    if (!isRepeated) console.error(`The connection to PostgreSQL for jobs has failed: ${error.message}`);
  };
}
