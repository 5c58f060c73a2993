import { codedError } from '../http/coded-error.ts';
import type { HandlerContext } from '../request/handler-context.ts';
import { METHODS } from '../manifest.ts';
import type { Method } from '../manifest.ts';
import { textResponse } from '../http/responses.ts';
import { answersMethod } from '../routing/targets.ts';
import type { ApiRoute } from '../routing/targets.ts';

/** The request for an API route. */
export interface RouteCall {
  context: HandlerContext;
  request: Request;
  route: ApiRoute;
  params: Record<string, string>;
  implicitHead: boolean;
}

/** Calls the handler of a route for a method, or answers 405. */
export function callRoute(
  module: unknown,
  { context, request, route: { file, page }, params, implicitHead }: RouteCall,
): unknown {
  const exports = module as Record<string, unknown>;
  const name = handlerName(exports, request.method, implicitHead);
  if (name === undefined) {
    return methodNotAllowed(
      (method) =>
        handlerName(exports, method, implicitHead) !== undefined || (page !== undefined && answersMethod(page, method)),
    );
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

/** The answer to a method that is not allowed. */
export function methodNotAllowed(isAllowed: (method: Method) => boolean): Response {
  return textResponse(405, 'Method not allowed', { allow: METHODS.filter(isAllowed).join(', ') });
}

/** The export that answers a method, if the route has one. Own exports only: a method token can be `constructor`. */
function handlerName(module: Record<string, unknown>, method: string, implicitHead: boolean): Method | undefined {
  if (!(METHODS as readonly string[]).includes(method)) return undefined;
  const name = method as Method;
  if (Object.hasOwn(module, name)) return name;
  return name === 'HEAD' && implicitHead && Object.hasOwn(module, 'GET') ? 'GET' : undefined;
}
