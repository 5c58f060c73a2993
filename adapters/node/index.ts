import { createCompressResponse } from '../_compress/compress-response.ts';
import { withSharedCache } from '../_cache/index.ts';
import type { CacheOptions } from '../_cache/index.ts';
import type { CompressOptions, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
import { LightResponse, lengthOfWhole, takeWholeResponse } from '../_light/light-response.ts';
import { createListener } from '../_node/listener.ts';
import type { NodeListener } from '../_node/listener.ts';

export type { CacheOptions, SharedCacheSettings } from '../_cache/index.ts';
export type { CompressOptions, FetchOption, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
export type { NodeRequest, NodeResponse } from '../_node/host-types.ts';
export type { NodeListener } from '../_node/listener.ts';

/**
 * Hosts an exported app on `node:http`, `node:https` or the compatibility API of `node:http2`.
 *
 * ```js
 * http.createServer(createRequestHandler({ build: 'dist/server' })).listen(3000);
 * ```
 *
 * @returns a request listener; its `drain()` awaits running tasks.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(
  options: OrFetch<ServerOptions & CacheOptions & CompressOptions & JobOptions>,
): NodeListener {
  return createListener(options, {
    name: 'Node',
    jobs: options.jobs,
    front: (app, build) => withSharedCache(app, build, { ...options, Response: LightResponse }),
    compress: createCompressResponse(options, { lengthOf: lengthOfWhole, take: takeWholeResponse }),
  });
}
