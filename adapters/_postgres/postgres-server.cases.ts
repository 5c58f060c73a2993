import { execFileSync, spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, existsSync, globSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** A PostgreSQL server for a test, with a database of its own. */
export interface PostgresServer {
  /** How to connect to it: through a socket in its folder. */
  url: string;
  /** Ends it at once, as a crash does. */
  crash(): Promise<void>;
  /** Starts it again. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

/** The folder of the installed programs, if any. Debian does not put them on the path. */
export function findPostgres(): string | undefined {
  const [newest] = globSync('/usr/lib/postgresql/*/bin').toSorted().toReversed();
  if (newest !== undefined && existsSync(path.join(newest, 'initdb'))) return newest;
  try {
    return execFileSync('pg_config', ['--bindir'], { encoding: 'utf8' }).trim();
  } catch {
    return undefined;
  }
}

/** What to do if PostgreSQL is missing. */
export const HOW_TO_INSTALL = 'PostgreSQL is not installed: on Debian, apt-get install postgresql.';

/**
 * Starts a server that writes only into its own folder. What it reports as stored may not be on the disk yet: only a
 * crash of the machine could lose it.
 */
export async function startPostgres(programs: string): Promise<PostgresServer> {
  const folder = mkdtempSync(path.join(tmpdir(), 'appkit-pg-'));
  const data = path.join(folder, 'data');
  const isRoot = process.getuid?.() === 0;
  if (isRoot) {
    const [user = '', group = ''] = ['-u', '-g'].map((what) =>
      execFileSync('id', [what, 'postgres'], { encoding: 'utf8' }),
    );
    chownSync(folder, Number(user), Number(group));
  }
  // PostgreSQL refuses to run as root.
  const asUser = isRoot ? ['setpriv', '--reuid=postgres', '--regid=postgres', '--clear-groups', '--'] : [];
  const toCommand = (program: string, args: string[]): [string, string[]] => {
    const [command = '', ...rest] = [...asUser, path.join(programs, program), ...args];
    return [command, rest];
  };
  const options = { cwd: folder, stdio: 'pipe' } as const;
  execFileSync(
    ...toCommand('initdb', ['-D', data, '-U', 'appkit', '-A', 'trust', '-E', 'UTF8', '--locale=C', '--no-sync']),
    options,
  );
  let child: ChildProcess | undefined;
  const settings = [
    'fsync=off',
    'listen_addresses=',
    `unix_socket_directories=${folder}`,
    'max_connections=60',
    'dynamic_shared_memory_type=mmap', // others stay behind when it is killed
  ];
  const start = async (): Promise<void> => {
    const args = ['-D', data, ...settings.flatMap((setting) => ['-c', setting])];
    const started = spawn(...toCommand('postgres', args), { ...options, stdio: ['ignore', 'ignore', 'pipe'] });
    child = started;
    let printed = '';
    for await (const chunk of started.stderr) {
      printed += String(chunk);
      if (printed.includes('ready to accept connections')) break;
    }
    if (!printed.includes('ready to accept connections')) throw new Error(`PostgreSQL has ended: ${printed}`);
    started.stderr.resume();
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const ended = once(child, 'exit');
    child.kill(signal);
    await ended;
  };
  await start();
  return {
    url: `postgres://appkit@localhost/postgres?host=${encodeURIComponent(folder)}`,
    start,
    crash: () => end('SIGQUIT'),
    async stop() {
      await end('SIGQUIT');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
