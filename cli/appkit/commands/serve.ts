import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../command-error.ts';
import { loadEnvFile } from '../env-file.ts';
import { onStdout } from '../report/style.ts';
import { createAppServer } from '../serve/app-server.ts';
import { findBuild } from '../serve/find-build.ts';
import { listen } from '../serve/listen.ts';
import { toLocalUrl } from '../serve/local-url.ts';
import { stopSignal } from '../stop-signal.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit serve`, as commander reads them. */
export interface ServeFlags {
  outputDir: string;
  host: string;
  shutdownTimeout: number;
  port?: number;
  envFile?: string;
}

/** Serves an exported app until the process is asked to stop. */
export async function serveCommand(directory: string, flags: ServeFlags): Promise<void> {
  if (flags.envFile !== undefined) loadEnvFile(flags.envFile);
  process.env['NODE_ENV'] ??= 'production';
  process.setSourceMapsEnabled(true);

  const app = await findBuild(projectRoot(directory), flags.outputDir);
  const { server, close, runningRequests } = await createAppServer(app);
  const { port, busyPort } = await listen(server, flags);
  const stopped = stopSignal();

  if (busyPort !== undefined) console.log(`Port ${busyPort} is busy, taking ${port} instead.`);
  const what = app.server ? (app.client ? 'static files and routes' : 'routes') : 'static files';
  console.log(`Serving ${what} at ${onStdout('cyan', toLocalUrl(flags.host, port))}`);

  await stopped;
  const running = runningRequests();
  if (running > 0) {
    console.log(`Finishing ${running === 1 ? 'one request' : `${running} requests`}. A second signal stops at once.`);
  }
  const limitMs = flags.shutdownTimeout * 1000;
  const inTime = await Promise.race([close().then(() => true), delay(limitMs, false, { ref: false })]);
  if (!inTime) {
    throw new CommandError(
      `Requests or tasks were still running ${flags.shutdownTimeout} seconds after the signal to stop, and were cut off.`,
      'Give them more time with --shutdown-timeout, or end streams when request.signal is aborted.',
    );
  }
}
