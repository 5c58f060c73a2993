import type { IncomingMessage, ServerResponse } from 'node:http';
import {
  describeApp,
  findFileProblems,
  findMissingForSite,
  toManifest,
  writeTypedRoutes,
} from 'appkit-build/development';
import type { AppDescription, DescribedFile } from 'appkit-build/development';
import { ExportError } from 'appkit-build/problem';
import { createRequestHandler } from 'appkit-server/adapter/node';
import type { ServerBuild } from 'appkit-server/manifest';
import type { ViteDevServer } from 'vite';
import { printWarning } from '../report/error.ts';
import { createHeadHint } from './head-hint.ts';
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
   * Reads config and files again, and writes the types of the routes. Requests from then on load anew what is stale; those
   * under way keep what they have.
   */
  describe(): Promise<void>;
  /** Imports a file of the server build. Throws ExportError for what an export would refuse. */
  load(file: string): Promise<ModuleExports>;
}

/** Describes an app and makes it answer. */
export async function createDevApp(options: DevAppOptions): Promise<DevApp> {
  const { projectRoot, vite, modules, site, pagesOnly = false, onError, onLateError } = options;
  const responses = new WeakMap<Request, ServerResponse>();
  let arrived: ServerResponse | undefined;
  const hintAtHead = createHeadHint();
  let description = nothingYet(projectRoot);
  let pagesOf: SitePages['manifest'] = {};
  let listener: ReturnType<typeof createRequestHandler>;

  const load = async (file: string): Promise<ModuleExports> => {
    const known = [...description.routes, ...description.middleware].find((candidate) => candidate.file === file);
    const problems = known?.problems ?? [];
    if (problems.length > 0) throw new ExportError(problems);
    const app = description;
    try {
      return await modules.load(file);
    } catch (error) {
      // It may be one that an export would find: that says more than whatever it has led to here.
      const problems = await findFileProblems(app, file).catch(() => []);
      throw problems.length > 0 ? new ExportError(problems) : error;
    }
  };

  const app: DevApp = {
    get description() {
      return description;
    },
    get pages() {
      return pagesOf;
    },
    answer(request, response) {
      arrived = response;
      listener(request, response);
    },
    async describe() {
      description = await describe(description);
      const context = { vite, app: description, modules, onError: onLateError };
      const pages = (await site?.describe(context)) ?? refusePages(description);
      pagesOf = pages.manifest;
      // A handler keeps what it has loaded, so that a change asks for another.
      listener = createRequestHandler({
        build: pagesOnly ? toPagesBuild(description, pages) : toServerBuild(description, { pages, load }),
        trustProxy: pagesOnly,
        // Each request is answered with what was last saved.
        cache: false,
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
    load,
  };
  await app.describe();
  return app;
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

function nothingYet(projectRoot: string): AppDescription {
  const config = { file: 'app.json', implicitHead: false, external: [], strictFetch: false };
  return {
    projectRoot,
    config,
    hasRoutesFolder: true,
    hasServer: false,
    routes: [],
    middleware: [],
    problems: [],
    warnings: [],
  };
}

/** An app that cannot be described is one that answers every request by saying why. */
async function describe(before: AppDescription): Promise<AppDescription> {
  try {
    return await describeApp(before);
  } catch (error) {
    if (!(error instanceof ExportError)) throw error;
    return { ...before, problems: [...error.problems] };
  }
}

/** What is left when the routes run elsewhere, by which rewrites find their pages as they do there. */
function toPagesBuild({ config, hasServer }: AppDescription, { manifest, modules }: SitePages): ServerBuild {
  const { implicitHead, base, rewrites, headers, formOrigins } = config;
  // What pages have of their own gives way to the headers of the config.
  const rules = hasServer
    ? { ...(rewrites && { rewrites }), ...(headers && { headers }), ...(formOrigins && { formOrigins }) }
    : {};
  const options = { implicitHead, strictFetch: true, ...(base && { base }), ...rules, ...manifest };
  return { manifest: toManifest({ routes: [], middleware: [] }, options), modules };
}

/** The same object that `dist/server/index.js` of an export exports. */
function toServerBuild(
  { config, hasServer, routes, middleware, problems }: AppDescription,
  { pages, load }: { pages: SitePages; load: (file: string) => Promise<ModuleExports> },
): ServerBuild {
  // By the names of the sources, which stand in messages.
  const fromSource = <File extends DescribedFile>(described: File): File => ({ ...described, output: described.file });
  const sources = { routes: routes.map(fromSource), middleware: middleware.map(fromSource) };
  const files: DescribedFile[] = [...sources.routes, ...sources.middleware];
  const modules = Object.fromEntries(files.map(({ file }) => [file, () => load(file)]));
  const { implicitHead, base, redirects, rewrites, headers, cache, formOrigins } = config;
  const rules = hasServer
    ? {
        ...(redirects && { redirects }),
        ...(rewrites && { rewrites }),
        ...(headers && { headers }),
        ...(cache && { cache }),
        ...(formOrigins && { formOrigins }),
      }
    : {};
  // Modules in development have the globals of Node, as with strictFetch.
  // What a route looks at is noted, as in an export that calls cache().
  const options = {
    implicitHead,
    strictFetch: true,
    usesCache: true,
    ...(base && { base }),
    ...rules,
    ...pages.manifest,
  };
  const manifest = toManifest(sources, options);
  if (problems.length === 0) return { manifest, modules: { ...modules, ...pages.modules } };
  // Nothing of such an app can be exported, so nothing is answered either, least of all past a misnamed middleware.
  const refuse = (): never => {
    throw new ExportError(problems);
  };
  return { manifest: { ...manifest, middleware: { file: 'problems' } }, modules: { ...modules, problems: refuse } };
}
