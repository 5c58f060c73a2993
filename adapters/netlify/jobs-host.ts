import path from 'node:path';
import type { HostedJob, JobsHost, JobsHostProblem } from '../_deploy/jobs-host.ts';
import { addJobs, findWithoutJobs, hasJobs, listJobs, postgresJobs } from '../_deploy/postgres-jobs.ts';

/** Netlify, where a function only stores jobs. Its configuration does not mention them; the function's code does. */
export const jobsHost: JobsHost = {
  title: 'Netlify',
  adapter: 'appkit-server/adapter/netlify',
  engine: postgresJobs.engine,
  configFile: 'netlify.toml',
  findProblems(text, jobs, modules) {
    const isIn = (folder: string) => {
      const start = path.posix.join(folder, '/');
      return ({ file }: { file: string }) => file.startsWith(start);
    };
    const functions = modules.filter(isIn(settingOf(text, ['directory', 'functions']) ?? 'netlify/functions'));
    const edgeFunctions = modules.filter(isIn(settingOf(text, ['edge_functions']) ?? 'netlify/edge-functions'));
    return [
      ...findWithoutJobs(functions, { jobs, title: 'Netlify', section: 'On Netlify' }),
      ...edgeFunctions.filter((module) => !hasJobs(module)).map(({ file }) => toEdgeProblem(file, jobs)),
    ];
  },
  fillTemplate: ({ path: file, text }) => (file === 'netlify/functions/server.mjs' ? addJobs(text) : text),
  commands: (text) => (settingOf(text, ['edge_functions']) === undefined ? postgresJobs.commands : []),
};

/**
 * A text that `netlify.toml` sets. The setting's name is enough to find it: no other table has a setting with this
 * name.
 */
function settingOf(text: string, names: readonly string[]): string | undefined {
  return new RegExp(`^\\s*(?:${names.join('|')})\\s*=\\s*["']([^"'\\n]+)["']`, 'm').exec(text)?.[1];
}

function toEdgeProblem(file: string, jobs: readonly HostedJob[]): JobsHostProblem {
  return {
    message: `${file}: an Edge Function of Netlify has no engine for jobs, so ${listJobs(jobs)} could not be stored.`,
    fix: 'Host the app in a Netlify Function instead: appkit init --host netlify writes one.',
  };
}
