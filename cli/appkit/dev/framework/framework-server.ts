import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { connect } from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../../command-error.ts';
import { findPort } from '../../serve/listen.ts';

const HOST = '127.0.0.1';

/** The development server of a framework, in a process of its own. */
export interface FrameworkServer {
  /** Where it listens, on 127.0.0.1. */
  port: number;
  /** Resolves with its exit code when it ends. */
  ended: Promise<number>;
  /**
   * Resolves when it accepts connections.
   *
   * @throws CommandError when it ends before that.
   */
  ready(): Promise<void>;
  /** Asks it to end, and resolves when it has ended. */
  close(): Promise<void>;
}

/** How long it may take to start before the terminal says what is being waited for, in milliseconds. */
const TOLD_AFTER_MS = 10_000;

/**
 * Starts it. It prints to the same terminal, and ends with this process.
 *
 * @param command – a program of the project's packages, and its arguments.
 */
export async function startFrameworkServer(projectRoot: string, command: string): Promise<FrameworkServer> {
  const port = await findOwnPort();
  const [program = '', ...args] = [...command.split(' '), '--host', HOST, '--port', String(port)];
  const child = spawn(program, args, {
    cwd: projectRoot,
    env: { ...process.env, PATH: [...binFolders(projectRoot), process.env['PATH']].join(path.delimiter) },
    stdio: ['ignore', 'inherit', 'inherit'],
    shell: process.platform === 'win32', // where packages' programs are shell scripts
  });
  const kill = (): void => void child.kill();
  process.once('exit', kill);
  let failure: Error | undefined;
  const ended = new Promise<number>((resolve) => {
    child.once('exit', (code) => resolve(code ?? 1));
    child.once('error', (error) => {
      failure = error;
      resolve(1);
    });
  }).finally(() => process.off('exit', kill));
  return {
    port,
    ended,
    async ready() {
      const startedAt = performance.now();
      const hasEnded = ended.then(() => true);
      let isTold = false;
      while (!(await takesConnections(port))) {
        // It does not signal that it is ready, and each framework prints something different.
        if (await Promise.race([hasEnded, delay(50, false)])) throw toStartError(command, failure);
        if (isTold || performance.now() - startedAt < TOLD_AFTER_MS) continue;
        isTold = true;
        console.log(`Waiting for ${command} to listen on ${HOST}:${port}.`);
      }
    },
    async close() {
      kill();
      await ended;
    },
  };
}

/**
 * Finds a port of those that a system gives to nobody by itself. Of the others, it could give this one to another server before
 * the framework listens, and requests would go there.
 */
async function findOwnPort(): Promise<number> {
  for (let tries = 1; ; tries++) {
    try {
      return (await findPort({ host: HOST, port: randomInt(20_000, 32_768) })).port;
    } catch (error) {
      if (tries === 20) throw error;
    }
  }
}

function toStartError(command: string, cause: Error | undefined): CommandError {
  const isMissing = (cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';
  return isMissing
    ? new CommandError(`${command} is not a command of this project.`, 'Run `npm install`.', { cause })
    : new CommandError(`${command} ended before it accepted connections.`, 'See what it printed above.', { cause });
}

/** The folders with the programs of a project's packages, the nearest first, as npm orders them. */
function binFolders(folder: string): string[] {
  const parent = path.dirname(folder);
  return [path.join(folder, 'node_modules/.bin'), ...(parent === folder ? [] : binFolders(parent))];
}

function takesConnections(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, HOST);
    socket.once('connect', () => resolve(true)).once('error', () => resolve(false));
    socket.once('connect', () => socket.destroy());
  });
}
