import { isDenoDisconnect } from '../_fetch/deno-disconnect.ts';
import { lengthOfMeasured, offerMeasuredResponse } from '../_fetch/measured-response.ts';
import { createServerHandler } from '../_fetch/server-handler.ts';
import { toHead } from '../_fetch/to-head.ts';
import { createCompressResponse } from '../_compress/compress-response.ts';
import type { CacheOptions } from '../_cache/index.ts';
import type { CompressOptions, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
import { createToPublicUrl } from './public-url.ts';

export type { CacheOptions, SharedCacheSettings } from '../_cache/index.ts';
export type { CompressOptions, FetchOption, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';

/** A handler for `Deno.serve`. */
export interface DenoHandler {
  (request: Request, info?: unknown): Response | Promise<Response>;
  /** Resolves when no task of `runTask` or `deferTask` is in progress any more. For a shutdown, after `server.shutdown()`. */
  drain(): Promise<void>;
}

/**
 * Hosts an exported app on `Deno.serve`.
 *
 * ```js
 * Deno.serve(createRequestHandler({ build: 'dist/server' }));
 * ```
 *
 * Deno 2 aborts `request.signal` after every answer, not only when the client has left, unless it runs with
 * `"unstable": ["no-legacy-abort"]` in `deno.json`.
 *
 * @returns a handler; its `drain()` awaits running tasks.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(
  options: OrFetch<ServerOptions & CacheOptions & CompressOptions & JobOptions>,
): DenoHandler {
  offerMeasuredResponse();
  const handler = createServerHandler(options, createToPublicUrl, {
    isDisconnect: isDenoDisconnect,
    addressOf: (_, info) => addressIn(info as DenoInfo | undefined),
    compress: createCompressResponse(options, { lengthOf: lengthOfMeasured }),
    cache: options.cache,
    name: 'Deno',
    jobs: options.jobs,
  });
  const answer = (request: Request, info?: unknown): Response | Promise<Response> => {
    const response = handler(request, info);
    return request.method === 'HEAD' ? toHead(response) : response;
  };
  return Object.assign(answer, { drain: handler.drain });
}

// Deno throws once the answer has been sent.
function addressIn(info: DenoInfo | undefined): string | undefined {
  try {
    return info?.remoteAddr?.hostname;
  } catch {
    return undefined;
  }
}

/** What the adapter reads from the second argument of a handler. */
interface DenoInfo {
  remoteAddr?: { hostname?: string };
}
