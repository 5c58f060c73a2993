import { offerMayBeTaken } from '../../runtime/host.ts';
import type { FetchApp, ServerBuild } from '../../runtime/host.ts';
import { createFetchHandler } from '../_fetch/fetch-handler.ts';
import { offerNotedFetch } from '../_fetch/noted-fetch.ts';
import { toClientAddressAtEdge } from '../_http/client-address.ts';
import { toServerLimits, toSource } from '../_http/options.ts';
import type { OrFetch, ServerOptions } from '../_http/options.ts';
import { withoutBody } from '../_http/without-body.ts';
import { keepBindings } from './bindings.ts';
import { purge, toCacheHeaders } from './cdn-cache.ts';
import type { CloudflareContext } from './host-types.ts';
import type { CloudflareJobs, ConnectedCloudflareJobs } from './jobs.ts';
import { environmentOf } from './environment.ts';
import { createToPublicUrl } from './public-url.ts';

export { bindings } from './bindings.ts';
export type { FetchOption, OrFetch } from '../_http/options.ts';
export type { CloudflareContext } from './host-types.ts';
export type { CloudflareJobs } from './jobs.ts';

/** Options of the adapter. */
export interface CloudflareOptions extends Omit<ServerOptions, 'build'> {
  /**
   * The exports of `dist/server/index.js`, or a module that exports a function `fetch`, by name or in its default
   * export: a Worker has no folder to load it from.
   */
  build: ServerBuild | FetchApp;
  /**
   * Stores and runs the app's jobs: `createCloudflareJobs()` of `appkit-server/jobs/cloudflare`. Default: nothing does,
   * and `enqueue()` rejects.
   */
  jobs?: CloudflareJobs | undefined;
}

/** The default export of a Worker. */
export interface CloudflareHandler {
  /** Answers a request. Does not use `this`, so it can be passed on as a bare function. */
  fetch(request: Request, env: unknown, context: CloudflareContext): Promise<Response>;
}

/** The default export of a Worker that runs jobs. */
export type CloudflareHandlerWithJobs = CloudflareHandler & Pick<ConnectedCloudflareJobs, 'queue' | 'scheduled'>;

/**
 * Hosts an exported app on Cloudflare Workers.
 *
 * ```js
 * import build from './dist/server/index.js';
 *
 * export default createRequestHandler({ build });
 * ```
 *
 * In a Worker of your own, call its `fetch`. With the option `jobs`, it has `queue` and `scheduled` too.
 *
 * @throws TypeError or Error for an invalid build or option.
 */
export function createRequestHandler(
  options: OrFetch<CloudflareOptions> & { jobs: CloudflareJobs },
): CloudflareHandlerWithJobs;
export function createRequestHandler(options: OrFetch<CloudflareOptions>): CloudflareHandler;
export function createRequestHandler(
  options: OrFetch<CloudflareOptions>,
): CloudflareHandler | CloudflareHandlerWithJobs {
  offerNotedFetch();
  // Looking at a body costs nothing here, and workerd closes the connection without an answer.
  offerMayBeTaken(() => true);
  const { proxies } = toServerLimits(options);
  const build = toSource(options);
  // Every body looks like a stream here, and one of ours would be sent without its length.
  const handler = createFetchHandler({ ...options, build, tellsOfStreams: false }, createToPublicUrl);
  const jobs = options.jobs?.connect({ ...options, build });
  const answering: CloudflareHandler = {
    async fetch(request, env, context) {
      keepBindings(env);
      const response = await handler(request, {
        name: 'Cloudflare',
        waitUntil: (promise) => context.waitUntil(promise),
        environment: environmentOf(env),
        env: env as Record<string, unknown>, // of the Worker
        platform: { env, context },
        toCacheHeaders,
        purge: (tags) => purge(context, tags),
        enqueue: jobs?.enqueue,
        // Cloudflare sets both, whatever the client sends.
        get requestId() {
          return request.headers.get('cf-ray') ?? undefined;
        },
        get clientAddress() {
          const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
          return toClientAddressAtEdge(header('cf-connecting-ip'), header('x-forwarded-for'), proxies);
        },
      });
      // Workerd lets the stream of an answer to HEAD run on unread.
      return request.method === 'HEAD' ? withoutBody(response) : response;
    },
  };
  return jobs ? { ...answering, queue: jobs.queue, scheduled: jobs.scheduled } : answering;
}
