import { createTaskSet, isPromise, reportTo, textResponse, toServerBuild } from '../../runtime/host.ts';
import type { HostContext, JobEngine } from '../../runtime/host.ts';
import { withSharedCache } from '../_cache/index.ts';
import type { CacheOptions } from '../_cache/index.ts';
import type { CompressResponse } from '../_compress/compress-response.ts';
import { toClientAddress } from '../_http/client-address.ts';
import { connectJobs, withJobs } from '../_http/connect-jobs.ts';
import { toServerLimits } from '../_http/options.ts';
import type { OrFetch, ServerOptions } from '../_http/options.ts';
import { loadBuild } from '../_build/load-build.ts';
import { createFetchHandler } from './fetch-handler.ts';
import type { ToPublicUrl } from './fetch-handler.ts';

/** Answers the requests of a long-lived server that provides web Requests. */
export interface ServerHandler<Server> {
  (request: Request, server?: Server): Response | Promise<Response>;
  /** Resolves when no task of `runTask` or `deferTask` is in progress. A shutdown awaits this promise. */
  drain(): Promise<void>;
}

/** What differs between servers. */
export interface ServerTraits {
  /** As in `HostContext`. */
  name?: string;
  /** Runs the app's jobs. Default: nothing does. */
  jobs?: JobEngine | undefined;
  /** As in `HostContext`. */
  isDisconnect?: HostContext['isDisconnect'];
  /** As in `HostContext`. */
  isWhole?: HostContext['isWhole'];
  /** As in `HostContext`. */
  keep?: HostContext['keep'];
  /** As in `createFetchHandler`. */
  whenRead?: () => Promise<void>;
  /** The address at the other end of the connection that a request came through. */
  addressOf?: (request: Request, server: unknown) => string | undefined;
  /** Compresses an answer if the host does not. */
  compress?: CompressResponse | undefined;
  /** The cache in front of the app. */
  cache?: CacheOptions['cache'];
  /** Completes an answer for the cache and for middleware, which read it before the host sends it. Default: it is complete. */
  complete?: (response: Response) => Response;
}

/** Creates the handler of a server that has files and keeps track of its tasks. */
export function createServerHandler<Server = unknown>(
  options: OrFetch<ServerOptions>,
  createToPublicUrl: (proxies: number) => ToPublicUrl<Server>,
  {
    name,
    jobs: engine,
    isDisconnect,
    isWhole,
    keep,
    whenRead,
    addressOf,
    compress,
    cache,
    complete,
  }: ServerTraits = {},
): ServerHandler<Server> {
  const build = toServerBuild(loadBuild(options));
  const { proxies } = toServerLimits(options);
  const handler = createFetchHandler<Server>(
    {
      ...options,
      build,
      front: (app, build) => withSharedCache(app, build, { cache, complete, onError: options.onError }),
    },
    createToPublicUrl,
    whenRead,
  );
  const tasks = createTaskSet();
  const jobs = connectJobs(engine, build, options);
  const { waitUntil } = tasks;
  const enqueue = jobs?.enqueue;
  const host: HostContext = { name, waitUntil, enqueue, isDisconnect, isWhole, keep, complete, decodesFetched: true };
  const drain = withJobs(tasks.drain, jobs);
  // A class, because one is made for each request: no closures, one shape. Its fields are not private: objects inherit from it.
  class RequestHost {
    readonly request: Request;
    readonly platform: Server | undefined;

    constructor(request: Request, server: Server | undefined) {
      this.request = request;
      this.platform = server;
    }

    get clientAddress(): string | undefined {
      const forwarded = proxies === 0 ? undefined : (this.request.headers.get('x-forwarded-for') ?? undefined);
      return toClientAddress(addressOf?.(this.request, this.platform), forwarded, proxies);
    }
  }
  Object.setPrototypeOf(RequestHost.prototype, host);
  const answer = (request: Request, server?: Server): Response | Promise<Response> =>
    handler(request, new RequestHost(request, server) as HostContext, server);
  if (!compress) return Object.assign(answer, { drain });
  const report = reportTo(options.onError);
  const compressed = (request: Request, server?: Server): Response | Promise<Response> => {
    const accept = (): string | null => request.headers.get('accept-encoding');
    const finish = (response: Response): Response | Promise<Response> => {
      const finished = compress(response, accept);
      if (!isPromise(finished)) return finished;
      return finished.catch((error: unknown) => {
        report(error, request);
        return textResponse(500, 'Internal server error');
      });
    };
    const response = answer(request, server);
    return isPromise(response) ? response.then(finish) : finish(response);
  };
  return Object.assign(compressed, { drain });
}
