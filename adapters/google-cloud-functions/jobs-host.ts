import type { JobsHost } from '../_deploy/jobs-host.ts';
import { addJobs, findWithoutJobs, postgresJobs } from '../_deploy/postgres-jobs.ts';

/**
 * Google Cloud, where a function only stores jobs. Its configuration does not mention them; the function's code does.
 */
export const jobsHost: JobsHost = {
  title: 'Google Cloud Functions',
  adapter: 'appkit-server/adapter/google-cloud-functions',
  engine: postgresJobs.engine,
  configFile: 'env.yaml',
  findProblems: (_, jobs, modules) =>
    findWithoutJobs(modules, { jobs, title: 'Google Cloud', section: 'On Google Cloud' }),
  fillTemplate: ({ path: file, text }) => (file === 'index.mjs' ? addJobs(text) : text),
  commands: () => postgresJobs.commands,
};
