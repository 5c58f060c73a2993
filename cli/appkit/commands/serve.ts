import cluster from 'node:cluster';
import { availableParallelism } from 'node:os';
import { startDraining } from 'appkit-server/shutdown';
import { loadEnvFile } from '../env-file.ts';
import { onStdout } from '../report/style.ts';
import { createAppServer } from '../serve/app-server.ts';
import { closeInTime, printRunning, tooLate, waitWhileDraining } from '../serve/close-in-time.ts';
import { findBuild } from '../serve/find-build.ts';
import type { ExportedApp } from '../serve/find-build.ts';
import { findPort, listen } from '../serve/listen.ts';
import type { Listening } from '../serve/listen.ts';
import { toLocalUrl } from '../serve/local-url.ts';
import { describePlace, findJobs, listJobs } from '../serve/open-jobs.ts';
import { runWorker } from '../serve/run-worker.ts';
import { startWorkers } from '../serve/workers.ts';
import { stopSignal } from '../stop-signal.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit serve`, as commander reads them. */
export interface ServeFlags {
  outputDir: string;
  host: string;
  shutdownTimeout: number;
  /** Whether it runs jobs. */
  work: boolean;
  port?: number;
  envFile?: string;
  workers?: number | 'auto';
}

/** Serves an exported app until the process is asked to stop. */
export async function serveCommand(directory: string, flags: ServeFlags): Promise<void> {
  if (flags.envFile !== undefined) loadEnvFile(flags.envFile);
  process.env['NODE_ENV'] ??= 'production';
  process.setSourceMapsEnabled(true);

  if (flags.workers !== undefined && cluster.isWorker) return runWorker(flags);
  const app = await findBuild(projectRoot(directory), flags.outputDir);
  if (flags.workers === undefined) await serveAlone(app, flags);
  else await serveWithWorkers(app, flags, flags.workers === 'auto' ? availableParallelism() : flags.workers);
}

async function serveAlone(app: ExportedApp, flags: ServeFlags): Promise<void> {
  const server = await createAppServer(app, flags);
  const listening = await listen(server.server, flags);
  const stopped = stopSignal();
  printServing(app, flags, listening);

  await stopped;
  await waitWhileDraining(startDraining());
  printRunning(server.runningRequests());
  if (!(await closeInTime(server, flags.shutdownTimeout))) throw tooLate(flags.shutdownTimeout);
}

async function serveWithWorkers(app: ExportedApp, flags: ServeFlags, count: number): Promise<void> {
  const listening = await findPort(flags);
  const workers = await startWorkers(app, { count, port: listening.port });
  const stopped = stopSignal();
  printServing(app, flags, listening, ` with ${count === 1 ? 'one worker' : `${count} workers`}`);

  await Promise.race([stopped, workers.failed]);
  await waitWhileDraining(await workers.drain());
  printRunning(await workers.stop());
  if (!(await workers.ended(flags.shutdownTimeout))) throw tooLate(flags.shutdownTimeout);
}

function printServing(app: ExportedApp, { host }: ServeFlags, { port, busyPort }: Listening, by = ''): void {
  if (busyPort !== undefined) console.log(`Port ${busyPort} is busy, taking ${port} instead.`);
  if (app.server && listJobs(app.server).length > 0) console.log(`Jobs are in ${describePlace(findJobs(app.root))}`);
  const what = app.server ? (app.client ? 'static files and routes' : 'routes') : 'static files';
  console.log(`Serving ${what} at ${onStdout('cyan', toLocalUrl(host, port) + toStart(app))}${by}`);
}

/** The path shown after the address: an app with a base path answers only below it. */
function toStart({ base }: ExportedApp): string {
  return base === undefined ? '' : `${base}/`;
}
