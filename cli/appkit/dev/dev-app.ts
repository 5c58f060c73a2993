import type { IncomingMessage, ServerResponse } from 'node:http';
import { findMissingForSite, writeTypedRoutes } from 'appkit-build/development';
import type { AppDescription } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import type { ConnectedJobs } from 'appkit-server/jobs/sqlite';
import { createRequestHandler } from 'appkit-server/adapter/node';
import type { ViteDevServer } from 'vite';
import { printWarning } from '../report/error.ts';
import { describe, loadFile, nothingYet, toServerBuild } from './app-build.ts';
import { toHostedBuild } from './hosts/hosted-build.ts';
import type { HostedOptions } from './hosts/hosted-build.ts';
import { createHeadHint } from './head-hint.ts';
import { openJobs } from '../serve/open-jobs.ts';
import type { Jobs } from '../serve/open-jobs.ts';
import type { ModuleExports, ServerModules } from './server-modules.ts';
import type { DevSite, SitePages } from './site.ts';

/** The parts of an app in development. */
export interface DevAppOptions {
  projectRoot: string;
  vite: ViteDevServer;
  modules: ServerModules;
  views?: ServerModules | undefined;
  site?: DevSite | undefined;
  /** Sends a request to the host that runs the routes, and has only pages rendered here. */
  fetchFromHost?: HostedOptions['fetchFromHost'] | undefined;
  /** Whether that host runs the jobs, and keeps them where this process would. Default: `false`. */
  hostKeepsJobs?: boolean | undefined;
  /** Called with the current description of the app, before any of its modules is loaded. */
  onDescribed(description: AppDescription): void;
  /** Called with every error of a request. Its return value is the answer. */
  onError(error: unknown, request: Request): Response;
  /** Called with an error of a page after its answer has begun. */
  onLateError(error: unknown, request: Request): void;
}

/** An app in development: it answers as production would with the current files. */
export interface DevApp {
  /** The app as it was last described. */
  readonly description: AppDescription;
  /** Its pages, in the form of a server build's manifest. */
  readonly pages: SitePages['manifest'];
  /** Answers a request as the Node adapter does with an export of the app. */
  answer(request: IncomingMessage, response: ServerResponse): void;
  /**
   * Reads config and files again, and writes the types of the routes. Later requests reload stale modules; running
   * requests keep theirs.
   */
  describe(): Promise<void>;
  /** The engine that stores its jobs. `undefined` without jobs, and if a host keeps them elsewhere. */
  readonly jobs: { engine: Jobs; enqueue: ConnectedJobs['enqueue'] } | undefined;
  /** Starts no more jobs. */
  stopJobs(): void;
  /** Imports a file of the server build. Throws ExportError for a file that an export would refuse. */
  load(file: string): Promise<ModuleExports>;
}

/** Describes an app and lets it answer requests. */
export async function createDevApp(options: DevAppOptions): Promise<DevApp> {
  const { projectRoot, vite, modules, views, site, fetchFromHost, hostKeepsJobs, onDescribed, onError, onLateError } =
    options;
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
      const context = { vite, app: description, modules, views, onError: onLateError };
      const pages = (await site?.describe(context)) ?? refusePages(description);
      pagesOf = pages.manifest;
      if ((!fetchFromHost || hostKeepsJobs) && description.jobs.length > 0)
        engine ??= await openJobs(projectRoot, { work: !fetchFromHost });
      const build = toServerBuild(description, { pages, load });
      const jobs = engine;
      // A handler keeps the modules it has loaded, so a change needs a new handler.
      listener = createRequestHandler({
        build: fetchFromHost ? toHostedBuild(pages, { onError, fetchFromHost, jobs: description.jobs }) : build,
        trustProxy: fetchFromHost !== undefined,
        // Each request is answered with the last saved files.
        cache: false,
        // The host does, as in production.
        compress: fetchFromHost === undefined,
        // Where a host runs the routes, its build has no modules of jobs.
        jobs: jobs && { connect: (given) => (connected = jobs.connect({ ...given, build })) },
        onError,
        // The listener calls this synchronously, so the response that arrived last belongs to this request.
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

/** Without a site, pages that were added since the start cannot be rendered. */
function refusePages({ site, projectRoot }: AppDescription): SitePages {
  const names = (site?.pages ?? []).map(({ pattern, file }) => ({ pattern, file, name: `page ${pattern}` }));
  const refusals = names.map(({ file, name }): [string, () => never] => [
    name,
    () => {
      const [missing] = findMissingForSite(projectRoot);
      const message = 'This is a page, but appkit start was started without the packages that pages need.';
      throw new ExportError([missing ?? { file, message, fix: 'Start it again.' }]);
    },
  ]);
  return {
    manifest: { pages: names.map(({ pattern, name }) => ({ pattern, file: name })) },
    modules: Object.fromEntries(refusals),
    hosted: Object.fromEntries(refusals),
  };
}
