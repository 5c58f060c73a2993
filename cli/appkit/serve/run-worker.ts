import { startDraining } from 'appkit-server/shutdown';
import { CommandError } from '../command-error.ts';
import { createAppServer } from './app-server.ts';
import { closeInTime } from './close-in-time.ts';
import { listen } from './listen.ts';
import { isOwnMessage } from './worker-messages.ts';
import type { PrimaryMessage, WorkerMessage } from './worker-messages.ts';

/**
 * Serves an exported app as one of several workers, until the process that started it tells it to stop. Only that
 * process prints and finds the app, so that all workers serve the same release.
 */
export async function runWorker(flags: { host: string; shutdownTimeout: number; work: boolean }): Promise<void> {
  // Terminals and systemd signal all processes of a command. The first process decides when each of them ends.
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.on(signal, () => {});
  try {
    // All at once: a worker may be told to stop while it is still starting.
    const start = receive('start');
    const drain = receive('drain');
    const stop = receive('stop');
    await send({ appkit: 'ready' });
    const { port, app } = await start;
    const server = await createAppServer(app, flags);
    await listen(server.server, { host: flags.host, port });
    await send({ appkit: 'listening' });
    await drain;
    await send({ appkit: 'draining', ms: startDraining() });
    await stop;
    await send({ appkit: 'stopping', runningRequests: server.runningRequests() });
    if (!(await closeInTime(server, flags.shutdownTimeout))) await send({ appkit: 'late' });
  } catch (error) {
    if (!(error instanceof CommandError)) throw error;
    await send({ appkit: 'failed', message: error.message, fix: error.fix, exitCode: error.exitCode });
  }
}

function receive<Name extends PrimaryMessage['appkit']>(
  name: Name,
): Promise<Extract<PrimaryMessage, { appkit: Name }>> {
  return new Promise((resolve) => {
    const listener = (message: unknown): void => {
      if (!isOwnMessage(message) || message.appkit !== name) return;
      process.off('message', listener);
      // `appkit` names the kind of message.
      resolve(message as Extract<PrimaryMessage, { appkit: Name }>);
    };
    process.on('message', listener);
  });
}

// Resolves once the message is sent: the process may end right after.
function send(message: WorkerMessage): Promise<void> {
  return new Promise((resolve) => process.send?.(message, undefined, {}, () => resolve()));
}
