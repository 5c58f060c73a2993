import { cp, mkdir, readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Emulator } from './emulator.ts';
import { exportApps } from './exported-apps.ts';
import type { HostDescription } from './host.ts';
import { installTools, prepareHost } from './hosts.ts';
import type { FoundHost } from './hosts.ts';

/**
 * Describes a deployed fixture app by its URL.
 *
 * @param emulator – the host it is deployed on; its gaps are expected. Without it, no gap is expected.
 * @throws Error when the URL does not serve the fixture app.
 */
export async function describeDeployed(url: string, emulator?: Emulator): Promise<Omit<HostDescription, 'seed'>> {
  const { origin, pathname, protocol } = parseUrl(url);
  if (protocol !== 'http:' && protocol !== 'https:') throw new Error(`--url takes an http or https URL, not ${url}.`);
  const basePath = pathname.replace(/\/$/, '');
  const answer = await ask(`${origin}${basePath}/hello`);
  if (answer !== '{"hello":"world"}') {
    throw new Error(
      `${url} is not the fixture app of the suite: GET ${basePath}/hello ${answer.slice(0, 200)}\n` +
        'Make the app with --host <name> --prepare <folder>, deploy that folder, and give the URL of the deployment.',
    );
  }
  return {
    name: emulator?.name ?? origin,
    origin,
    basePath,
    lacks: emulator?.lacks ?? [],
    extras: emulator?.extras ?? [],
    gaps: emulator?.gaps ?? [],
  };
}

function parseUrl(url: string): URL {
  const parsed = URL.parse(url);
  if (parsed === null) throw new Error(`--url takes a whole URL such as https://app.example, not ${url}.`);
  return parsed;
}

async function ask(url: string): Promise<string> {
  try {
    const response = await fetch(url, { redirect: 'manual' });
    const text = await response.text();
    return response.ok ? text : `answered ${response.status}`;
  } catch (error) {
    const { message, cause } = error as Error;
    return `failed: ${(cause as Error | undefined)?.message ?? message}`;
  }
}

/**
 * Writes the fixture app, ready to be deployed on a host, into a folder.
 *
 * @param folder – for intermediate files.
 * @throws Error when the folder is not empty.
 */
export async function prepareFixture(host: FoundHost, into: string, folder: string): Promise<void> {
  const target = path.resolve(into);
  await mkdir(target, { recursive: true });
  const isEmpty = (await readdir(target)).length === 0;
  if (!isEmpty) throw new Error(`${target} is not empty. Give --prepare a folder of its own.`);
  const exported = await exportApps(folder, { apps: ['app'], strict: host.emulator.strictFetch ?? false });
  const env = await installTools(host);
  const apps = { ...exported, folders: { app: exported.folders.app } };
  const { local } = await prepareHost(host, { apps, folder: path.join(folder, 'host'), env });
  await cp(local.folders.app, target, { recursive: true, verbatimSymlinks: true });
  console.log(`The fixture app for ${host.emulator.name} is in ${target}, exported and built.
Deploy that folder as it is; ${path.relative(process.cwd(), path.join(host.hostFolder, 'README.md'))} says how. Then:

  npm run conformance -- --host ${host.emulator.name} --url https://…`);
}
