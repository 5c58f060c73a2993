import { AsyncLocalStorage } from 'node:async_hooks';
import { codedError } from '../http/coded-error.ts';
import type { MergedCacheRule } from '../http/merged-cache-rule.ts';
import type { Enqueued, JobEnvelope, JobTransaction } from '../jobs/engine.ts';
import type { ResponseHeaders } from '../http/response-headers.ts';
import type { Task } from './tasks.ts';

/** The context of the request being answered, for the helpers.
 *
 * Every bundled route carries its own copy of the helpers, perhaps of another release than the handler's. This interface
 * is all they share, so it only ever grows.
 */
export interface RequestContext {
  /** Throws for a helper that does not work here. Absent in the context of a request, where every helper works. */
  refuse?(helper: string): void;
  readonly request: Request;
  /** Returns a header of the request, by its name in lower case, and records the read. */
  header(name: string): string | null;
  /** Reads headers without making the answer depend on them, for traces. */
  peek<Result>(read: (headers: Headers) => Result): Result;
  /** Where the app is mounted, such as `/shop`. Empty at the root. */
  readonly basePath: string;
  origin(): string;
  environment(): string | null;
  requestId(): string;
  /** The IP address of the client, if the host knows it. Absent in a handler of an older release. */
  readonly clientAddress?: string | undefined;
  /** The pattern of the route or page that answers, once that is known. */
  readonly route: string | undefined;
  /** The error that app code has thrown, unless it is an answer. */
  readonly failure: unknown;
  /** The cookies that have been set, in the form of `appkit-server/cookies`. */
  cookies: unknown;
  /** The values that app code has set for this request. */
  readonly locals: object;
  nonce(): string;
  /** The value of {@link nonce}, if it was called. */
  readonly usedNonce: string | undefined;
  setResponseHeaders(headers: ResponseHeaders): void;
  cache(rule: MergedCacheRule | false): void;
  invalidate(tags: readonly string[]): Promise<void>;
  runTask(task: Task): void;
  deferTask(task: Task): void;
  /** Stores a job. Absent without an engine for jobs. */
  readonly enqueue?: ((envelope: JobEnvelope, transaction?: JobTransaction) => Promise<Enqueued>) | undefined;
  /** The name of the host, if it has one. */
  readonly hostName?: string | undefined;
  /** Makes the app answer a request as if it had arrived, for `fetchRoute` of appkit-router. */
  dispatch(request: Request): Promise<Response>;
  /** The same request with another URL, for pages: their loaders see the URL of the page. */
  withUrl(request: Request, url: string): Request;
  /** Reports an error that the answer does not show, such as an error in a page whose first part has been sent. */
  reportError(error: unknown): void;
  /**
   * Reports an error that came after the answer, when nobody may wait for it any more. Who throws it again does not report it a second
   * time. Returns whether the answer had been sent; if not, nothing is reported.
   */
  reportLate?(error: unknown): boolean;
  /** Notes that a part of the answer has failed, whether or not this is reported: no cache of this server keeps it. */
  noteFailure(): void;
}

const storeKey = Symbol.for('appkit.requestContext');

/** The one store of this process, shared by all copies of this module. */
export function requestStore(): AsyncLocalStorage<RequestContext> {
  const shared = globalThis as { [storeKey]?: AsyncLocalStorage<RequestContext> };
  return (shared[storeKey] ??= new AsyncLocalStorage<RequestContext>());
}

/**
 * The context of the current request or job. If there is none, or if it does not support the helper, this throws an
 * error that names `helper`.
 */
export function currentContext(helper: string): RequestContext {
  const context = requestStore().getStore();
  if (!context) {
    throw codedError(
      'ERR_OUTSIDE_REQUEST',
      `${helper} was called outside a request. Call it inside a route handler or middleware, not at module level, ` +
        'and run the route through a createRequestHandler of appkit-server.',
    );
  }
  context.refuse?.(helper);
  return context;
}
