import { setTimeout as delay } from 'node:timers/promises';
import { findFreePort } from '../free-port.ts';
import { endGroup, spawnGroup } from '../process-group.ts';
import { askForHello } from './tested-server.ts';
import type { TestedServer } from './tested-server.ts';

/** A fuse: a server that takes this long on the slowest machine does not start. */
const START_LIMIT_MS = 60_000;

/**
 * Starts a server on this machine with a command line, with the port to listen on in `PORT`, and waits until it
 * answers.
 *
 * @param command – run by the shell, in the working directory.
 * @throws Error when the server ends, or does not answer like the fixture.
 */
export async function startServer(command: string): Promise<TestedServer> {
  const port = await findFreePort();
  const url = new URL(`http://127.0.0.1:${port}`);
  let running = await launch(command, url);
  return {
    url,
    end: (withinMs) => running.end(withinMs),
    async restart() {
      await running.stop();
      running = await launch(command, url);
    },
    stop: () => running.stop(),
  };
}

async function launch(command: string, url: URL): Promise<Pick<TestedServer, 'end' | 'stop'>> {
  const env = { ...process.env, PORT: url.port, HOST: url.hostname };
  // A shell interprets the command line as its author expects.
  const child = spawnGroup(['sh', '-c', command], { folder: process.cwd(), env });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (text: string) => (output = (output + text).slice(-4000)));
  }
  let end: string | null = null;
  const ended = new Promise<void>((resolve) => {
    const settle = (how: string): void => {
      end = how;
      resolve();
    };
    child.once('error', (error) => settle(error.message));
    child.once('exit', (code, signal) => settle(signal === null ? `exit code ${code}` : signal));
  });
  const said = (): string => (output === '' ? 'It printed nothing.' : `It printed:\n${output.trimEnd()}`);

  const stopAt = Date.now() + START_LIMIT_MS;
  for (let answer = await askForHello(url, START_LIMIT_MS); answer !== null; answer = await askForHello(url, 5_000)) {
    if (end !== null) throw new Error(`${command} ended with ${end} before it answered. ${said()}`);
    if (Date.now() > stopAt) {
      await endGroup(child);
      throw new Error(`${command} does not serve the fixture: ${answer}. ${said()}`);
    }
    await delay(50);
  }
  return {
    async end(withinMs) {
      await Promise.race([ended, delay(withinMs)]);
      return end && `${end}. ${said()}`;
    },
    stop: () => endGroup(child),
  };
}
