import { cancelBody } from '../http/cancel-unread.ts';
import { codedError } from '../http/coded-error.ts';
import { surelyHasBody } from '../http/quick-response.ts';
import { toChangeable } from '../http/response-headers.ts';
import { isUpgrade } from '../http/responses.ts';
import { findGetter } from '../request/find-getter.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import { isPromise } from '../request/is-promise.ts';
import { toAnswer, toFailureAnswer } from '../request/settle.ts';
import type { Middleware, Next } from './middleware.ts';

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

/**
 * Calls a middleware, which may continue with `after` by calling `next()`.
 *
 * @returns its answer, or that of `after`, or a promise of one.
 */
// Not an async function: a synchronous answer of middleware and route is sent at once.
export function callMiddleware(
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

/** The result of `next()`: a Response that may be changed for this request. */
function give(context: HandlerContext, response: Response): Response {
  // Another middleware has already received it.
  if (response === context.given) return response;
  const given = toChangeable(context.complete(response));
  context.given = given;
  if (!surelyHasBody(given) && !isUpgrade(given)) watchBody(given);
  return given;
}

/** The Responses whose body was used by middleware. */
const taken = new WeakSet<Response>();

// Accessing the body of a text Response loses its content type on Bun (1.4), and its length on Deno (2.9). So the
// runtime does not access it.
function watchBody(response: Response): void {
  const get = findGetter(response, 'body');
  Object.defineProperty(response, 'body', {
    get() {
      taken.add(response);
      return Reflect.apply(get, response, []);
    },
    configurable: true,
    enumerable: true,
  });
}

/** Cancels the Response of `next()`, unless it is sent or middleware uses its body. */
function discard(answered: Promise<Response>, instead: unknown): void {
  void answered.then((response) => {
    if (response !== instead && !taken.has(response) && !surelyHasBody(response)) cancelBody(response);
  });
}
