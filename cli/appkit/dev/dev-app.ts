import type { IncomingMessage, ServerResponse } from 'node:http';
import { findMissingForSite, toManifest, writeTypedRoutes } from 'appkit-build/development';
import type { AppDescription } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { ConnectedJobs, JobEngine } from 'appkit-server/jobs/sqlite';
import { createRequestHandler } from 'appkit-server/adapter/node';
import type { ServerBuild } from 'appkit-server/manifest';
import type { ViteDevServer } from 'vite';
import { printWarning } from '../report/error.ts';
import { describe, loadFile, nothingYet, toServerBuild } from './app-build.ts';
import { createHeadHint } from './head-hint.ts';
import { openJobs } from '../serve/open-jobs.ts';
import type { Jobs } from '../serve/open-jobs.ts';
import type { ModuleExports, ServerModules } from './server-modules.ts';
import type { DevSite, SitePages } from './site.ts';

/** What an app in development is made of. */
export interface DevAppOptions {
  projectRoot: string;
  vite: ViteDevServer;
  modules: ServerModules;
  site?: DevSite | undefined;
  /** The routes run elsewhere, and only pages are answered here: the URL of the request is what X-Forwarded headers say. */
  pagesOnly?: boolean | undefined;
  /** Called with what the app is now, before any of it is loaded. */
  onDescribed(description: AppDescription): void;
  /** Called with every error of a request. What it returns is the answer. */
  onError(error: unknown, request: Request): Response;
  /** Called with an error of a page whose answer has begun. */
  onLateError(error: unknown, request: Request): void;
}

/** An app in development: what production would do with the files as they are now. */
export interface DevApp {
  /** The app as it was last described. */
  readonly description: AppDescription;
  /** Its pages, as the manifest of a server build has them. */
  readonly pages: SitePages['manifest'];
  /** Answers a request as the Node adapter does with an export of the app. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Reads config and files again, and writes the types of the routes. Requests from then on load again what is stale; those
   * under way keep what they have.
   */
  describe(): Promise<void>;
  /** Where its jobs are stored. `undefined` without jobs, and if the routes run elsewhere. */
  readonly jobs: { engine: Jobs; enqueue: ConnectedJobs['enqueue'] } | undefined;
  /** Begins no further job. */
  stopJobs(): void;
  /** Imports a file of the server build. Throws ExportError for what an export would refuse. */
  load(file: string): Promise<ModuleExports>;
}

/** Describes an app and makes it answer. */
export async function createDevApp(options: DevAppOptions): Promise<DevApp> {
  const { projectRoot, vite, modules, site, pagesOnly = false, onDescribed, onError, onLateError } = options;
  const responses = new WeakMap<Request, ServerResponse>();
  let arrived: ServerResponse | undefined;
  const hintAtHead = createHeadHint();
  let description = nothingYet(projectRoot);
  let pagesOf: SitePages['manifest'] = {};
  let listener: ReturnType<typeof createRequestHandler>;
  let engine: Jobs | undefined;
  let connected: ConnectedJobs | undefined;

  const load = (file: string): Promise<ModuleExports> => loadFile(description, file, modules);

  const app: DevApp = {
    get description() {
      return description;
    },
    get pages() {
      return pagesOf;
    },
    get jobs() {
      return engine && connected && { engine, enqueue: connected.enqueue };
    },
    answer(request, response) {
      arrived = response;
      listener(request, response);
    },
    async describe() {
      description = await describe(description);
      onDescribed(description);
      const context = { vite, app: description, modules, onError: onLateError };
      const pages = (await site?.describe(context)) ?? refusePages(description);
      pagesOf = pages.manifest;
      if (!pagesOnly && description.jobs.length > 0) engine ??= await openJobs(projectRoot);
      // A handler keeps what it has loaded, so that a change asks for another.
      listener = createRequestHandler({
        build: pagesOnly ? toPagesBuild(description, pages) : toServerBuild(description, { pages, load }),
        trustProxy: pagesOnly,
        // Each request is answered with what was last saved.
        cache: false,
        jobs: engine && noteConnected(engine, (jobs) => void (connected = jobs)),
        onError,
        // The listener calls it before it returns, so the response that has arrived last is that of this request.
        onRequest: ({ request }) => void (arrived && responses.set(request, arrived)),
        onResponse: (answered) => hintAtHead(answered, description, responses.get(answered.request)),
      });
      const pagePatterns = description.site?.pages.map(({ pattern }) => pattern) ?? [];
      await writeTypedRoutes({ ...description, pagePatterns }).catch((error: unknown) => {
        printWarning(`The types of the routes cannot be written: ${String(error)}`);
      });
    },
    stopJobs: () => void engine?.close(),
    load,
  };
  await app.describe();
  return app;
}

/** An engine that tells which jobs an app was given. */
function noteConnected(engine: Jobs, note: (connected: ConnectedJobs) => void): JobEngine {
  return {
    connect(app) {
      const connected = engine.connect(app);
      note(connected);
      return connected;
    },
  };
}

/** Without a site there is nothing that could render the pages that have come up since. */
function refusePages({ site, projectRoot }: AppDescription): SitePages {
  const pages = site?.pages ?? [];
  const modules = pages.map(({ pattern, file }): [string, () => never] => [
    `page ${pattern}`,
    () => {
      const [missing] = findMissingForSite(projectRoot);
      const message = 'It is a page of an app that was started without what pages need.';
      throw new ExportError([missing ?? { file, message, fix: 'Start it again.' }]);
    },
  ]);
  return {
    manifest: { pages: pages.map(({ pattern }) => ({ pattern, file: `page ${pattern}` })) },
    modules: Object.fromEntries(modules),
  };
}

/** What is left when the routes run elsewhere, by which rewrites find their pages as they do there. */
function toPagesBuild({ config, hasServer }: AppDescription, { manifest, modules }: SitePages): ServerBuild {
  const { implicitHead, base, rewrites, headers, formOrigins } = config;
  // What pages have of their own gives way to the headers of the config.
  const rules = hasServer
    ? { ...(rewrites && { rewrites }), ...(headers && { headers }), ...(formOrigins && { formOrigins }) }
    : {};
  const options = { implicitHead, strictFetch: true, ...(base && { base }), ...rules, ...manifest };
  return { manifest: toManifest({ routes: [], middleware: [], jobs: [] }, options), modules };
}
