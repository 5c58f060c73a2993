import { closeSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import { codedError } from '../../runtime/host.ts';

/** A value of a row. */
export type Value = string | number | null;

/** The part that `node:sqlite` and `bun:sqlite` have in common. */
export interface Database {
  exec(sql: string): unknown;
  prepare(sql: string): Statement;
  close(): void;
}

/** A prepared statement. */
export interface Statement {
  run(...values: Value[]): { changes: number | bigint };
  /** The first row. Without one, Node gives `undefined` and Bun `null`. */
  get(...values: Value[]): unknown;
  all(...values: Value[]): unknown[];
}

interface Modules {
  'bun:sqlite'?: { Database: new (file: string, options: { create: boolean; readwrite: boolean }) => Database };
  'node:sqlite'?: { DatabaseSync: new (file: string) => Database };
}

/**
 * Opens a database file with the SQLite of the platform, and creates the file and its folder if they do not exist.
 *
 * @throws CodedError ERR_JOBS_UNAVAILABLE if the platform has no SQLite.
 */
export function openDatabase(file: string): Database {
  const createDatabase = findSqlite();
  if (file !== ':memory:') makeFile(file);
  const database = createDatabase(file);
  // Another process may be writing. Enabling the write-ahead log does not wait for it, whatever the time-out is.
  database.exec('PRAGMA busy_timeout = 5000');
  if (file !== ':memory:') enableLog(database);
  // A commit is on the disk when it returns, and not only in the memory of the operating system.
  database.exec('PRAGMA synchronous = FULL');
  return database;
}

/**
 * Opens an existing file, and changes nothing in it.
 *
 * @throws as {@link openDatabase}.
 */
export function openToRead(file: string): Database {
  const database = findSqlite()(file);
  database.exec('PRAGMA busy_timeout = 5000; PRAGMA query_only = ON');
  return database;
}

/**
 * Only this user may read the file, since it contains the inputs of jobs. SQLite gives the files next to it the same
 * mode.
 */
function makeFile(file: string): void {
  mkdirSync(path.dirname(path.resolve(file)), { recursive: true });
  closeSync(openSync(file, 'a', 0o600));
}

function findSqlite(): (file: string) => Database {
  const load = <Name extends keyof Modules>(name: Name): Modules[Name] =>
    // The types know only Node's modules.
    (process.getBuiltinModule as ((name: string) => unknown) | undefined)?.(name) as Modules[Name];
  const { Database } = load('bun:sqlite') ?? {};
  if (Database) return (file) => new Database(file, { create: true, readwrite: true });
  const { DatabaseSync } = load('node:sqlite') ?? {};
  if (DatabaseSync) return (file) => new DatabaseSync(file);
  throw codedError(
    'ERR_JOBS_UNAVAILABLE',
    `createSqliteJobs() needs the SQLite of the platform, and Node ${process.versions.node} has none. Use Node 22.13 or later, Bun, or Deno.`,
  );
}

/** How often two processes that open a new file at the same time try again. */
const TRIES = 50;

function enableLog(database: Database): void {
  for (let left = TRIES; ; left--) {
    try {
      database.exec('PRAGMA journal_mode = WAL');
      return;
    } catch (error) {
      if (left === 0 || !/locked|busy/i.test((error as Error).message)) throw error;
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 10);
    }
  }
}
