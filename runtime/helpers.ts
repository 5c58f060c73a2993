import { currentContext } from './request/context.ts';
import type { ResponseHeaders } from './http/response-headers.ts';
import type { Task } from './request/tasks.ts';

/**
 * The origin the user's browser used, such as `https://shop.example`, which may differ from the deployment's own behind a
 * proxy.
 *
 * It is the request's `Origin` header if that is one http or https origin (and in the adapter's `origins` list, if there is
 * one), otherwise the public URL that the host vouches for, otherwise the origin of `request.url`. A caller that is not a
 * browser can send any `Origin` header: do not base a decision on it alone, or list the allowed ones in `origins`.
 *
 * @throws Error outside a request.
 * @see RFC 6454 section 7
 */
export function origin(): string | null {
  return currentContext('origin()').origin();
}

/**
 * The name of the environment, such as `staging`, or `null` in production.
 *
 * It is the adapter's `environment` option, otherwise what the host says, otherwise `NODE_ENV`. `production` and a missing name
 * are both `null`.
 *
 * @throws Error outside a request.
 */
export function environment(): string | null {
  return currentContext('environment()').environment();
}

/**
 * The id of the request, the same in the route, its tasks and the hooks of the adapter, to find related lines in logs.
 *
 * On AWS Lambda, Cloudflare, Netlify and Vercel it is the host's id, otherwise a random UUID. It is never a header such as
 * `X-Request-Id`, which any client can send.
 *
 * @throws Error outside a request.
 * @see RFC 9562 section 5.4
 */
export function requestId(): string {
  return currentContext('requestId()').requestId();
}

/**
 * The IP address of the client, such as to limit how often it may ask, or `undefined` if the host does not know it, such as when the client
 * has left before this is called first. A task knows what was known when it was given to `runTask()` or `deferTask()`.
 *
 * Behind proxies it is the address of the nearest one, unless the option `trustProxy` of the adapter says how many there are. No client can
 * choose it by `X-Forwarded-For`. An answer that depends on it is not kept by `cache()`.
 *
 * @throws Error outside a request.
 */
export function clientAddress(): string | undefined {
  return currentContext('clientAddress()').clientAddress;
}

/**
 * A random value for this request alone, for the `Content-Security-Policy` of its answer:
 * `setResponseHeaders({ 'content-security-policy': `script-src 'self' 'nonce-${nonce()}'` })`. Every script of a page that is rendered
 * for the request has it then.
 *
 * @throws Error outside a request.
 * @see Content Security Policy Level 3, section 7.1
 */
export function nonce(): string {
  return currentContext('nonce()').nonce();
}

/**
 * The values that an app's code sets for one request, such as the user that middleware has found. Declare it:
 * `declare module 'appkit-server' { interface Locals { user?: User } }`.
 */
export interface Locals {}

/**
 * An object for this request alone, to pass values from middleware on to routes, loaders, actions, tasks and hooks: `locals().user = user`. It is
 * empty at first. A request that `fetchRoute` makes on the server has its own object.
 *
 * @throws Error outside a request.
 */
export function locals(): Locals {
  return currentContext('locals()').locals as Locals;
}

/**
 * Starts a task at once, in parallel with the answer: the response does not wait for it, and the host keeps running until it ends.
 *
 * A task that throws or rejects is reported to the adapter's `onError` and does not change the answer.
 *
 * @param task – what to do; called with no arguments.
 * @throws Error outside a request; TypeError when `task` is not a function.
 */
export function runTask(task: Task): void {
  currentContext('runTask()').runTask(task);
}

/**
 * Starts a task after the route has resolved its response, including a thrown `Response` or `StatusError`, but
 * not after an unhandled error. The host keeps running until it ends.
 *
 * `origin()` and `environment()` work in it; `setResponseHeaders()` throws, since the headers have been sent. A task that throws
 * or rejects is reported to the adapter's `onError`.
 *
 * @param task – what to do; called with no arguments.
 * @throws Error outside a request; TypeError when `task` is not a function.
 */
export function deferTask(task: Task): void {
  currentContext('deferTask()').deferTask(task);
}

/**
 * Sets headers of the future response, whatever it is: returned, thrown, from middleware, 404 or 500.
 *
 * Calls apply in their order, after the handler. In an object, a string sets a header and an array appends each value. From
 * a `Headers`, `Set-Cookie` values are appended and the others set. A callback receives the response's own headers and
 * may return further ones.
 *
 * @param headers – names to values, a `Headers`, or a callback.
 * @throws Error outside a request and once the response has been sent; TypeError for an invalid name or value.
 */
export function setResponseHeaders(headers: ResponseHeaders): void {
  currentContext('setResponseHeaders()').setResponseHeaders(headers);
}
