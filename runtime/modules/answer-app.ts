import type { Manifest, ManifestFolder } from '../manifest.ts';
import { isForeign, isForeignForm } from '../request/foreign-form.ts';
import type { FormOrigins } from '../request/foreign-form.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import { unnoticed } from '../request/header-reads.ts';
import { isPromise } from '../request/is-promise.ts';
import type { Responder } from '../request/respond.ts';
import { createCacheRules } from '../routing/cache-rules.ts';
import type { FindCacheRule } from '../routing/cache-rules.ts';
import { isForData, isNavigation, redirectToPage, toDataRedirect } from '../routing/data-request.ts';
import { createFolderMatcher } from '../routing/folder-match.ts';
import type { Match } from '../routing/match.ts';
import { createNotFound } from '../routing/not-found.ts';
import type { NotFound } from '../routing/not-found.ts';
import { isDecodable, pathBelow, pathnameOf } from '../routing/pathname.ts';
import { createRedirect } from '../routing/redirects.ts';
import type { Redirect } from '../routing/redirects.ts';
import { createRewrite } from '../routing/rewrites.ts';
import type { Rewrite } from '../routing/rewrites.ts';
import { answersMethod, createTargetMatcher, isForPages } from '../routing/targets.ts';
import type { Target, TargetMatcher } from '../routing/targets.ts';
import { findCanonical } from '../routing/trailing-slash.ts';
import type { TrailingSlash } from '../routing/trailing-slash.ts';
import type { Visit } from '../routing/visit.ts';
import { textResponse } from '../http/responses.ts';
import { isStatusError, StatusError } from '../http/status-error.ts';
import { callRoute, methodNotAllowed } from './call-route.ts';
import type { RouteCall } from './call-route.ts';
import { createGuard } from './guard.ts';
import type { Guard } from './guard.ts';
import { callPage } from './pages.ts';
import { whenLoaded } from './server-build.ts';
import type { ModuleLoader } from './server-build.ts';

/**
 * Creates the handler for an app's files: its middleware, rules, routes and pages.
 *
 * @param origins – the origins of the app itself, if they are known.
 */
export function createAppAnswer(
  manifest: Manifest,
  load: ModuleLoader,
  origins: ReadonlySet<string> | undefined,
): Pick<Responder, 'answer' | 'toAsked'> {
  const implicitHead = manifest.implicitHead ?? false;
  const hasPages = manifest.pages !== undefined;
  const instrumentation = manifest.instrumentation?.file;
  const guard = createGuard({ load, implicitHead, hasPages, instrumentation });
  const app: App = {
    formOrigins: new Set([...(manifest.formOrigins ?? []), ...(origins ?? [])]),
    match: createTargetMatcher(manifest),
    notFound: createNotFound(manifest.notFound, { load, guard }),
    redirect: createRedirect(manifest.redirects),
    rewrite: createRewrite(manifest.rewrites),
    cacheRule: createCacheRules(manifest.cache),
    load,
    guard,
    top: manifest.middleware && [manifest.middleware.file],
    folder: manifest.folders && createFolderMatcher(manifest.folders),
    implicitHead,
    hasPages,
    trailingSlash: manifest.trailingSlash,
  };
  const around = instrumentation === undefined ? undefined : [instrumentation];
  return {
    answer: around ? (context) => answerAround(app, context, around) : (context) => answer(app, context),
    toAsked: hasPages ? toAsked : undefined,
  };
}

/** Where an export puts the files of its client. One that reaches the app belongs to another release. */
const ASSETS = '/_appkit/assets/';

interface App {
  formOrigins: FormOrigins;
  match: TargetMatcher;
  notFound: NotFound;
  redirect: Redirect | undefined;
  rewrite: Rewrite | undefined;
  cacheRule: FindCacheRule | undefined;
  load: ModuleLoader;
  guard: Guard;
  /** The file of the middleware at the top. */
  top: readonly string[] | undefined;
  /** The nearest folder with middleware. */
  folder: ((pathname: string) => Match<ManifestFolder> | undefined) | undefined;
  implicitHead: boolean;
  hasPages: boolean;
  trailingSlash: TrailingSlash | undefined;
}

// Middleware and rules that redirect the visitor do not know how a client requests data.
function toAsked(context: HandlerContext, response: Response): Response {
  const { request } = context;
  const isRedirect = response.status >= 300 && response.status < 400 && response.headers.has('location');
  if (!isRedirect || !isForData(request.url) || opensData(context, request)) return response;
  return toDataRedirect(response);
}

/** Whether a browser has opened the URL of data. What it gets then is not for clients that request the data. */
function opensData(context: HandlerContext, request: Request): boolean {
  const opens = unnoticed(request, () => isNavigation(request));
  if (opens) context.cache(false);
  return opens;
}

function answerAround(app: App, context: HandlerContext, files: readonly string[]): unknown {
  const { request, basePath } = context;
  const pathname = pathBelow(basePath, pathnameOf(request.url));
  const visit: Visit = {
    request,
    pathname: pathname !== undefined && isDecodable(pathname) ? pathname : '/',
    basePath,
  };
  return app.guard(context, { files, visit }, () => answer(app, context));
}

/** The answer of user code, or a promise of it. */
function answer(app: App, context: HandlerContext): unknown {
  const { request, basePath } = context;
  const pathname = pathBelow(basePath, pathnameOf(request.url));
  if (pathname === undefined) return textResponse(404, 'Not found');
  if (!isDecodable(pathname)) return textResponse(400, 'Bad request');
  if (isForeignForm(context, app.formOrigins)) throw foreignForm();
  const rule = app.cacheRule?.(pathname);
  if (rule) context.cache(rule);
  const visit: Visit = { request, pathname, basePath };
  if (app.top === undefined) return answerByRules(app, context, visit);
  return app.guard(context, { files: app.top, visit }, () => answerByRules(app, context, visit));
}

function answerByRules(app: App, context: HandlerContext, asked: Visit): unknown {
  const redirect = app.redirect?.(asked);
  if (redirect) return redirect;
  const visit = app.rewrite?.(asked);
  if (!visit) return answerVisit(app, context, { visit: asked, asked });
  // A rewrite must not bypass the guard of its destination.
  return app.guard(context, { files: app.top, visit }, () => answerVisit(app, context, { visit, asked }));
}

interface Visited {
  visit: Visit;
  /** Before a rewrite. */
  asked: Visit;
}

function answerVisit(app: App, context: HandlerContext, visited: Visited): unknown {
  const { visit } = visited;
  const match = app.match(visit.pathname, visit.request.method);
  const files = match ? match.entry.middleware : app.folder?.(visit.pathname)?.entry.middleware;
  if (files === undefined) return answerMatch(app, context, { visited, match });
  return app.guard(context, { files, visit }, () => answerMatch(app, context, { visited, match }));
}

function answerMatch(
  app: App,
  context: HandlerContext,
  { visited: { visit, asked }, match }: { visited: Visited; match: Match<Target> | undefined },
): unknown {
  const { request } = visit;
  const isAsset = asked.pathname.startsWith(ASSETS) || visit.pathname.startsWith(ASSETS);
  if (!match || (isAsset && match.entry.kind !== undefined)) {
    // A cache in front would keep this answer, or a page that answers every path, in place of the file, which another instance may have.
    if (isAsset) context.cache(false);
    return app.notFound(visit, context);
  }
  const { entry, params } = match;
  context.route = entry.pattern;
  if (entry.kind === undefined) {
    const call: RouteCall = { context, request, route: entry, params, implicitHead: app.implicitHead };
    const module = app.load(entry.file);
    return entry.usesContext === false
      ? whenLoaded(module, callRoute, call)
      : context.run(whenLoaded, module, callRoute, call);
  }
  if (!answersMethod(entry, request.method)) return methodNotAllowed((method) => answersMethod(entry, method));
  if (isForData(request.url) && opensData(context, request)) return redirectToPage(request);
  if (!isForPages(request.method) && isForeign(context, app.formOrigins)) throw foreignForm();
  const location = isForPages(request.method) ? findCanonical(asked, app.trailingSlash) : undefined;
  if (location !== undefined) return new Response(null, { status: 308, headers: { location } });
  const file = entry.fileFor(params, request.method);
  const answered = context.run(whenLoaded, app.load(file), callPage, { context, request, file, params });
  if (!isPromise(answered)) return answered;
  return answered.then(undefined, (thrown: unknown) => {
    // If a loader does not find its content, the answer is the same as for a path without a page.
    if (!isStatusError(thrown) || thrown.status !== 404 || isForData(request.url)) throw thrown;
    return app.notFound(visit, context, true);
  });
}

function foreignForm(): StatusError {
  return new StatusError(403, 'A form of another origin cannot be sent here');
}
