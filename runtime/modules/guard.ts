import { codedError } from '../http/coded-error.ts';
import { surelyHasBody } from '../http/quick-response.ts';
import { toChangeable } from '../http/response-headers.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import { isPromise } from '../request/is-promise.ts';
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
    // It sees the page's URL, whichever of the two the client asks for.
    const isPageData = app.hasPages && isForData(request.url);
    const seen = isPageData ? withUrl(request, toPageUrl(request.url), { hasBody: false }) : request;
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

const IDLE = { run: () => undefined, appliesTo: () => false };

/** A middleware that has been called. */
interface Call {
  context: HandlerContext;
  middleware: Middleware;
  after: () => unknown;
  /** What `next()` has given. */
  answered?: Promise<Response>;
  /** It has returned. */
  isOver?: boolean;
}

// No async function: what middleware and route return at once is sent at once.
function callMiddleware(
  middleware: Middleware,
  request: Request,
  { context, after }: Pick<Call, 'context' | 'after'>,
): unknown {
  const call: Call = { context, middleware, after };
  const next: Next = async () => {
    assertOpen(call);
    return (call.answered = settle(context, after));
  };
  context.source = middleware;
  let returned: unknown;
  try {
    returned = middleware.run(request, next);
  } catch (thrown) {
    call.isOver = true;
    if (call.answered) discard(call.answered, thrown);
    throw thrown;
  }
  if (call.answered || isPromise(returned)) return finishCall(call, returned);
  call.isOver = true;
  return returned ?? after();
}

async function finishCall(call: Call, returning: unknown): Promise<unknown> {
  try {
    const returned = await returning;
    call.isOver = true;
    if (!call.answered) return returned ?? call.after();
    call.context.source = call.middleware;
    if (returned === undefined || returned === null) return await call.answered;
    discard(call.answered, returned);
    return returned;
  } catch (thrown) {
    call.isOver = true;
    if (call.answered) discard(call.answered, thrown);
    throw thrown;
  }
}

/** A route answers once. */
function assertOpen({ middleware: { file }, answered, isOver }: Call): void {
  if (answered) {
    throw codedError('ERR_NEXT_CALLED', `${file} called next() twice. Keep the Response that it resolves to.`);
  }
  if (!isOver) return;
  throw codedError(
    'ERR_NEXT_CALLED',
    `${file} called next() after the middleware had returned. Await next() in it, or leave it out: the request goes on by itself.`,
  );
}

async function settle(context: HandlerContext, after: () => unknown): Promise<Response> {
  try {
    return give(context, toAnswer(context, await after()));
  } catch (thrown) {
    return give(context, toFailureAnswer(context, thrown));
  }
}

/** What `next()` gives: a Response that may be changed for this request. */
function give(context: HandlerContext, response: Response): Response {
  // Another middleware has had it.
  if (response === context.given) return response;
  const given = toChangeable(response);
  context.given = given;
  if (!surelyHasBody(given)) watchBody(given);
  return given;
}

/** Those whose body middleware has taken. */
const taken = new WeakSet<Response>();

// Whoever asks for the body of a text, on Bun (1.4) loses its content type, and its length on Deno (2.9). So the runtime does not ask.
function watchBody(response: Response): void {
  const get = findBodyGetter(response);
  Object.defineProperty(response, 'body', {
    get() {
      taken.add(response);
      return Reflect.apply(get, response, []);
    },
    configurable: true,
    enumerable: true,
  });
}

function findBodyGetter(response: object): () => Response['body'] {
  let holder: object | null = response;
  for (; holder; holder = Object.getPrototypeOf(holder) as object | null) {
    const get = Object.getOwnPropertyDescriptor(holder, 'body')?.get;
    if (get) return get as () => Response['body'];
  }
  return () => null;
}

/** Ends what `next()` has given, unless it is sent, or middleware has its body. */
function discard(answered: Promise<Response>, instead: unknown): void {
  void answered.then((response) => {
    if (response !== instead && !taken.has(response) && !surelyHasBody(response)) cancelBody(response);
  });
}
