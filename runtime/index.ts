/**
 * Helpers for server routes and middleware. All but {@link StatusError} ask for the request that is being answered, so
 * they work inside handlers, middleware and their tasks, across any `await`.
 *
 * @module
 */
export { deferTask, environment, origin, requestId, runTask, setResponseHeaders } from './helpers.ts';
export { StatusError } from './status-error.ts';
export type { MiddlewareConfig, MiddlewareMatcher } from './middleware.ts';
export type { ResponseHeaders } from './response-headers.ts';
export type { JsonValue } from './status-error.ts';
export type { Task } from './tasks.ts';
