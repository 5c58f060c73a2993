import { existsSync, readdirSync } from 'node:fs';
import type { DeployHost } from './deploy-host.ts';
import type { JobsHost } from './jobs-host.ts';

export type { DeployHost, DeployOptions } from './deploy-host.ts';
export type { HostedJob, HostingModule, JobsHost, JobsHostProblem } from './jobs-host.ts';
export { addPostgresJobs, postgresJobs } from './postgres-jobs.ts';
export { addSqliteJobs } from './sqlite-jobs.ts';

const ADAPTERS = new URL('../', import.meta.url);
// `.ts` in the repository, `.js` in the package.
const EXTENSION = import.meta.url.slice(-3);

/** Lists the hosts that `appkit deploy` can deploy to with their own tool: those whose folder has a `deploy` module. */
export function listDeployHosts(): string[] {
  return listHosts('deploy');
}

/** Loads the hosts whose configuration has to name what jobs need: those whose folder has a `jobs-host` module. */
export async function loadJobsHosts(): Promise<JobsHost[]> {
  const modules = listHosts('jobs-host').map(
    (name) => import(new URL(`${name}/jobs-host${EXTENSION}`, ADAPTERS).href) as Promise<{ jobsHost: JobsHost }>, // ours
  );
  return (await Promise.all(modules)).map(({ jobsHost }) => jobsHost);
}

/** Loads how an app is deployed to a host. Returns undefined if it is not one of {@link listDeployHosts}. */
export async function loadDeployHost(name: string): Promise<DeployHost | undefined> {
  if (!listDeployHosts().includes(name)) return undefined;
  const { href } = new URL(`${name}/deploy${EXTENSION}`, ADAPTERS);
  const { deployment } = (await import(href)) as { deployment: DeployHost }; // a module of ours
  return deployment;
}

function listHosts(module: string): string[] {
  return readdirSync(ADAPTERS)
    .filter((name) => !name.startsWith('_') && existsSync(new URL(`${name}/${module}${EXTENSION}`, ADAPTERS)))
    .toSorted();
}
