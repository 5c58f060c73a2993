import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { PostgresJobs } from 'appkit-server/jobs/postgres';
import type { SqliteJobs } from 'appkit-server/jobs/sqlite';
import type { Manifest } from 'appkit-server/manifest';
import { CommandError } from '../command-error.ts';
import { printWarning } from '../report/error.ts';

/** The jobs of an app, stored in a file or in a database. */
export type Jobs = SqliteJobs | PostgresJobs;

/** Where jobs are stored: in a file, or at a URL. */
export type JobsPlace = { file: string } | { url: string };

/**
 * Finds where an app's jobs are stored: in the file that `APPKIT_JOBS` names, otherwise in the PostgreSQL of
 * `DATABASE_URL`, otherwise in a file in the app's folder.
 *
 * @param root – the folder of the app.
 * @param variables – the environment. Default: that of this process.
 */
export function findJobs(root: string, variables: NodeJS.ProcessEnv = process.env): JobsPlace {
  const { APPKIT_JOBS: file, DATABASE_URL: url = '' } = variables;
  if (file !== undefined) return { file };
  return /^postgres(ql)?:\/\//.test(url) ? { url } : { file: ownFile(root) };
}

function ownFile(root: string): string {
  return path.join(root, '.appkit', 'jobs.sqlite');
}

/** Describes a place, without the secrets of a URL. */
export function describePlace(place: JobsPlace): string {
  if ('file' in place) return place.file;
  const { APPKIT_JOBS_SCHEMA: schema } = process.env;
  return `PostgreSQL at ${describeUrl(place.url)}${schema === undefined ? '' : `, schema ${schema}`}`;
}

function describeUrl(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  // A password with an unencoded slash or @ ends up in the wrong part.
  if (url === undefined || !/^\/[^/@]*$/.test(url.pathname)) return 'DATABASE_URL';
  return (url.searchParams.get('host') ?? url.host) + url.pathname;
}

/** Options of {@link openJobs}. */
export interface OpenOptions {
  /** Whether this process runs jobs. Default: true. */
  work?: boolean;
  /**
   * Whether it fails when the database cannot be reached or has no jobs. Default: it warns and keeps trying, or
   * creates the tables.
   */
  mustExist?: boolean;
}

/**
 * Creates the engine for an app's jobs.
 *
 * @throws CommandError when the file cannot be used or a package is missing, and with `mustExist` when no jobs exist.
 */
export async function openJobs(root: string, { work = true, mustExist = false }: OpenOptions = {}): Promise<Jobs> {
  const place = findJobs(root);
  if ('file' in place) {
    const { createSqliteJobs } = await import('appkit-server/jobs/sqlite');
    const jobs = createSqliteJobs({ file: place.file, work });
    try {
      if (mustExist && !jobs.exists()) throw noJobs(place);
      jobs.list({ limit: 1 }); // opens the file
    } catch (error) {
      if (error instanceof CommandError) throw error;
      const { code, message } = error as Error & { code?: unknown }; // of SQLite, of node:fs or of the engine
      // That message also says what to do.
      const [what, fix] = code === 'ERR_JOBS_UNAVAILABLE' ? message.split(/(?<=\.) (?=[A-Z])/) : [];
      if (what !== undefined && fix !== undefined) throw new CommandError(what, fix, { cause: error });
      throw new CommandError(
        `${place.file}, where the jobs are, cannot be used: ${message}.`,
        'Let the user of this process write there, or name another file by the variable APPKIT_JOBS.',
        { cause: error },
      );
    }
    return jobs;
  }
  const { createPostgresJobs } = await import('appkit-server/jobs/postgres');
  const jobs = createPostgresJobs({ connectionString: place.url, work, app: root });
  // A database that does not answer is given up after ten seconds.
  const waiting = setTimeout(() => console.error(`Waiting for ${describePlace(place)}, where the jobs are.`), 1000);
  try {
    if (mustExist && !(await jobs.exists())) throw noJobs(place);
    await jobs.ready();
  } catch (error) {
    if (error instanceof CommandError) throw error;
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === 'ERR_JOBS_UNAVAILABLE') {
      throw new CommandError(
        `DATABASE_URL makes appkit store jobs in PostgreSQL. ${message}`,
        'Or keep them in a file: set APPKIT_JOBS=.appkit/jobs.sqlite.',
        { cause: error },
      );
    }
    const problem = `${describePlace(place)}, where the jobs are, cannot be used: ${message}.`;
    if (mustExist)
      throw new CommandError(
        problem,
        'Correct DATABASE_URL, start PostgreSQL, or give its user the right CREATE in the database.',
        { cause: error },
      );
    printWarning(`${problem} It is tried again, and enqueue() rejects until then.`);
  } finally {
    clearTimeout(waiting);
  }
  if (work) await warnOfFile(ownFile(root));
  return jobs;
}

function noJobs(place: JobsPlace): CommandError {
  return new CommandError(
    `${describePlace(place)}: no job has been stored here.`,
    'Run the command in the folder of the app, or say where they are by the variable APPKIT_JOBS or DATABASE_URL.',
  );
}

/** Warns if jobs are waiting in the file of an app that now stores them in PostgreSQL. */
async function warnOfFile(file: string): Promise<void> {
  if (!existsSync(file)) return;
  const { createSqliteJobs } = await import('appkit-server/jobs/sqlite');
  const jobs = createSqliteJobs({ file, work: false });
  try {
    const isLeft = (['waiting', 'running'] as const).some((state) => jobs.list({ state, limit: 1 }).length > 0);
    if (!isLeft) return;
  } catch (error) {
    // An unreadable file must not stop an app that does not use it.
    return printWarning(`${file} may have jobs that nothing runs, and cannot be read: ${(error as Error).message}`);
  } finally {
    await jobs.close();
  }
  printWarning(
    `${file} has jobs that nothing runs, because DATABASE_URL makes appkit store jobs in PostgreSQL. Run them with APPKIT_JOBS=${file} appkit work.`,
  );
}

/** The names of the jobs of a server build. */
export function listJobs(build: string): string[] {
  return readManifest(build)?.jobs?.map(({ name }) => name) ?? [];
}

/** The manifest of a server build, if it exists. */
export function readManifest(build: string): Manifest | undefined {
  const file = path.join(build, '_appkit', 'routes.json');
  // The adapter loads the manifest the same way: it is read once.
  return existsSync(file) ? (createRequire(file)(file) as Manifest) : undefined;
}
