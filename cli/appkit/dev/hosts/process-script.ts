// Runs in the host: in Bun and Deno.
import { setTimeout as delay } from 'node:timers/promises';
import type { HostSettings } from './host-runner.ts';
import { providePages, toAdapterOptions } from './in-host.ts';
import { JOBS_HEADER, loadJobs } from './jobs-in-host.ts';
import type { JobSettings, JobsInHost } from './jobs-in-host.ts';
import { onlyFor } from './only-for.ts';
import type { Handler } from './only-for.ts';

/** The settings on the command line of the process, as JSON. */
export interface ProcessSettings extends HostSettings {
  /** The folder of the server build. */
  build: string;
  /** The URL of the adapter's module. */
  adapter: string;
  /** How jobs are kept. Default: the app has none. */
  jobs?: JobSettings | undefined;
}

/** What the process of `appkit start` tells this one, in lines. `pause` is answered. */
export type Order = 'pause' | 'finish';

/** How long the process waits for its running jobs to stop, in milliseconds: whoever presses Ctrl-C is waiting. */
const STOP_MS = 250;

/** Makes the handler of the app, and prints its port once it answers. */
export async function startProcess(serve: (handler: Handler) => { port: number }): Promise<void> {
  const settings = JSON.parse(process.argv.at(-1) ?? '') as ProcessSettings; // written by process-runner.ts
  const { build, adapter, host, mark } = settings;
  let jobs: JobsInHost | undefined;
  const leave = (): void => {
    if (jobs) void Promise.race([jobs.stop(), delay(STOP_MS)]).finally(() => process.exit());
    else process.exit();
  };
  const obey = (orders: string): void => {
    for (const order of orders.split('\n') as Order[]) {
      if (order === 'finish') void jobs?.finish().finally(() => process.exit());
      if (order !== 'pause') continue;
      jobs?.pause();
      // By then, the engine has begun what it had taken.
      setImmediate(() => console.log(`${mark} {"paused":true}`));
    }
  };
  // The process that has started this one may be killed.
  process.stdin.setEncoding('utf8').on('data', obey).once('end', leave);
  const { createRequestHandler } = (await import(adapter)) as { createRequestHandler(options: object): Handler };
  const options = toAdapterOptions(settings);
  providePages(settings);
  // In production they may end the process. Here the next edit is likely to fix it.
  const survive = (error: unknown): void => void options.onError(error, new Request('unhandled:'));
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
  if (settings.jobs) jobs = await loadJobs(settings.jobs, createRequestHandler);
  // Ctrl-C in a terminal reaches this process too. The end of its input follows.
  if (jobs) process.on('SIGINT', () => undefined);
  const handler = onlyFor(host, createRequestHandler({ build, ...options, jobs: jobs?.engine }));
  const { port } = serve(jobs ? withDesk(handler, jobs, mark) : handler);
  console.log(`${mark} ${JSON.stringify({ port })}`);
}

function withDesk(handler: Handler, jobs: JobsInHost, mark: string): Handler {
  return (request, server) =>
    request.headers.get(JOBS_HEADER) === mark ? jobs.answerDesk(request) : handler(request, server);
}
