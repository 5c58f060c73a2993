import { existsSync, readdirSync } from 'node:fs';
import type { DeployHost } from './deploy-host.ts';

export type { DeployHost, DeployOptions } from './deploy-host.ts';

const ADAPTERS = new URL('../', import.meta.url);
// `.ts` in the repository, `.js` in the package.
const FILE = `deploy${import.meta.url.slice(-3)}`;

/** Lists the hosts that `appkit deploy` can deploy to with their own tool: those whose folder has a `deploy` module. */
export function listDeployHosts(): string[] {
  return readdirSync(ADAPTERS)
    .filter((name) => !name.startsWith('_') && existsSync(new URL(`${name}/${FILE}`, ADAPTERS)))
    .toSorted();
}

/** Loads how an app is deployed to a host. Returns undefined if it is not one of {@link listDeployHosts}. */
export async function loadDeployHost(name: string): Promise<DeployHost | undefined> {
  if (!listDeployHosts().includes(name)) return undefined;
  const { href } = new URL(`${name}/${FILE}`, ADAPTERS);
  const { deployment } = (await import(href)) as { deployment: DeployHost }; // a module of ours
  return deployment;
}
