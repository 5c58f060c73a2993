import type { HandlerContext } from '../request/handler-context.ts';
import { toImmutableRequest } from '../request/immutable-request.ts';
import { withUrl } from '../request/with-url.ts';
import { isForData, toPageUrl } from '../routing/data-request.ts';
import type { Visit } from '../routing/visit.ts';
import { callMiddleware } from './call-middleware.ts';
import { toMiddleware } from './middleware.ts';
import type { Middleware } from './middleware.ts';
import type { ModuleLoader } from './server-build.ts';

/** The middleware in front of an answer. */
export interface Guarded {
  /** The files of the middleware, the outermost first. Default: none. */
  files: readonly string[] | undefined;
  visit: Visit;
}

/**
 * Runs each middleware whose matcher fits the visit, unless it has already run for the request, and then `after`.
 *
 * @returns the answer of user code, or a promise of it.
 */
export type Guard = (context: HandlerContext, guarded: Guarded, after: () => unknown) => unknown;

/** The dependencies of {@link createGuard}. */
export interface GuardOptions {
  load: ModuleLoader;
  implicitHead: boolean;
  hasPages: boolean;
  /** The file of the instrumentation. It may export nothing. */
  instrumentation: string | undefined;
}

/** Creates the guard of an app. */
export function createGuard(app: GuardOptions): Guard {
  const known = new Map<string, Middleware>();
  const load = async (file: string): Promise<Middleware> => {
    const module = await app.load(file);
    const isIdle = file === app.instrumentation && (module as { default?: unknown }).default === undefined;
    const middleware = isIdle ? { ...IDLE, file } : toMiddleware(module, file, app.implicitHead || app.hasPages);
    known.set(file, middleware);
    return middleware;
  };
  const pass = (
    middleware: Middleware,
    { context, visit, after }: { context: HandlerContext; visit: Visit; after: () => unknown },
  ): unknown => {
    const { request, pathname } = visit;
    if (!middleware.appliesTo(request.method, pathname)) return after();
    (context.passed ??= []).push(middleware.file);
    // It sees the page's URL, whether the client requests the page or its data.
    const seen = app.hasPages && isForData(request.url) ? toPageRequest(request) : request;
    return callMiddleware(middleware, toImmutableRequest(seen), { context, after });
  };
  const guardFrom = (
    index: number,
    {
      context,
      files,
      visit,
      after,
    }: { context: HandlerContext; files: readonly string[]; visit: Visit; after: () => unknown },
  ): unknown => {
    const file = files[index];
    if (file === undefined) return after();
    const next = (): unknown => guardFrom(index + 1, { context, files, visit, after });
    if (context.passed?.includes(file)) return next();
    const how = { context, visit, after: next };
    const middleware = known.get(file);
    return middleware ? pass(middleware, how) : load(file).then((loaded) => pass(loaded, how));
  };
  return (context, { files = [], visit }, after) => {
    if (files.length === 0) return after();
    return context.run(guardFrom, 0, { context, files, visit, after });
  };
}

/** The same request for the URL of the page. Its body stays in the first one, except for copies. */
function toPageRequest(request: Request): Request {
  const url = toPageUrl(request.url);
  const clone = (): Request => withUrl(request.clone(), url);
  return Object.defineProperty(withUrl(request, url, { hasBody: false }), 'clone', { value: clone });
}

const IDLE = { run: () => undefined, appliesTo: () => false };
