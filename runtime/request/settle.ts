import { toSendable } from '../http/fetched-response.ts';
import { isResponse, textResponse, toNativeResponse } from '../http/responses.ts';
import { isCausedFailure, isStatusError, statusErrorResponse } from '../http/status-error.ts';
import type { HandlerContext } from './handler-context.ts';

/** Returns the return value of app code if it can be sent. Otherwise throws. */
export function toAnswer(context: HandlerContext, returned: unknown): Response {
  const response = toNativeResponse(returned, context.source);
  return context.decodesFetched ? toSendable(response) : response;
}

/** The answer to a value that app code has thrown. An error is reported. */
export function toFailureAnswer(context: HandlerContext, thrown: unknown): Response {
  let error = thrown;
  try {
    const response = toThrownResponse(thrown);
    if (isStatusError(thrown) && isCausedFailure(thrown)) context.reportError(thrown);
    if (response) return response;
  } catch (unfit) {
    error = unfit;
  }
  context.hasFailed = true;
  if (!context.isDisconnect(error)) context.failure = error;
  const given = context.reportError(error);
  if (given) keepHeaders(context, given);
  return given ?? internalServerError();
}

/** The answer to an error whose details the client does not see. */
export function internalServerError(): Response {
  return textResponse(500, 'Internal server error');
}

function toThrownResponse(thrown: unknown): Response | undefined {
  if (isStatusError(thrown)) return statusErrorResponse(thrown);
  return isResponse(thrown) ? toNativeResponse(thrown, { file: 'a route', name: 'What was thrown' }) : undefined;
}

// The headers set by the route were for its own answer: with its Cache-Control, an error would stay in caches.
function keepHeaders(context: HandlerContext, { headers }: Response): void {
  const own = [...headers].filter(([name]) => name !== 'set-cookie');
  context.setResponseHeaders(Object.fromEntries(own));
}
