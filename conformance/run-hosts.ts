import { availableParallelism } from 'node:os';
import path from 'node:path';
import { exportApps } from './exported-apps.ts';
import type { ExportedApps } from './exported-apps.ts';
import { APP_NAMES } from './host.ts';
import { installTools, missingTool, prepareHost } from './hosts.ts';
import type { FoundHost } from './hosts.ts';
import { inParallel } from './in-parallel.ts';
import { messageOf } from './generic/message-of.ts';
import type { HostResult } from './host-result.ts';
import { runHost } from './run-host.ts';
import type { SuiteOptions } from './run-suite.ts';

/** How many hosts run at the same time: they mostly wait, for gaps that hang and servers that stop. */
export const HOSTS_AT_A_TIME: number = 2 * availableParallelism();

/**
 * Packs the packages, exports the apps and runs the suite against hosts, several at a time.
 *
 * @param folder – an empty folder outside the repository.
 * @param ended – called with each result as it arrives.
 * @returns the results in the order of `hosts`.
 */
export async function runHosts(
  hosts: readonly FoundHost[],
  folder: string,
  options: SuiteOptions,
  ended: (result: HostResult) => void,
): Promise<HostResult[]> {
  // Several hosts may use the same tools, which are installed once.
  const withTools = new Map(hosts.map((host) => [path.join(host.hostFolder, host.emulator.tools ?? ''), host]));
  await inParallel([...withTools.values()], HOSTS_AT_A_TIME, (host) => installTools(host).catch(() => undefined));
  const apps = await exportApps(folder, {
    apps: options.app === 'app-plain' ? ['app', 'app-plain'] : APP_NAMES,
    fetch: options.app === 'app-fetch' ? 'generic.ts' : undefined,
    strict: hosts.some(({ emulator }) => emulator.strictFetch),
  });
  const results = new Map<FoundHost, HostResult>();
  // Those that wait most start first: nothing runs next to the last one.
  const slowestFirst = hosts.toSorted((a, b) => timeOuts(b) - timeOuts(a));
  await inParallel(slowestFirst, HOSTS_AT_A_TIME, async (host) => {
    const startedAt = performance.now();
    const own = path.join(folder, 'hosts', host.emulator.name);
    const result = await prepareAndRun(host, { apps, folder: own }, options);
    result.seconds = Math.round((performance.now() - startedAt) / 1000);
    results.set(host, result);
    ended(result);
  });
  return hosts.flatMap((host) => results.get(host) ?? []);
}

interface Place {
  apps: ExportedApps;
  /** The host's own folder. */
  folder: string;
}

async function prepareAndRun(host: FoundHost, { apps, folder }: Place, options: SuiteOptions): Promise<HostResult> {
  const { emulator } = host;
  const notRun = (reason: string): HostResult => ({ emulator, notRun: reason, behaviours: [], problems: [] });
  const env = await installTools(host).catch((error: Error) => `its tools cannot be installed: ${error.message}`);
  if (typeof env === 'string') return notRun(env);
  const missing = await missingTool(emulator, env);
  if (missing !== null) return notRun(missing);
  try {
    return await runHost(emulator, await prepareHost(host, { apps, folder, env }), options);
  } catch (error) {
    return { emulator, behaviours: [], problems: [messageOf(error)] };
  }
}

function timeOuts({ emulator }: FoundHost): number {
  return emulator.gaps.filter(({ fails }) => fails === 'time-out').length;
}
