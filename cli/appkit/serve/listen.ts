import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { CommandError } from '../command-error.ts';

const DEFAULT_PORT = 8081;
const LAST_PORT = 65_535;

/** The result of listening. */
export interface Listening {
  /** The port the server listens on. */
  port: number;
  /** The default port, if it was busy and another was used. */
  busyPort?: number;
}

/**
 * Makes a server listen on the requested port, or on the first free one from 8081.
 *
 * @param server – not listening yet.
 * @param options – `port` is what the user asked for by number.
 * @throws CommandError when that port is busy or may not be used, or `host` is not an address of this machine.
 */
export async function listen(
  server: Server,
  { host, port }: { host: string; port?: number | undefined },
): Promise<Listening> {
  if (port !== undefined) return { port: await tryPort(server, host, port) };

  for (let candidate = DEFAULT_PORT; candidate <= LAST_PORT; candidate++) {
    try {
      await tryPort(server, host, candidate);
      return { port: candidate, ...(candidate !== DEFAULT_PORT && { busyPort: DEFAULT_PORT }) };
    } catch (error) {
      if (!(error instanceof CommandError && codeOf(error.cause) === 'EADDRINUSE')) throw error;
    }
  }
  throw new CommandError(
    `Every port from ${DEFAULT_PORT} on is busy.`,
    'Stop a server that uses one, or name a port with --port.',
  );
}

/** Finds the port that a server would listen on. The port is free when this resolves. Throws as {@link listen} does. */
export async function findPort(wish: { host: string; port?: number }): Promise<Listening> {
  const server = createServer();
  const listening = await listen(server, wish);
  server.close();
  await once(server, 'close');
  return listening;
}

async function tryPort(server: Server, host: string, port: number): Promise<number> {
  try {
    server.listen(port, host);
    await once(server, 'listening');
  } catch (error) {
    throw explain(error, host, port);
  }
  return (server.address() as AddressInfo).port; // a string only for a pipe
}

function explain(error: unknown, host: string, port: number): CommandError {
  const cause = { cause: error };
  switch (codeOf(error)) {
    case 'EADDRINUSE':
      return new CommandError(
        `Port ${port} on ${host} is busy.`,
        'Name another one with --port, or stop what uses it.',
        cause,
      );
    case 'EACCES':
      return new CommandError(
        `Port ${port} may not be used by this user.`,
        'Name a port above 1023 with --port.',
        cause,
      );
    case 'ENOTFOUND':
    case 'EAI_AGAIN':
    case 'EADDRNOTAVAIL':
      return new CommandError(
        `${host} is not an address of this machine.`,
        'Name one with --host, such as localhost, or 0.0.0.0 for all of them.',
        cause,
      );
    default:
      return new CommandError(
        `Cannot listen on ${host}, port ${port}: ${String(error)}.`,
        'Name others with --host and --port.',
        cause,
      );
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined;
}
