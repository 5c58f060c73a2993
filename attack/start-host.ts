import path from 'node:path';
import { pathToFileURL } from 'node:url';
import type { InstalledApps } from '../conformance/hosts.ts';
import { findHosts, installTools, missingTool, prepareHost } from '../conformance/hosts.ts';
import type { PreparedHost } from '../conformance/hosts.ts';
import { startServer } from '../conformance/server-process.ts';
import type { ServerProcess } from '../conformance/server-process.ts';

/** The time-outs of `node:http` during attacks: for the head of a request, and for the complete request. */
export const LOWERED_TIMEOUT_MS = 1000;

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

/** Starts the template of a host, with garbage collection on request. */
export function start({ local }: PreparedHost, { lowerTimeouts = false } = {}): Promise<ServerProcess> {
  const preloaded = ['kept-bytecode.mjs', ...(lowerTimeouts ? ['lowered-timeouts.mjs'] : [])];
  const imports = preloaded.map((file) => `--import=${pathToFileURL(path.join(import.meta.dirname, file)).href}`);
  return startServer({
    ...local,
    folder: local.folders.app,
    env: {
      ...local.env,
      NODE_OPTIONS: ['--expose-gc', ...imports].join(' '),
      APPKIT_ATTACK_TIMEOUT_MS: String(LOWERED_TIMEOUT_MS),
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
