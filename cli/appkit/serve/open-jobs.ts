import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import type { SqliteJobs } from 'appkit-server/jobs/sqlite';
import type { Manifest } from 'appkit-server/manifest';

/** The jobs of an app, in the file of its folder. */
export type Jobs = SqliteJobs;

/**
 * Makes the engine for the jobs of an app.
 *
 * @param root – the folder of the app. Its file is there, unless the variable `APPKIT_JOBS` names another.
 */
export async function openJobs(root: string, { work = true }: { work?: boolean } = {}): Promise<Jobs> {
  const { createSqliteJobs } = await import('appkit-server/jobs/sqlite');
  return createSqliteJobs({ file: toJobsFile(root), work });
}

/** Where the jobs of an app are. */
export function toJobsFile(root: string): string {
  return process.env['APPKIT_JOBS'] ?? path.join(root, '.appkit', 'jobs.sqlite');
}

/** The names of the jobs of a server build. */
export function listJobs(build: string): string[] {
  const file = path.join(build, '_appkit', 'routes.json');
  // The adapter loads the manifest the same way: it is read once.
  const manifest = existsSync(file) ? (createRequire(file)(file) as Manifest) : undefined;
  return manifest?.jobs?.map(({ name }) => name) ?? [];
}
