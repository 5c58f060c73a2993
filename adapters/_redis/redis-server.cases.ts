import { execFileSync, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { findFreePort } from '../../conformance/generic/free-port.ts';

/** A Redis or Valkey server for a test. */
export interface RedisServer {
  port: number;
  stop(): Promise<void>;
}

/** The installed program, if any. */
export function findRedis(): string | undefined {
  return ['valkey-server', 'redis-server'].find((name) => {
    try {
      execFileSync(name, ['--version']);
      return true;
    } catch {
      return false;
    }
  });
}

/** What to do if it is missing. */
export const HOW_TO_INSTALL = 'redis-server is not installed: on Debian, apt-get install redis-server.';

/** Starts a server that writes only into its own folder. Default port: a free one. */
export async function startRedis(program: string, givenPort?: number): Promise<RedisServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'appkit-redis-'));
  const port = givenPort ?? (await findFreePort());
  const options = { port, bind: '127.0.0.1', dir: folder, save: '', appendonly: 'no', daemonize: 'no' };
  const child = spawn(
    program,
    Object.entries(options).flatMap(([name, value]) => [`--${name}`, String(value)]),
  );
  let printed = '';
  for await (const chunk of child.stdout) {
    printed += String(chunk);
    if (printed.includes('eady to accept connections')) break;
  }
  if (child.exitCode !== null) throw new Error(`${program} has ended with ${child.exitCode}: ${printed}`);
  return {
    port,
    async stop() {
      if (child.exitCode === null && child.signalCode === null) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
