import cluster from 'node:cluster';
import { CommandError } from '../command-error.ts';
import type { ExportedApp } from './find-build.ts';
import { isOwnMessage } from './worker-messages.ts';
import type { PrimaryMessage } from './worker-messages.ts';

const SEE_ABOVE = 'Look for the reason in its output above.';

/** A worker, from the view of the process that started it. */
export interface WorkerProcess {
  pid: number | undefined;
  /** Resolves once it accepts connections. Rejects with a CommandError when it cannot. */
  listening: Promise<void>;
  /** Tells it that it will be stopped. Resolves with how many milliseconds it should keep answering. */
  drain(): Promise<number>;
  /**
   * Tells it to finish. Resolves with how many requests it has in progress; 0 when it has ended before it could say
   * so.
   */
  stop(): Promise<number>;
  /** Ends it at once, as one whose work did not finish in time. */
  kill(): void;
  /** Resolves once it has ended. */
  ended: Promise<{ how: string; isLate: boolean }>;
}

/** Starts this command again, as a worker that serves an app on a port. */
export function startWorker(app: ExportedApp, port: number): WorkerProcess {
  const worker = cluster.fork();
  let isLate = false;
  const ended = new Promise<{ how: string; isLate: boolean }>((resolve) => {
    worker.once('exit', (code: number | null, signal: string | null) => {
      resolve({ how: signal ? `was ended by ${signal}` : `has exited with ${code}`, isLate });
    });
  });
  const draining = new Promise<number>((resolve) => {
    worker.on('message', (message: unknown) => {
      if (isOwnMessage(message) && message.appkit === 'draining') resolve(message.ms);
    });
    void ended.then(() => resolve(0));
  });
  const running = new Promise<number>((resolve) => {
    worker.on('message', (message: unknown) => {
      if (!isOwnMessage(message)) return;
      if (message.appkit === 'stopping') resolve(message.runningRequests);
      if (message.appkit === 'late') isLate = true;
    });
    void ended.then(() => resolve(0));
  });
  const listening = new Promise<void>((resolve, reject) => {
    worker.on('message', (message: unknown) => {
      if (!isOwnMessage(message)) return;
      if (message.appkit === 'listening') resolve();
      if (message.appkit === 'failed') {
        reject(new CommandError(message.message, message.fix, { exitCode: message.exitCode }));
      }
    });
    void ended.then(({ how }) => reject(new CommandError(`A worker ${how} before it could serve.`, SEE_ABOVE)));
  });
  // Nothing waits for a worker that is started later.
  listening.catch(() => {});
  // The channel of an ending worker is closed; `exit` reports its end.
  worker.on('error', () => {});
  // Messages sent before the worker is ready would be lost.
  const ready = new Promise<void>((resolve) => {
    worker.on('message', (message: unknown) => isOwnMessage(message) && message.appkit === 'ready' && resolve());
  });
  const tell = (message: PrimaryMessage): void => {
    void ready.then(() => worker.isConnected() && worker.send(message));
  };
  tell({ appkit: 'start', port, app });
  return {
    pid: worker.process.pid,
    listening,
    ended,
    drain() {
      tell({ appkit: 'drain' });
      return draining;
    },
    stop() {
      tell({ appkit: 'stop' });
      return running;
    },
    kill() {
      isLate = true;
      worker.process.kill('SIGKILL');
    },
  };
}
