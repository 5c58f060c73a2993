import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import { existsSync } from 'node:fs';
import type { Socket } from 'node:net';
import path from 'node:path';
import { SITE_MODULES } from 'appkit-build/development';
import { DATA_PARAMETER } from 'appkit-server/match';
import { createStaticFiles } from 'appkit-server/static';
import type { ViteDevServer } from 'vite';
import type { Certificate } from './certificate.ts';
import { createApiDocs } from './api-docs.ts';
import { createChangeStream } from './change-stream.ts';
import { createVite } from './create-vite.ts';
import { describeFailure } from './describe-failure.ts';
import { createDevApp } from './dev-app.ts';
import type { DevApp } from './dev-app.ts';
import { toErrorAnswer } from './error-answer.ts';
import { toSourceError } from './browser-error.ts';
import { showOverlay } from './error-overlay.ts';
import { toErrorReport } from './error-report.ts';
import type { ErrorReport } from './error-report.ts';
import { isRefused } from './file-access.ts';
import type { DevHostName } from './hosts/host-runner.ts';
import { startHost } from './hosts/start-host.ts';
import { createUpgradeResponse, isForWebSocket } from './hosts/upgrade-response.ts';
import { isAllowedHost, refuseHost } from './host-check.ts';
import { KEEP_ALIVE_MS } from '../keep-alive.ts';
import { loadVite } from './load-vite.ts';
import { toFileTarget } from './file-target.ts';
import { logRequest } from './request-log.ts';
import { createJobsDesk } from './jobs-desk.ts';
import { createReloader } from './reload.ts';
import type { Reporter } from './report.ts';
import { createServerModules } from './server-modules.ts';
import type { ServerModules } from './server-modules.ts';
import { toPublicUrl } from './public-url.ts';
import type { DevSite } from './site.ts';
import { createUpgradableServer } from './upgradable-server.ts';
import { VITE_BASE } from './vite-base.ts';
import { watchFiles } from './watch-files.ts';

/** What to develop, and where. */
export interface DevServerOptions {
  /** The real path of the project. */
  projectRoot: string;
  /** The name or address that the server will listen on. */
  host: string;
  reporter: Reporter;
  /** The app's pages. Default: none, and no URL of Vite is served. */
  site?: DevSite | undefined;
  /** The certificate for HTTPS. Default: the server uses HTTP. */
  certificate?: Certificate | undefined;
  /** Prints no line per request. Default: false. */
  quiet?: boolean | undefined;
  /** Where the routes and the middleware run, and the variables that have been read from files. Default: in this process. */
  devHost?: { name: DevHostName; variables: Readonly<Record<string, string>> } | undefined;
}

/** A development server, not listening yet. */
export interface DevServer {
  server: Server;
  app: DevApp;
  /** Opens a URL in the browser: the one that the variable `BROWSER` names, or the user's default. */
  open(url: string): void;
  /** Closes the server at once, including running requests. */
  close(): Promise<void>;
}

/** Creates a server that answers each request as production would with the app's current files. */
export async function createDevServer(options: DevServerOptions): Promise<DevServer> {
  const { projectRoot, host, reporter, site, certificate, quiet = false, devHost } = options;
  const loaded = await loadVite(projectRoot);
  const server = createUpgradableServer(
    certificate,
    (request) => isForVite(request) || (hostApp !== undefined && isForWebSocket(request)),
  );
  server.keepAliveTimeout = KEEP_ALIVE_MS;
  const changes = createChangeStream();
  const toAnswer = (report: ErrorReport, accept = ''): Response =>
    toErrorAnswer(report, { accept, changesUrl: changes.url() });
  const hostApp =
    devHost &&
    (await startHost({
      ...devHost,
      projectRoot,
      host,
      isSecure: certificate !== undefined,
      reporter,
      app: () => app,
      vite: () => vite,
      toAnswer(report, { url = '', headers }) {
        if (site && new URLSearchParams(url.split('?')[1]).has(DATA_PARAMETER)) showOverlay(vite, report);
        return toAnswer(report, headers.accept);
      },
    }));
  let jobs: DevApp['description']['jobs'] = [];
  const vite = await createVite(loaded, {
    projectRoot,
    site,
    findJobs: () => jobs,
    reporter,
    isHosted: devHost !== undefined,
    development: { host, server },
  });
  await isWatching(vite);
  const view = vite.environments[SITE_MODULES.viewEnvironment];
  const views = view && createServerModules(loaded, view);
  const modules = joinModules(createServerModules(loaded, vite.environments.ssr), views);

  const reportFailed = (error: unknown, request: Request): void => reporter.error(error, describeFailure(request));

  const app: DevApp = await createDevApp({
    projectRoot,
    vite,
    modules,
    views,
    site,
    fetchFromHost: hostApp?.fetch,
    hostKeepsJobs: hostApp?.jobs !== undefined,
    onDescribed: (description) => void ({ jobs } = description),
    onError(error, request) {
      reportFailed(error, request);
      const report = toErrorReport(error, projectRoot);
      // The page that requested the data shows the error, which the answer cannot.
      if (site && new URL(request.url).searchParams.has(DATA_PARAMETER)) showOverlay(vite, report);
      return toAnswer(report, request.headers.get('accept') ?? '');
    },
    onLateError(error, request) {
      reportFailed(error, request);
      showOverlay(vite, toErrorReport(error, projectRoot));
    },
  });
  if (site) {
    vite.environments.client.hot.on(SITE_MODULES.events.error, (sent: unknown) => {
      toSourceError(sent, vite.environments.client).then(
        (error) => showOverlay(vite, toErrorReport(error, projectRoot)),
        (error: unknown) => reporter.error(error, 'An error of the browser cannot be shown.'),
      );
    });
  }
  const pages = site && {
    entry: site.entry,
    configFiles: site.configFiles,
    async refresh(files: ReadonlySet<string>) {
      const { ssr } = vite.environments;
      for (const file of [...files].filter(existsSync)) {
        // By their own URLs: a file imported as `?raw` or `?url` may not be code. An import that was corrected to that leaves its first URL behind.
        const read = await Promise.allSettled(
          [ssr, view].flatMap((environment) => {
            const imported = [...(environment?.moduleGraph.getModulesByFile(loaded.vite.normalizePath(file)) ?? [])];
            return imported.map(({ url }) => environment?.transformRequest(url));
          }),
        );
        const failures = read.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
        if (failures.length > 0 && failures.length === read.length) throw failures[0];
      }
      site.refresh({ vite });
    },
  };
  const { onChange, onSettled } = createReloader({
    projectRoot,
    app,
    modules,
    reporter,
    changes,
    hostApp,
    site: pages,
  });
  const stopWatching = watchFiles(vite, { onChange, onSettled });

  await hostApp
    ?.update(app, new Set())
    .catch((error: unknown) => reporter.errorOnce(error, `The routes cannot run in ${hostApp.name}.`));
  const answerApp = (request: IncomingMessage, response: ServerResponse): void => {
    const { site: pages, hasServer } = app.description;
    if (pages && !hasServer) request.url = toFileTarget(request.url ?? '');
    (hostApp ?? app).answer(request, response);
  };

  const files = createStaticFiles(path.join(projectRoot, 'public'), {
    live: true,
    onError: (error) => reporter.error(error, 'A file of public cannot be served.'),
  });
  const answerFile = (request: IncomingMessage, response: ServerResponse, next: () => void): void => {
    const url = toPublicUrl(request.url ?? '', app.description.config.base);
    if (url === undefined) return next();
    const { method, url: originalUrl, headers } = request;
    files({ method, url, originalUrl, headers }, response, next);
  };
  const apiDocs = createApiDocs({ projectRoot, app: () => app, changesUrl: changes.url });
  const jobsDesk = createJobsDesk({ projectRoot, app: () => app, host: hostApp?.jobs });
  const own = [changes, apiDocs, jobsDesk];
  const answer = async (request: IncomingMessage, response: ServerResponse): Promise<void> => {
    if (!isAllowedHost(request.headers.host, host)) return refuseHost(request, response);
    if (own.some((part) => part.answer(request, response))) return;
    if (site && request.url?.startsWith(VITE_BASE)) {
      if (isRefused(request, { vite: loaded.vite, config: vite.environments.client.config }))
        return refuseFile(response);
      vite.middlewares(request, response, () => answerApp(request, response));
    } else answerFile(request, response, () => answerApp(request, response));
  };
  server.on('request', (request, response) => {
    if (!quiet) logRequest(request, response, reporter);
    answer(request, response).catch((error: unknown) => {
      reporter.error(error, `${request.method} ${request.url} failed.`);
      response.writeHead(500, { 'content-type': 'text/plain' }).end('Internal server error');
    });
  });

  server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
    if (!hostApp || isForVite(request) || !isForWebSocket(request)) return;
    socket.unshift(head);
    const response = createUpgradeResponse(request, socket);
    if (!quiet) logRequest(request, response, reporter);
    if (isAllowedHost(request.headers.host, host)) hostApp.answer(request, response);
    else refuseHost(request, response);
  });

  return {
    server,
    app,
    open(url) {
      vite.resolvedUrls = { local: [url], network: [] };
      vite.openBrowser();
    },
    async close() {
      app.stopJobs();
      stopWatching();
      server.close();
      server.closeAllConnections();
      await Promise.all([vite.close(), hostApp?.close()]);
    },
  };
}

/** The modules, which are dropped together with those of the views. */
function joinModules(modules: ServerModules, views: ServerModules | undefined): ServerModules {
  if (!views) return modules;
  return {
    load: (file) => modules.load(file),
    invalidate: (...change) => [...modules.invalidate(...change), ...views.invalidate(...change)],
    has: (...change) => modules.has(...change) || views.has(...change),
    close: async () => void (await Promise.all([modules.close(), views.close()])),
  };
}

function isForVite({ headers }: IncomingMessage): boolean {
  return /^vite-(?:hmr|ping)$/.test(headers['sec-websocket-protocol'] ?? '');
}

/** An edit before the watcher's first scan has ended would go unnoticed. */
async function isWatching({ watcher }: ViteDevServer): Promise<void> {
  // Not in its types (chokidar 3), and there is no other way to know whether the event has already fired.
  if ((watcher as { _readyEmitted?: boolean })._readyEmitted !== false) return;
  await new Promise<void>((resolve) => watcher.once('ready', () => resolve()));
}

function refuseFile(response: ServerResponse): void {
  response.writeHead(403, { 'content-type': 'text/plain; charset=utf-8' }).end('Not served to a browser.\n');
}
