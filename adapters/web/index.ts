import { createTaskSet, textResponse, toServerBuild } from '../../runtime/host.ts';
import type { FetchApp, ServerBuild } from '../../runtime/host.ts';
import { isDenoDisconnect } from '../_fetch/deno-disconnect.ts';
import { createFetchHandler } from '../_fetch/fetch-handler.ts';
import { offerMeasuredResponse } from '../_fetch/measured-response.ts';
import { toHead } from '../_fetch/to-head.ts';
import { connectJobs, withJobs } from '../_http/connect-jobs.ts';
import { toSource } from '../_http/options.ts';
import type { JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
import { toNative, toOwn } from './to-native.ts';
import { createToUrl } from './to-url.ts';

export type { FetchOption, JobOptions, OrFetch } from '../_http/options.ts';

/** Options of the adapter. A request's URL is used as the host provides it, so there is no proxy to trust. */
export interface WebOptions extends Omit<ServerOptions, 'build' | 'trustProxy'>, JobOptions {
  /**
   * The exports of `dist/server/index.js`, or a module that exports a function `fetch`, by name or in its default
   * export: not every host has a folder to load it from.
   */
  build: ServerBuild | FetchApp;
}

/** What a host may say about a request, as the second argument. All other members are ignored. */
export interface WebContext {
  /** Keeps the host running until the promise settles. Default: nothing does, and `drain()` awaits the tasks. */
  waitUntil?: ((promise: Promise<unknown>) => void) | undefined;
  /** The IP address of the client. Default: unknown. */
  clientAddress?: string | undefined;
  /** The host's own id of the request. Default: a random UUID. */
  requestId?: string | undefined;
}

/** The default export of a module for a host that calls its `fetch`. */
export interface WebHandler {
  /** Answers a request. Does not use `this`, so it can be passed on as a bare function. */
  fetch(request: Request, context?: WebContext | object): Promise<Response>;
  /**
   * Resolves when no job runs here any more, and no task of `runTask` or `deferTask` is in progress that the host does
   * not keep running itself.
   */
  drain(): Promise<void>;
}

/**
 * Hosts an exported app wherever a `fetch` function is called with a Request and returns a Response: `deno serve`,
 * srvx, or any other WinterTC runtime that has `AsyncLocalStorage` of `node:async_hooks`. If a host has an adapter of
 * its own, use that: this one knows nothing about the connection.
 *
 * ```js
 * import build from './dist/server/index.js';
 *
 * export default createRequestHandler({ build });
 * ```
 *
 * The second argument of `fetch` may be a `WebContext`.
 *
 * @throws TypeError or Error for an invalid build or option.
 */
export function createRequestHandler(options: OrFetch<WebOptions>): WebHandler {
  offerMeasuredResponse();
  const build = toServerBuild(toSource(options));
  const handler = createFetchHandler({ ...options, trustProxy: false, build }, createToUrl);
  const tasks = createTaskSet();
  const jobs = connectJobs(options.jobs, build, options);
  return {
    async fetch(request, context) {
      const given = (context ?? {}) as WebContext;
      const native = toNative(request);
      if (!native) return textResponse(400, 'Bad request');
      const response = await handler(native, {
        waitUntil: typeof given.waitUntil === 'function' ? (promise) => given.waitUntil?.(promise) : tasks.waitUntil,
        clientAddress: given.clientAddress,
        requestId: given.requestId,
        enqueue: jobs?.enqueue,
        platform: context,
        isDisconnect: isDenoDisconnect,
        decodesFetched: true,
      });
      return toOwn(native.method === 'HEAD' ? await toHead(response) : response);
    },
    drain: withJobs(tasks.drain, jobs),
  };
}
