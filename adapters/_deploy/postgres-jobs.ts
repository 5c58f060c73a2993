import { addEngine } from './add-engine.ts';
import type { HostedJob, HostingModule, JobsHostProblem } from './jobs-host.ts';

const ENGINE = 'appkit-server/jobs/postgres';
const IMPORT = `import { createPostgresJobs } from '${ENGINE}';\n`;
const OPTION = `\
  // Stores jobs at DATABASE_URL. \`appkit work\` runs them, on a machine of yours with the same DATABASE_URL.
  jobs: createPostgresJobs({ work: false, maxConnections: 4 }),
`;
const SERVER_OPTION = `\
  // Stores jobs at DATABASE_URL, and runs them here.
  jobs: createPostgresJobs(),
`;

/**
 * What a host needs for jobs if its functions only store them: the code names the engine, and the configuration does
 * not mention jobs.
 */
export const postgresJobs: { engine: string; commands: string[] } = {
  engine: ENGINE,
  commands: ['npm install pg-boss@12.38.0'],
};

/** Whether a module sets the option `jobs`, not counting comments. */
export function hasJobs({ code }: HostingModule): boolean {
  return /\bjobs\s*[:,}]/.test(code.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''));
}

/** Reports each module that hosts an app without the option `jobs`. */
export function findWithoutJobs(
  modules: readonly HostingModule[],
  { jobs, title, section }: { jobs: readonly HostedJob[]; title: string; section: string },
): JobsHostProblem[] {
  return modules
    .filter((module) => !hasJobs(module))
    .map(({ file }) => ({
      message: `${file}: the function has no option jobs, so ${listJobs(jobs)} could not be stored on ${title}.`,
      fix:
        `Install pg-boss (${postgresJobs.commands.join()}), and add to ${file}:\n\n${IMPORT}\n` +
        `createRequestHandler({\n  build: …,\n${OPTION}});\n\nMore is in guide/jobs.md, "${section}".`,
    }));
}

/** Adds the option `jobs` to a module of a template. */
export function addJobs(code: string): string {
  return addEngine(code, { imported: IMPORT, option: OPTION });
}

/** Gives the template of a server that keeps running the engine for several machines, for `appkit init`. */
export function addPostgresJobs({ text }: { text: string }): string {
  return addEngine(text, { imported: IMPORT, option: SERVER_OPTION });
}

/** Names jobs in a sentence. */
export function listJobs(jobs: readonly HostedJob[]): string {
  const named = jobs.map(({ name, source }) => `${name} (${source})`);
  return `the job${jobs.length === 1 ? '' : 's'} ${named.join(', ')}`;
}
