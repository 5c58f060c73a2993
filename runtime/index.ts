/**
 * Helpers for server routes and middleware. All except {@link StatusError} and {@link isDraining} use the current
 * request, so they work inside handlers, middleware and their tasks, across any `await`.
 *
 * @module
 */
export { isDraining } from './draining.ts';
export {
  clientAddress,
  deferTask,
  environment,
  locals,
  nonce,
  origin,
  requestId,
  runTask,
  setResponseHeaders,
} from './helpers.ts';
export type { Locals } from './helpers.ts';
export { cache, invalidate } from './keep.ts';
export type { CacheRule } from './http/cache-rule.ts';
export { StatusError } from './http/status-error.ts';
export type { MiddlewareConfig, MiddlewareMatcher, Next } from './modules/middleware.ts';
export type { ResponseHeaders } from './http/response-headers.ts';
export type { JsonValue } from './http/status-error.ts';
export type { Task } from './request/tasks.ts';
export type { FetchApp, FetchFunction } from './modules/find-fetch-app.ts';
export type { FetchContext } from './request/fetch-context.ts';
