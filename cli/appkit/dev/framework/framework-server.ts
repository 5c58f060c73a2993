import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../../command-error.ts';
import { findPort } from '../../serve/listen.ts';

/** The development server of a framework, in a process of its own. */
export interface FrameworkServer {
  /** Where it listens, on 127.0.0.1. */
  port: number;
  /** Resolves with its exit code when it ends. */
  ended: Promise<number>;
  /** Asks it to end, and resolves when it has. */
  close(): Promise<void>;
}

/**
 * Starts it, and waits until it takes connections. It prints to the same terminal.
 *
 * @param command – a program of the project's packages, and its arguments.
 * @throws CommandError when it ends before.
 */
export async function startFrameworkServer(projectRoot: string, command: string): Promise<FrameworkServer> {
  const host = '127.0.0.1';
  const { port } = await findPort({ host, port: 0 });
  const [program = '', ...args] = [...command.split(' '), '--host', host, '--port', String(port)];
  const child = spawn(program, args, {
    cwd: projectRoot,
    env: { ...process.env, PATH: [...binFolders(projectRoot), process.env['PATH']].join(path.delimiter) },
    stdio: ['pipe', 'inherit', 'inherit'], // Vite ends when its input does, as when this process is killed
    shell: process.platform === 'win32', // where programs of packages are scripts of the shell
  });
  let failure: Error | undefined;
  const ended = Promise.race([
    once(child, 'exit').then(([code]) => (code as number | null) ?? 1),
    new Promise<number>((resolve) => child.once('error', (error) => ((failure = error), resolve(1)))),
  ]);
  const hasEnded = ended.then(() => true);
  while (!(await takesConnections(host, port))) {
    // It tells nobody when it is ready, and each framework prints something else.
    if (await Promise.race([hasEnded, delay(50, false)])) throw toStartError(command, failure);
  }
  return {
    port,
    ended,
    async close() {
      child.kill();
      await ended;
    },
  };
}

function toStartError(command: string, cause: Error | undefined): CommandError {
  const isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  return isMissing
    ? new CommandError(`${command} is no command of this project.`, 'Run `npm install`.', { cause })
    : new CommandError(`${command} ended before it took connections.`, 'See what it printed above.', { cause });
}

/** The folders of the programs that the packages of a project bring, the nearest first, as npm has them. */
function binFolders(folder: string): string[] {
  const parent = path.dirname(folder);
  return [path.join(folder, 'node_modules/.bin'), ...(parent === folder ? [] : binFolders(parent))];
}

function takesConnections(host: string, port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, host);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
