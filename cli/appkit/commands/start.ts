import { realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { ExportError } from 'appkit-build/problem';
import { formatTable } from '../report/table.ts';
import { printWarning } from '../report/error.ts';
import { onStdout } from '../report/style.ts';
import { createDevServer } from '../dev/dev-server.ts';
import { JOBS_PATH } from '../dev/jobs-page.ts';
import { createSite } from '../dev/create-site.ts';
import type { DevApp } from '../dev/dev-app.ts';
import { splitHosts } from '../dev/hosts/split-hosts.ts';
import { loadCertificate } from '../dev/certificate.ts';
import type { CertificateFlags } from '../dev/certificate.ts';
import { loadEnvFiles } from '../dev/env-files.ts';
import { loadVite } from '../dev/load-vite.ts';
import { createReporter, reportProblems } from '../dev/report.ts';
import type { Reporter } from '../dev/report.ts';
import { loadEnvFile } from '../env-file.ts';
import { listen } from '../serve/listen.ts';
import { toLocalUrl } from '../serve/local-url.ts';
import { stopSignal } from '../stop-signal.ts';
import { CommandError } from '../command-error.ts';
import { projectRoot } from './project-root.ts';
import type { FrameworkFlags } from './start-framework.ts';
import { toKind } from '../report/middleware.ts';

/** The options of `appkit start`, as commander reads them. */
export interface StartFlags extends CertificateFlags {
  /** Names or addresses, and where the routes run. */
  host?: readonly string[];
  port?: number;
  envFile?: string;
  open?: boolean;
  quiet?: boolean;
  /** The framework whose development server is started in place of ours. */
  from?: string;
}

/** Serves an app for development until the process is asked to stop. */
export async function startCommand(directory: string, flags: StartFlags): Promise<void> {
  const { host, devHost } = splitHosts(flags.host ?? []);
  const before = { ...process.env };
  if (flags.envFile !== undefined) loadEnvFile(flags.envFile);
  process.env['NODE_ENV'] ??= 'development';
  process.setSourceMapsEnabled(true);

  const root = realpathSync(projectRoot(directory));
  if (flags.from !== undefined) return startFramework(root, { ...flags, from: flags.from, host }, devHost);
  assertReadable(root);
  const { vite } = await loadVite(root);
  const envFiles = loadEnvFiles(vite, root, process.env['NODE_ENV']);
  const certificate = await loadCertificate(root, flags);
  const reporter = createReporter(root);
  surviveStrayErrors(reporter);
  const stopped = stopSignal();
  const site = await createSite(root);
  const { server, app, open, close } = await createDevServer({
    projectRoot: root,
    host,
    reporter,
    site,
    certificate,
    quiet: flags.quiet,
    devHost: devHost && { name: devHost, variables: listAdded(process.env, before) },
  });
  if (!app.description.hasRoutesFolder) {
    await close();
    throw new ExportError(app.description.problems);
  }
  const { port, busyPort } = await listen(server, { host, port: flags.port });

  printApp(app, reporter);
  if (envFiles.length > 0) {
    console.log(
      `Variables are read from ${envFiles.join(', ')}. Nothing but start reads them: set them on the host too.`,
    );
  }
  if (busyPort !== undefined) console.log(`Port ${busyPort} is busy, taking ${port} instead.`);
  const { base } = app.description.config;
  const origin = toLocalUrl(host, port, { scheme: certificate ? 'https' : 'http' });
  // An app with a base path answers only below it.
  const url = base === undefined ? origin : `${origin}${base}/`;
  if (devHost) console.log(`The routes run in ${devHost}.`);
  console.log(`Ready at ${onStdout('cyan', url)} in ${performance.now().toFixed(0)} ms`);
  if (app.jobs) console.log(`Jobs at ${onStdout('cyan', origin + JOBS_PATH)}`);

  if (flags.open) open(`${origin}${base ?? ''}/`);

  await stopped;
  // The user who pressed Ctrl-C is waiting; what is not closed by then ends with the process.
  await Promise.race([close(), delay(500, undefined, { ref: false })]);
}

/** Vite takes `#` for the beginning of a fragment: every route would fail. */
function assertReadable(root: string): void {
  if (!root.includes('#')) return;
  const message = `${root}: Vite cannot read files below a folder with # in its name.`;
  throw new CommandError(message, 'Rename that folder, or move the app out of it.');
}

async function startFramework(root: string, flags: FrameworkFlags, devHost: string | undefined): Promise<void> {
  if (devHost !== undefined) {
    throw new CommandError(
      `A framework's development server runs where the framework runs it, not in ${devHost}.`,
      `Remove --host ${devHost}.`,
    );
  }
  const { startFrameworkCommand } = await import('./start-framework.ts');
  await startFrameworkCommand(root, flags);
}

/** The variables that have been read from files. */
function listAdded(variables: NodeJS.ProcessEnv, before: NodeJS.ProcessEnv): Record<string, string> {
  const isAdded = (entry: [string, string | undefined]): entry is [string, string] =>
    entry[1] !== undefined && entry[0] !== 'NODE_ENV' && !(entry[0] in before);
  return Object.fromEntries(Object.entries(variables).filter(isAdded));
}

function printApp({ description }: DevApp, reporter: Reporter): void {
  const { routes, middleware, jobs, site, warnings } = description;
  for (const warning of warnings) printWarning(warning);
  reportProblems(description, reporter);
  const rows = routes.map(({ pattern, methods, file }) => [pattern, methods.join(' '), file]);
  rows.push(...(site?.pages ?? []).map(({ pattern, file }) => [pattern, 'page', file]));
  rows.push(...middleware.map(({ role, pattern, file }) => [pattern, toKind(role), file]));
  rows.push(...jobs.map(({ job, file }) => [job, 'job', file]));
  if (rows.length === 0)
    return console.log('There are no routes and no pages. Create a first one: app/hello+api.ts, which exports GET.');
  console.log(`${formatTable([{ heading: 'URL' }, { heading: 'Methods' }, { heading: 'File' }], rows)}\n`);
}

/** In production these end the process. Here the next edit is likely to fix the error. */
function surviveStrayErrors(reporter: Reporter): void {
  // Unhandled rejections come here too.
  process.on('uncaughtException', (error) => {
    reporter.error(error, 'An unhandled error. In production it ends the process.');
  });
}
