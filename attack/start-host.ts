import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InstalledApps } from '../conformance/hosts.ts';
import { findHosts, installTools, missingTool, prepareHost } from '../conformance/hosts.ts';
import type { PreparedHost } from '../conformance/hosts.ts';
import { startServer } from '../conformance/server-process.ts';
import type { ServerProcess } from '../conformance/server-process.ts';

/** The signal by which lowered-timeouts.mjs lowers the time-outs of `node:http`, and restores them. */
export const TIMEOUTS_SIGNAL = 'SIGUSR2';

/**
 * Prepares a host as conformance does. Returns the reason if a tool is missing.
 *
 * @throws Error when the tools exist and the host cannot be prepared.
 */
export async function prepare(name: string, apps: InstalledApps, folder: string): Promise<PreparedHost | string> {
  const host = (await findHosts()).find(({ emulator }) => emulator.name === name);
  if (host === undefined) throw new Error(`Unknown host: ${name}.`);
  const env = await installTools(host).catch((error: Error) => `its tools cannot be installed: ${error.message}`);
  if (typeof env === 'string') return env;
  const missing = await missingTool(host.emulator, env);
  return missing ?? (await prepareHost(host, { apps, folder: path.join(folder, name), env }));
}

/** Starts the template of a host, with garbage collection on request. On Node, {@link TIMEOUTS_SIGNAL} lowers its time-outs. */
export function start({ local }: PreparedHost, { lowersTimeouts = false } = {}): Promise<ServerProcess> {
  const preloaded = ['kept-bytecode.mjs', ...(lowersTimeouts ? ['lowered-timeouts.mjs'] : [])];
  const imports = preloaded.map((file) => `--import=${pathToFileURL(path.join(import.meta.dirname, file)).href}`);
  return startServer({
    ...local,
    folder: local.folders.app,
    env: {
      ...local.env,
      NODE_OPTIONS: ['--expose-gc', ...imports].join(' '),
      DENO_V8_FLAGS: '--expose-gc,--no-flush-bytecode',
    },
  });
}

/** The memory that a server reports after garbage collection, in bytes. */
export async function memoryOf(origin: string): Promise<{ heapUsed: number; rss: number }> {
  const response = await fetch(`${origin}/memory`, { headers: { connection: 'close' } });
  if (response.status !== 200) throw new Error(`/memory was answered ${response.status}: ${await response.text()}`);
  return (await response.json()) as { heapUsed: number; rss: number }; // of our own app
}
