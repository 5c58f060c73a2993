import { codedError } from '../http/coded-error.ts';
import { toChangeable } from '../http/response-headers.ts';
import { isResponse } from '../http/responses.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import { toImmutableRequest } from '../request/immutable-request.ts';
import { cancelBody, toAnswer, toFailureAnswer } from '../request/settle.ts';
import { withUrl } from '../request/with-url.ts';
import { isForData, toPageUrl } from '../routing/data-request.ts';
import type { Visit } from '../routing/visit.ts';
import { toMiddleware } from './middleware.ts';
import type { Middleware, Next } from './middleware.ts';
import type { ModuleLoader } from './server-build.ts';

/** What stands in front of an answer. */
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

/** What {@link createGuard} depends on. */
export interface GuardOptions {
  load: ModuleLoader;
  implicitHead: boolean;
  hasPages: boolean;
  /** The file of the instrumentation. It may export nothing. */
  instrumentation: string | undefined;
}

/** Makes the guard of an app. */
export function createGuard(app: GuardOptions): Guard {
  const known = new Map<string, Middleware>();
  const find = async (file: string): Promise<Middleware> => {
    let middleware = known.get(file);
    if (!middleware) {
      const module = await app.load(file);
      const isIdle = file === app.instrumentation && (module as { default?: unknown }).default === undefined;
      middleware = isIdle ? { ...IDLE, file } : toMiddleware(module, file, app.implicitHead);
      known.set(file, middleware);
    }
    return middleware;
  };
  const pass = async (
    context: HandlerContext,
    { file, visit: { request, pathname } }: { file: string; visit: Visit },
    after: () => unknown,
  ): Promise<unknown> => {
    const middleware = await find(file);
    if (!middleware.appliesTo(request.method, pathname)) return after();
    (context.passed ??= new Set()).add(file);
    // It sees the page's URL, whichever of the two the client asks for.
    const isPageData = app.hasPages && isForData(request.url);
    const seen = isPageData ? withUrl(request, toPageUrl(request.url), { hasBody: false }) : request;
    // No answer is made of what instrumentation looks at.
    const isNoted = file !== app.instrumentation;
    return callMiddleware(middleware, toImmutableRequest(seen, { isNoted }), { context, after });
  };
  const guard: Guard = (context, { files = [], visit }, after) => {
    const [file, ...inner] = files;
    if (file === undefined) return after();
    const next = (): unknown => guard(context, { files: inner, visit }, after);
    return context.passed?.has(file) ? next() : context.run(pass, context, { file, visit }, next);
  };
  return guard;
}

const IDLE = { run: () => undefined, appliesTo: () => false };

async function callMiddleware(
  { file, run }: Middleware,
  request: Request,
  { context, after }: { context: HandlerContext; after: () => unknown },
): Promise<unknown> {
  let answered: Promise<Response> | undefined;
  const next: Next = async () => {
    if (answered) {
      throw codedError('ERR_NEXT_CALLED', `${file} called next() twice. Keep the Response that it resolves to.`);
    }
    answered = settle(context, after);
    return answered;
  };
  context.source = { file };
  try {
    const returned = await run(request, next);
    if (!answered) return returned ?? after();
    context.source = { file };
    if (returned === undefined || returned === null) return await answered;
    discard(answered, returned);
    return returned;
  } catch (thrown) {
    if (answered) discard(answered, thrown);
    throw thrown;
  }
}

async function settle(context: HandlerContext, after: () => unknown): Promise<Response> {
  try {
    return toChangeable(toAnswer(context, await after()));
  } catch (thrown) {
    return toChangeable(toFailureAnswer(context, thrown));
  }
}

/** Ends what `next()` has given, unless it is what is sent instead, or its body is in use. */
function discard(answered: Promise<Response>, instead: unknown): void {
  void answered.then((response) => {
    if (response === instead || (isResponse(instead) && response.body === instead.body)) return;
    cancelBody(response);
  });
}
