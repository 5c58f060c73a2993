import path from 'node:path';
import type { HostedJob, HostingModule, JobsHost, JobsHostProblem } from '../_deploy/jobs-host.ts';

const FUNCTION = 'netlify/functions/server.mjs';
const IMPORT = "import { createPostgresJobs } from 'appkit-server/jobs/postgres';\n";
const OPTION = `\
  // Stores jobs at DATABASE_URL. \`appkit work\` runs them, on a machine of yours with the same DATABASE_URL.
  jobs: createPostgresJobs({ work: false, maxConnections: 4 }),
`;

/** Netlify, where a function only stores jobs. Its configuration names nothing for them: the code of the function does. */
export const jobsHost: JobsHost = {
  title: 'Netlify',
  adapter: 'appkit-server/adapter/netlify',
  engine: 'appkit-server/jobs/postgres',
  configFile: 'netlify.toml',
  findProblems(text, jobs, modules) {
    const functions = settingOf(text, ['directory', 'functions']) ?? 'netlify/functions';
    const edgeFunctions = settingOf(text, ['edge_functions']) ?? 'netlify/edge-functions';
    return [
      ...findWithoutJobs(modules, functions).map((file) => missingEngine(file, jobs)),
      ...findWithoutJobs(modules, edgeFunctions).map((file) => edgeFunction(file, jobs)),
    ];
  },
  fillTemplate: ({ path: file, text }) => (file === FUNCTION ? fillFunction(text) : text),
  commands: (text) => (settingOf(text, ['edge_functions']) === undefined ? ['npm install pg-boss@12.35.0'] : []),
};

/** A text that `netlify.toml` sets. The names of these settings say enough: no other table has them. */
function settingOf(text: string, names: readonly string[]): string | undefined {
  return new RegExp(`^\\s*(?:${names.join('|')})\\s*=\\s*["']([^"'\\n]+)["']`, 'm').exec(text)?.[1];
}

/** The modules of a folder that do not set the option `jobs`. */
function findWithoutJobs(modules: readonly HostingModule[], folder: string): string[] {
  const start = path.posix.join(folder, '/');
  const hasJobs = (code: string): boolean => /\bjobs\s*[:,}]/.test(code.replaceAll(/\/\*[^]*?\*\/|^\s*\/\/.*$/gm, ''));
  return modules.filter(({ file, code }) => file.startsWith(start) && !hasJobs(code)).map(({ file }) => file);
}

function missingEngine(file: string, jobs: readonly HostedJob[]): JobsHostProblem {
  return {
    message: `${file}: the function has no option jobs, so ${listJobs(jobs)} could not be stored on Netlify.`,
    fix:
      `Install pg-boss (npm install pg-boss@12.35.0), and add to ${file}:\n\n${IMPORT}\n` +
      `createRequestHandler({\n  build: 'dist/server',\n${OPTION}});\n\nMore is in guide/jobs.md, "On Netlify".`,
  };
}

function edgeFunction(file: string, jobs: readonly HostedJob[]): JobsHostProblem {
  return {
    message: `${file}: an Edge Function of Netlify has no engine for jobs, so ${listJobs(jobs)} could not be stored.`,
    fix: 'Host the app in a Netlify Function instead: appkit init --host netlify writes one.',
  };
}

function listJobs(jobs: readonly HostedJob[]): string {
  const named = jobs.map(({ name, source }) => `${name} (${source})`);
  return `the job${jobs.length === 1 ? '' : 's'} ${named.join(', ')}`;
}

function fillFunction(text: string): string {
  return text
    .replace(/^import .* from 'appkit-server\/adapter\/netlify';\n/m, (line) => line + IMPORT)
    .replace("({ build: 'dist/server' })", () => `({\n  build: 'dist/server',\n${OPTION}})`);
}
