import { addEngine } from './add-engine.ts';

const ENGINE = {
  imported: "import { createSqliteJobs } from 'appkit-server/jobs/sqlite';\n",
  option: `\
  // Stores jobs in .appkit/jobs.sqlite, or in the file APPKIT_JOBS, and runs them here. For several machines, use createPostgresJobs().
  jobs: createSqliteJobs(),
`,
};

/**
 * Gives the template of a server that keeps running the engine that `appkit serve` uses by default, for `appkit init`.
 *
 * @param file – its path relative to the app, and its text.
 * @returns the text, unchanged if nothing has to be added.
 */
export function addSqliteJobs({ path, text }: { path: string; text: string }): string {
  return path === 'deno.json' ? text.replace('--allow-read', '--allow-read --allow-write') : addEngine(text, ENGINE);
}
