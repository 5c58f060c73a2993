import { codedError } from './coded-error.ts';
import { requestStore } from './context.ts';
import { reportTo } from './error-report.ts';
import type { ErrorReporter, OnError } from './error-report.ts';
import { HandlerContext } from './handler-context.ts';
import type { ContextSettings, HostContext } from './handler-context.ts';
import { toImmutableRequest } from './immutable-request.ts';
import { METHODS } from './manifest.ts';
import type { ManifestRoute, Method } from './manifest.ts';
import { createMatcher } from './match.ts';
import type { Matcher } from './match.ts';
import { toMiddleware } from './middleware.ts';
import type { Middleware } from './middleware.ts';
import { toAllowedOrigins } from './origin.ts';
import { isPromise } from './is-promise.ts';
import { isDecodable, pathBelow, pathnameOf } from './pathname.ts';
import { isResponse, textResponse, toNativeResponse } from './responses.ts';
import { createModuleLoader, toServerBuild } from './server-build.ts';
import type { ModuleLoader } from './server-build.ts';
import { isStatusError, statusErrorResponse } from './status-error.ts';

/** What every adapter hands through from its user. */
export interface HandlerOptions {
  /**
   * The name of the environment, as `environment()` gives it. Default: what the host says, else `NODE_ENV`. `production`
   * reads as `null`.
   */
  environment?: string | undefined;
  /**
   * The origins, such as `https://shop.example`, that `origin()` may take from a request's `Origin` header. Default: any.
   */
  origins?: readonly string[] | undefined;
  /**
   * Told of every error that no route handled, and of every task that failed. Default: `console.error`. The client is told
   * nothing but `Internal server error`.
   */
  onError?: OnError | undefined;
}

/** Answers a request, at once when the route does. It never throws, and its promise never rejects. */
export type Handler = (request: Request, host?: HostContext) => Response | Promise<Response>;

/**
 * Makes a handler of a server build.
 *
 * @param build – what `dist/server/index.js` exports.
 * @throws TypeError or Error when the build cannot be served or an option is wrong.
 */
export function createHandler(build: unknown, options: HandlerOptions = {}): Handler {
  const serverBuild = toServerBuild(build);
  const { manifest } = serverBuild;
  const app: App = {
    match: createMatcher(manifest.routes),
    load: createModuleLoader(serverBuild),
    middlewareFile: manifest.middleware?.file,
    middleware: undefined,
    implicitHead: manifest.implicitHead ?? false,
    report: reportTo(options.onError),
  };
  const settings: ContextSettings = {
    environment: options.environment,
    origins: toAllowedOrigins(options.origins),
    report: app.report,
  };
  const store = requestStore();
  return (request, host = UNKNOWN_HOST) => {
    const context = new HandlerContext(request, host, settings);
    return store.run(context, respond, app, context);
  };
}

interface App {
  match: Matcher<ManifestRoute>;
  load: ModuleLoader;
  middlewareFile: string | undefined;
  /** Read from its module by the first request. */
  middleware: Middleware | undefined;
  implicitHead: boolean;
  report: ErrorReporter;
}

const UNKNOWN_HOST: HostContext = {};

// Without async functions: what a route gives at once is sent at once, and a promise of it is waited for once.
function respond(app: App, context: HandlerContext): Response | Promise<Response> {
  let answered: unknown;
  try {
    answered = answer(app, context);
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
    response = toNativeResponse(returned, context.source);
  } catch (error) {
    return finishThrown(app, context, error);
  }
  return finish(app, context, { response, failed: false });
}

function finishThrown(app: App, context: HandlerContext, thrown: unknown): Response {
  let error = thrown;
  try {
    const response = toThrownResponse(thrown);
    if (response) return finish(app, context, { response, failed: false });
  } catch (unfit) {
    error = unfit;
  }
  if (!isOfLeavingClient(error, context.request)) app.report(error, context.request);
  return finish(app, context, { response: internalServerError(), failed: true });
}

function finish(
  app: App,
  context: HandlerContext,
  { response, failed }: { response: Response; failed: boolean },
): Response {
  try {
    const finished = context.finish(response);
    if (!failed) context.startDeferred();
    return finished;
  } catch (error) {
    app.report(error, context.request);
    cancelBody(response);
    return context.finishInstead(internalServerError());
  }
}

/** What is answered, or a promise of it, as user code gives it. */
function answer(app: App, context: HandlerContext): unknown {
  const { request } = context;
  const pathname = pathBelow(context.basePath, pathnameOf(request.url));
  if (pathname === undefined) return textResponse(404, 'Not found');
  if (!isDecodable(pathname)) return textResponse(400, 'Bad request');
  return app.middlewareFile === undefined
    ? answerFromRoute(app, context, pathname)
    : answerAfterMiddleware(app, context, { file: app.middlewareFile, pathname });
}

async function answerAfterMiddleware(
  app: App,
  context: HandlerContext,
  { file, pathname }: { file: string; pathname: string },
): Promise<unknown> {
  const { request } = context;
  const middleware = (app.middleware ??= toMiddleware(await app.load(file), file, app.implicitHead));
  if (middleware.appliesTo(request.method, pathname)) {
    context.source = { file };
    const returned = await middleware.run(toImmutableRequest(request));
    if (returned !== undefined && returned !== null) return returned;
  }
  return answerFromRoute(app, context, pathname);
}

function answerFromRoute(app: App, context: HandlerContext, pathname: string): unknown {
  const match = app.match(pathname);
  if (!match) return textResponse(404, 'Not found');
  const { entry, params } = match;
  const module = app.load(entry.file);
  return module instanceof Promise
    ? module.then((loaded) => callRoute(app, context, { route: entry, module: loaded, params }))
    : callRoute(app, context, { route: entry, module, params });
}

function callRoute(
  app: App,
  context: HandlerContext,
  { route: { file }, module, params }: { route: ManifestRoute; module: unknown; params: Record<string, string> },
): unknown {
  const { request } = context;
  const exports = module as Record<string, unknown>;
  const name = handlerName(exports, request.method, app.implicitHead);
  if (name === undefined) {
    const allowed = METHODS.filter((method) => handlerName(exports, method, app.implicitHead) !== undefined);
    return textResponse(405, 'Method not allowed', { allow: allowed.join(', ') });
  }
  const handler = exports[name];
  if (typeof handler !== 'function') {
    throw codedError(
      'ERR_ROUTE_INVALID',
      `${file} exports ${name}, but it is not a function. Export a function of that name.`,
    );
  }
  context.source = { file, name };
  return handler(request, params);
}

/** The export that answers a method, if the route has one. Own exports only: a method token can be `constructor`. */
function handlerName(module: Record<string, unknown>, method: string, implicitHead: boolean): Method | undefined {
  if (!(METHODS as readonly string[]).includes(method)) return undefined;
  const name = method as Method;
  if (Object.hasOwn(module, name)) return name;
  return name === 'HEAD' && implicitHead && Object.hasOwn(module, 'GET') ? 'GET' : undefined;
}

function toThrownResponse(thrown: unknown): Response | undefined {
  if (isStatusError(thrown)) return statusErrorResponse(thrown);
  return isResponse(thrown) ? toNativeResponse(thrown, { file: 'a route', name: 'What was thrown' }) : undefined;
}

// What fails because the client has gone is no fault of the route, and any client can make it happen as often as it likes.
function isOfLeavingClient(thrown: unknown, request: Request): boolean {
  return request.signal.aborted && (thrown as { name?: unknown } | null)?.name === 'AbortError';
}

// A response that is not sent: its source would otherwise go on.
function cancelBody({ body }: Response): void {
  if (body && !body.locked) body.cancel().catch(() => undefined);
}

function internalServerError(): Response {
  return textResponse(500, 'Internal server error');
}
