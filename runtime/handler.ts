import { callRoute, methodNotAllowed } from './modules/call-route.ts';
import type { RouteCall } from './modules/call-route.ts';
import { reportTo } from './request/error-report.ts';
import type { ErrorReporter, OnError } from './request/error-report.ts';
import { HandlerContext } from './request/handler-context.ts';
import { cancelBody, internalServerError, toAnswer, toFailureAnswer } from './request/settle.ts';
import { trackHeaderReads } from './request/track-headers.ts';
import { isForeign, isForeignForm } from './request/foreign-form.ts';
import type { FormOrigins } from './request/foreign-form.ts';
import { unnoticed } from './request/header-reads.ts';
import { withUrl } from './request/with-url.ts';
import type { ContextSettings, HostContext } from './request/handler-context.ts';
import { createGuard } from './modules/guard.ts';
import type { Guard } from './modules/guard.ts';
import { createNotFound } from './routing/not-found.ts';
import type { NotFound } from './routing/not-found.ts';
import { toAllowedOrigins } from './request/origin.ts';
import { answerWithHooks } from './request/hooks.ts';
import type { Hooks } from './request/hooks.ts';
import { isPromise } from './request/is-promise.ts';
import { callPage, findCacheControl, toPrerenderedHeaders } from './modules/pages.ts';
import type { ManifestFolder } from './manifest.ts';
import { isForData, isNavigation, redirectToPage, toDataRedirect } from './routing/data-request.ts';
import { isDecodable, pathBelow, pathnameOf } from './routing/pathname.ts';
import { createCacheRules } from './routing/cache-rules.ts';
import type { FindCacheRule } from './routing/cache-rules.ts';
import { createRedirect } from './routing/redirects.ts';
import type { Redirect } from './routing/redirects.ts';
import { toDefaultHeaders } from './http/response-headers.ts';
import { textResponse } from './http/responses.ts';
import { createRewrite } from './routing/rewrites.ts';
import type { Rewrite } from './routing/rewrites.ts';
import { createModuleLoader, toServerBuild, whenLoaded } from './modules/server-build.ts';
import type { ModuleLoader } from './modules/server-build.ts';
import { createFolderMatcher } from './routing/folder-match.ts';
import type { Match } from './routing/match.ts';
import { isStatusError, StatusError } from './http/status-error.ts';
import { answersMethod, createTargetMatcher, isForPages } from './routing/targets.ts';
import type { Target, TargetMatcher } from './routing/targets.ts';
import { findCanonical } from './routing/trailing-slash.ts';
import type { TrailingSlash } from './routing/trailing-slash.ts';
import type { Visit } from './routing/visit.ts';

/** The options that every adapter passes on from its user. */
export interface HandlerOptions {
  /**
   * The name of the environment, as `environment()` returns it. Default: the one of the host, otherwise `NODE_ENV`. `production` becomes `null`.
   */
  environment?: string | undefined;
  /**
   * The origins, such as `https://shop.example`, that `origin()` may take from a request's `Origin` header. Default: any.
   */
  origins?: readonly string[] | undefined;
  /**
   * Called with every error that no route handled, and with the error of every failed task. Default: `console.error`. The client gets a 500 with
   * only `Internal server error`, or the Response that this returns. A promise of a Response is not awaited.
   */
  onError?: OnError | undefined;
  /** Called with each request that reaches the app, before any of its code runs. */
  onRequest?: Hooks['onRequest'];
  /**
   * Called by `invalidate()` with tags and paths, for a cache in front that the host does not know, such as CloudFront or Fastly. `invalidate()`
   * waits for it, and rejects if it does. Default: nothing.
   */
  onInvalidate?: ((tags: readonly string[]) => unknown) | undefined;
  /** Called with each answer of the app, once its status and headers are known. */
  onResponse?: Hooks['onResponse'];
}

/** Answers a request, synchronously if the route does. It never throws, and its promise never rejects. */
export type Handler = (request: Request, host?: HostContext) => Response | Promise<Response>;

/** Makes a handler from a server build.
 *
 * @param build – what `dist/server/index.js` exports.
 * @throws TypeError or Error when the build cannot be served or an option is wrong.
 */
export function createHandler(build: unknown, options: HandlerOptions = {}): Handler {
  const serverBuild = toServerBuild(build);
  const { manifest } = serverBuild;
  const load = createModuleLoader(serverBuild);
  const implicitHead = manifest.implicitHead ?? false;
  const hasPages = manifest.pages !== undefined;
  const instrumentation = manifest.instrumentation?.file;
  const guard = createGuard({ load, implicitHead, hasPages, instrumentation });
  const origins = toAllowedOrigins(options.origins);
  const app: App = {
    formOrigins: new Set([...(manifest.formOrigins ?? []), ...(origins ?? [])]),
    match: createTargetMatcher(manifest),
    notFound: createNotFound(manifest.notFound, { load, guard }),
    redirect: createRedirect(manifest.redirects),
    rewrite: createRewrite(manifest.rewrites),
    cacheRule: createCacheRules(manifest.cache),
    keepsAnswers: manifest.usesCache === true || manifest.cache !== undefined,
    load,
    guard,
    around: instrumentation === undefined ? undefined : [instrumentation],
    top: manifest.middleware && [manifest.middleware.file],
    folder: manifest.folders && createFolderMatcher(manifest.folders),
    implicitHead,
    hasPages,
    trailingSlash: manifest.trailingSlash,
    report: reportTo(options.onError),
  };
  const settings: ContextSettings = {
    environment: options.environment,
    basePath: manifest.base ?? '',
    origins,
    report: app.report,
    onInvalidate: options.onInvalidate,
    withUrl,
    answer: (request, host) => respond(app, new HandlerContext(request, host, settings)),
    defaultHeaders: manifest.headers && toDefaultHeaders(manifest.headers),
    prerenderedHeaders: toPrerenderedHeaders(manifest.headers),
    configuredCacheControl: findCacheControl(manifest.headers),
  };
  const { onRequest, onResponse } = options;
  if (!onRequest && !onResponse) {
    return (request, host = UNKNOWN_HOST) => respond(app, new HandlerContext(request, host, settings));
  }
  const hooks = { onRequest, onResponse, report: app.report };
  return (request, host = UNKNOWN_HOST) => {
    const context = new HandlerContext(request, host, settings);
    return answerWithHooks(context, () => respond(app, context), hooks);
  };
}

interface App {
  formOrigins: FormOrigins;
  match: TargetMatcher;
  notFound: NotFound;
  redirect: Redirect | undefined;
  rewrite: Rewrite | undefined;
  cacheRule: FindCacheRule | undefined;
  /** Some answers may be kept for other visitors. */
  keepsAnswers: boolean;
  load: ModuleLoader;
  guard: Guard;
  /** The file of the instrumentation. */
  around: readonly string[] | undefined;
  /** The file of the middleware at the top. */
  top: readonly string[] | undefined;
  /** The nearest folder with middleware. */
  folder: ((pathname: string) => Match<ManifestFolder> | undefined) | undefined;
  implicitHead: boolean;
  hasPages: boolean;
  trailingSlash: TrailingSlash | undefined;
  report: ErrorReporter;
}

const UNKNOWN_HOST: HostContext = {};

// Enter the async context only for app code that may use it: entering takes longer than everything else between adapter and route.
// No async functions: what a route returns at once is sent at once, and its promise is awaited only once.
function respond(app: App, context: HandlerContext): Response | Promise<Response> {
  let answered: unknown;
  try {
    if (app.keepsAnswers && isForPages(context.request.method)) context.reads = trackHeaderReads(context.request);
    answered = app.around === undefined ? answer(app, context) : answerAround(app, context, app.around);
  } catch (thrown) {
    return finishThrown(app, context, thrown);
  }
  if (!isPromise(answered)) return finishReturned(app, context, answered);
  return answered.then(
    (returned) => finishReturned(app, context, returned),
    (thrown) => finishThrown(app, context, thrown),
  );
}

function finishReturned(app: App, context: HandlerContext, returned: unknown): Response {
  let response: Response;
  try {
    response = toAnswer(context, returned);
  } catch (error) {
    return finishThrown(app, context, error);
  }
  return finish(app, context, response);
}

function finishThrown(app: App, context: HandlerContext, thrown: unknown): Response {
  return finish(app, context, toFailureAnswer(context, thrown));
}

function finish(app: App, context: HandlerContext, response: Response): Response {
  try {
    const finished = context.finish(toAsked(app, context, response));
    if (!context.hasFailed) context.startDeferred();
    return finished;
  } catch (error) {
    const given = context.run(app.report, error, context.request);
    cancelBody(response);
    return context.finishInstead(given ?? internalServerError());
  }
}

// Middleware and rules that redirect the visitor do not know how a client requests data.
function toAsked({ hasPages }: App, { request }: HandlerContext, response: Response): Response {
  const isRedirect = hasPages && response.status >= 300 && response.status < 400 && response.headers.has('location');
  if (!isRedirect || !isForData(request.url) || unnoticed(request, () => isNavigation(request))) return response;
  return toDataRedirect(response);
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
  if (!match) return app.notFound(visit, context);
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
  if (isForData(request.url) && unnoticed(request, () => isNavigation(request))) {
    return redirectToPage(request);
  }
  if (!isForPages(request.method) && isForeign(context, app.formOrigins)) throw foreignForm();
  const location = isForPages(request.method) ? findCanonical(asked, app.trailingSlash) : undefined;
  if (location !== undefined) return new Response(null, { status: 308, headers: { location } });
  const file = entry.fileFor(params, request.method);
  const answered = context.run(whenLoaded, app.load(file), callPage, { context, request, file, params });
  if (!isPromise(answered)) return answered;
  return answered.then(undefined, (thrown: unknown) => {
    // If a loader does not find something, the answer is the same as for a path without a page.
    if (!isStatusError(thrown) || thrown.status !== 404 || isForData(request.url)) throw thrown;
    return app.notFound(visit, context, true);
  });
}

function foreignForm(): StatusError {
  return new StatusError(403, 'A form of another origin cannot be sent here');
}
