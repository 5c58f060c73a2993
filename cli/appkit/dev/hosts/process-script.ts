// Runs in the host: in Bun and Deno.
import type { HostSettings } from './host-runner.ts';
import { providePages, toAdapterOptions } from './in-host.ts';
import { onlyFor } from './only-for.ts';
import type { Handler } from './only-for.ts';

/** The settings on the command line of the process, as JSON. */
export interface ProcessSettings extends HostSettings {
  /** The folder of the server build. */
  build: string;
  /** The URL of the adapter's module. */
  adapter: string;
}

/** Makes the handler of the app, and prints its port once it answers. */
export async function startProcess(serve: (handler: Handler) => { port: number }): Promise<void> {
  const settings = JSON.parse(process.argv.at(-1) ?? '') as ProcessSettings; // written by process-runner.ts
  const { build, adapter, host, mark } = settings;
  // The process that has started this one may be killed.
  process.stdin.once('end', () => process.exit()).resume();
  const { createRequestHandler } = (await import(adapter)) as { createRequestHandler(options: object): Handler };
  const options = toAdapterOptions(settings);
  providePages(settings);
  // In production they may end the process. Here the next edit is likely to fix it.
  const survive = (error: unknown): void => void options.onError(error, new Request('unhandled:'));
  process.on('uncaughtException', survive);
  process.on('unhandledRejection', survive);
  const { port } = serve(onlyFor(host, createRequestHandler({ build, ...options })));
  console.log(`${mark} ${JSON.stringify({ port })}`);
}
