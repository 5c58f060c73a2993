import { endGroup, killGroup, spawnGroup } from './generic/process-group.ts';

/** How to start a server process. */
export interface ServerCommand {
  command: readonly [string, ...string[]];
  folder: string;
  /** The complete environment of the process: nothing is inherited. */
  env: Record<string, string>;
  /** Matches the line printed once connections are accepted; its first group is the URL. */
  ready: RegExp;
  /** Whether {@link killAbandonedServers} leaves it alone. Default: false. */
  outlivesBehaviours?: boolean;
}

/** A running server process. */
export interface ServerProcess {
  /** Scheme, host and port, without a trailing slash. */
  origin: string;
  /** Resolves with the first match in the process's past or future output. */
  waitForOutput(pattern: RegExp): Promise<RegExpMatchArray>;
  /** Sends the process a signal. */
  signal(name: NodeJS.Signals): void;
  /** Asks the process to end (SIGTERM) and resolves when it and everything it started have ended. */
  stop(): Promise<ServerExit>;
  /** Ends the process and everything it started at once. */
  kill(): Promise<void>;
}

/** How a server process ended. `code` is null when a signal ended it. */
export interface ServerExit {
  code: number | null;
  output: string;
}

/** A fuse: a process that takes this long on the slowest machine hangs. */
const LIMIT_MS = 180_000;
/** Kills each server that {@link killAbandonedServers} is for, and resolves when it is gone. */
const running = new Set<() => Promise<void>>();
/** The starts in progress. */
const starts = new Set<Promise<ServerProcess>>();

/** Starts a server and waits until it says that it accepts connections. */
export function startServer(options: ServerCommand): Promise<ServerProcess> {
  const start = launch(options);
  const forget = (): void => void starts.delete(start);
  starts.add(start);
  start.then(forget, forget);
  return start;
}

/** Resolves when each server that is starting has started, or has failed to. */
export async function startsOver(): Promise<void> {
  await Promise.allSettled(starts);
}

async function launch(options: ServerCommand): Promise<ServerProcess> {
  const child = spawnGroup(options.command, options);
  let output = '';
  const listeners = new Set<() => void>();
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => {
      output += text;
      for (const listener of listeners) listener();
    });
  }
  let exit: ServerExit | null = null;
  const exited = new Promise<ServerExit>((resolve) => {
    const settle = (code: number | null): void => {
      running.delete(kill);
      exit = { code, output };
      resolve(exit);
      for (const listener of listeners) listener();
    };
    child.once('error', (error) => {
      output += `\n${error.message}`;
      settle(null);
    });
    // Its leftover processes are ended first: they may hold the output open, which is not closed before.
    let groupEnded: Promise<void> | undefined;
    child.once('exit', () => (groupEnded = endGroup(child)));
    child.once('close', async (code) => {
      await groupEnded;
      settle(code);
    });
  });
  const kill = async (): Promise<void> => {
    killGroup(child);
    await exited;
  };
  if (!options.outlivesBehaviours) running.add(kill);

  const waitForOutput = (pattern: RegExp): Promise<RegExpMatchArray> =>
    new Promise((resolve, reject) => {
      const settle = (act: () => void): void => {
        clearTimeout(limit);
        listeners.delete(look);
        act();
      };
      const look = (): void => {
        const match = output.match(pattern);
        if (match !== null) settle(() => resolve(match));
        else if (exit !== null) settle(() => reject(unprinted('ended', pattern, options, output)));
      };
      const limit = setTimeout(
        () => settle(() => reject(unprinted(`ran for ${LIMIT_MS} ms`, pattern, options, output))),
        LIMIT_MS,
      );
      listeners.add(look);
      look();
    });

  const stop = async (): Promise<ServerExit> => {
    child.kill('SIGTERM');
    const limit = setTimeout(() => killGroup(child), LIMIT_MS);
    const result = await exited;
    clearTimeout(limit);
    return result;
  };

  try {
    const ready = await waitForOutput(options.ready);
    const signal = (name: NodeJS.Signals): void => void child.kill(name);
    return { origin: new URL(ready[1] ?? '').origin, waitForOutput, signal, stop, kill };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Kills every server that was not stopped: those of an abandoned behaviour. */
export async function killAbandonedServers(): Promise<void> {
  await Promise.all([...running].map((kill) => kill()));
}

function unprinted(what: string, pattern: RegExp, { command, folder }: ServerCommand, output: string): Error {
  return new Error(`${command.join(' ')} in ${folder} ${what} without printing ${pattern}. It printed:\n${output}`);
}
