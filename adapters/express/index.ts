import { createCompressResponse } from '../_compress/compress-response.ts';
import { withSharedCache } from '../_cache/index.ts';
import type { CacheOptions } from '../_cache/index.ts';
import type { CompressOptions, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
import { LightResponse, lengthOfWhole, takeWholeResponse } from '../_light/light-response.ts';
import { createListener } from '../_node/listener.ts';
import { toParsedBody } from '../_node/parsed-body.ts';
import type { ExpressRequest, ExpressResponse } from './host-types.ts';

export type { CacheOptions, SharedCacheSettings } from '../_cache/index.ts';
export type { CompressOptions, FetchOption, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
export type { ExpressRequest, ExpressResponse } from './host-types.ts';

/** A handler for `app.use` and `app.all`. */
export interface ExpressHandler {
  (request: ExpressRequest, response: ExpressResponse, next?: (error?: unknown) => void): void;
  /**
   * Resolves when no request and no task of `runTask` or `deferTask` is in progress any more. A shutdown awaits this
   * promise.
   */
  drain(): Promise<void>;
}

/**
 * Hosts an exported app in Express 5 or 4, at the root or under a path, with or without body parsers in front.
 *
 * ```js
 * app.use(createRequestHandler({ build: 'dist/server' }));
 * ```
 *
 * The handler answers every request that reaches it, an unknown path with 404, and never calls `next`: put it last.
 *
 * @returns a handler; its `drain()` awaits running tasks.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(
  options: OrFetch<ServerOptions & CacheOptions & CompressOptions & JobOptions>,
): ExpressHandler {
  const compress = createCompressResponse(options, { lengthOf: lengthOfWhole, take: takeWholeResponse });
  const listener = createListener(options, {
    name: 'Express',
    jobs: options.jobs,
    front: (app, build) => withSharedCache(app, build, { ...options, Response: LightResponse }),
    compress,
    readFramework(nodeRequest, _, host) {
      // Express extends Node's request; nothing else calls this.
      const request = nodeRequest as ExpressRequest;
      const basePath = basePathOf(request);
      return {
        target: toTarget(request, basePath),
        parsedBody: toParsedBody(request),
        host: basePath === '' ? host : { ...host, basePath },
      };
    },
  });
  // h3, and so Nitro, awaits the answer of a function with `next`, and ends that of any other when it returns.
  return Object.defineProperty(listener, 'length', { value: 3 }) as ExpressHandler;
}

/**
 * The path of the mount. Connect and `@fastify/middie`, which NestJS uses on Fastify, do not name it: they remove it from
 * `url`, and put a slash in front of a query that is left. A request of plain Node does not have an `originalUrl` either.
 */
function basePathOf({ originalUrl = '', baseUrl, url = '' }: Partial<ExpressRequest>): string {
  if (baseUrl !== undefined) return baseUrl;
  const target = originalUrl.replace(ORIGIN, '');
  const left = url.replace(ORIGIN, '');
  const rest = target.endsWith(left) ? left : left.slice(1);
  return target.endsWith(rest) ? target.slice(0, target.length - rest.length) : '';
}

/** What an absolute form has in front of the path. */
const ORIGIN = /^[a-z][\w+.-]*:\/\/[^/?#]*/i;

/**
 * The target with the path of the mount. Express lets middleware rewrite `url`. Otherwise the target is the one that
 * arrived, from which Express may have removed more than that path.
 */
function toTarget({ originalUrl, url = '' }: Partial<ExpressRequest>, basePath: string): string | undefined {
  if (originalUrl === undefined) return undefined;
  const rest = originalUrl.slice(basePath.length);
  const isUnchanged = originalUrl.startsWith(basePath) && (url === rest || url === `/${rest}`);
  return isUnchanged || !originalUrl.startsWith('/') ? originalUrl : basePath + url;
}
