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
import { isDecodable, pathBelow, pathnameOf } from './pathname.ts';
import { textResponse, toNativeResponse } from './responses.ts';
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

/** Answers a request. Its promise never rejects. */
export type Handler = (request: Request, host?: HostContext) => Promise<Response>;

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
  return (request, host = {}) => {
    const context = new HandlerContext(request, host, settings);
    return store.run(context, respond, app, request, context);
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

async function respond(app: App, request: Request, context: HandlerContext): Promise<Response> {
  let response: Response;
  let failed = false;
  try {
    response = await answer(app, request, context);
  } catch (thrown) {
    const meant = toThrownResponse(thrown);
    if (!meant) {
      failed = true;
      if (!isOfLeavingClient(thrown, request)) app.report(thrown, request);
    }
    response = meant ?? internalServerError();
  }
  try {
    response = context.finish(response);
  } catch (error) {
    failed = true;
    app.report(error, request);
    cancelBody(response);
    response = context.finishInstead(internalServerError());
  }
  if (!failed) context.startDeferred();
  return response;
}

async function answer(app: App, request: Request, context: HandlerContext): Promise<Response> {
  const pathname = pathBelow(context.basePath, pathnameOf(request.url));
  if (pathname === undefined) return textResponse(404, 'Not found');
  if (!isDecodable(pathname)) return textResponse(400, 'Bad request');

  if (app.middlewareFile !== undefined) {
    const response = await runMiddleware(app, app.middlewareFile, request, pathname);
    if (response) return response;
  }

  const match = app.match(pathname);
  if (!match) return textResponse(404, 'Not found');
  return callRoute(app, match.entry, request, match.params);
}

async function runMiddleware(
  app: App,
  file: string,
  request: Request,
  pathname: string,
): Promise<Response | undefined> {
  const middleware = (app.middleware ??= toMiddleware(await app.load(file), file, app.implicitHead));
  if (!middleware.appliesTo(request.method, pathname)) return undefined;
  const returned = await middleware.run(toImmutableRequest(request));
  if (returned === undefined || returned === null) return undefined;
  return toNativeResponse(returned, `The middleware ${file}`);
}

async function callRoute(
  app: App,
  route: ManifestRoute,
  request: Request,
  params: Record<string, string>,
): Promise<Response> {
  const module = (await app.load(route.file)) as Record<string, unknown>;
  const name = handlerName(module, request.method, app.implicitHead);
  if (name === undefined) {
    const allowed = METHODS.filter((method) => handlerName(module, method, app.implicitHead) !== undefined);
    return textResponse(405, 'Method not allowed', { allow: allowed.join(', ') });
  }
  const handler = module[name];
  if (typeof handler !== 'function') {
    throw codedError(
      'ERR_ROUTE_INVALID',
      `${route.file} exports ${name}, but it is not a function. Export a function of that name.`,
    );
  }
  return toNativeResponse(await handler(request, params), `${name} of ${route.file}`);
}

/** The export that answers a method, if the route has one. Own exports only: a method token can be `constructor`. */
function handlerName(module: Record<string, unknown>, method: string, implicitHead: boolean): Method | undefined {
  const name = METHODS.find((known) => known === method);
  if (name === undefined || Object.hasOwn(module, name)) return name;
  return name === 'HEAD' && implicitHead && Object.hasOwn(module, 'GET') ? 'GET' : undefined;
}

function toThrownResponse(thrown: unknown): Response | undefined {
  if (isStatusError(thrown)) return statusErrorResponse(thrown);
  if (Object.prototype.toString.call(thrown) === '[object Response]')
    return toNativeResponse(thrown, 'A thrown Response');
  return undefined;
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
