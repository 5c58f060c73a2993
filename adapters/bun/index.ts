import { isMeasuredText, lengthOfMeasured, offerMeasuredResponse } from '../_fetch/measured-response.ts';
import { createServerHandler } from '../_fetch/server-handler.ts';
import { createCompressResponse } from '../_compress/compress-response.ts';
import { SMALL_BYTES } from '../_compress/compressible.ts';
import type { CacheOptions } from '../_cache/index.ts';
import type { CompressOptions, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
import type { BunServer } from './host-types.ts';
import { createToPublicUrl } from './public-url.ts';

export type { CacheOptions, SharedCacheSettings } from '../_cache/index.ts';
export type { CompressOptions, FetchOption, JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
export type { BunServer } from './host-types.ts';

/** A handler for the `fetch` of `Bun.serve`. */
export interface BunHandler {
  (request: Request, server?: BunServer): Response | Promise<Response>;
  /**
   * Resolves when no task of `runTask` or `deferTask` is in progress any more. For a shutdown, after `server.stop()`.
   */
  drain(): Promise<void>;
}

/**
 * Hosts an exported app on `Bun.serve`.
 *
 * ```js
 * Bun.serve({ fetch: createRequestHandler({ build: 'dist/server' }) });
 * ```
 *
 * Bun has its own body limit, also 128 MiB: to allow more, raise its `maxRequestBodySize` too.
 *
 * @returns a fetch handler; its `drain()` awaits running tasks.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(
  options: OrFetch<ServerOptions & CacheOptions & CompressOptions & JobOptions>,
): BunHandler {
  offerMeasuredResponse();
  const compress = createCompressResponse(options, { lengthOf: lengthOfMeasured });
  const handler = createServerHandler<BunServer>(options, createToPublicUrl, {
    isWhole,
    keep,
    whenRead: nextTurn,
    addressOf: (request, server) => (server as BunServer | undefined)?.requestIP?.(request)?.address,
    compress: compress && ((response, accept) => compress(isLong(response) ? withType(response) : response, accept)),
    cache: options.cache,
    complete: withType,
    name: 'Bun',
    jobs: options.jobs,
  });
  const answer = (request: Request, server?: BunServer): Response | Promise<Response> => {
    const response = handler(request, server);
    if (request.method !== 'HEAD') return response;
    return response instanceof Promise ? response.then(withType) : withType(response);
  };
  return Object.assign(answer, { drain: handler.drain });
}

// Bun 1.4 sets the type of a text only when it sends the text, so never for HEAD: RFC 9110 section 9.3.2.
const withType = (response: Response): Response => {
  if (isMeasuredText(response) && !response.headers.has('content-type')) {
    response.headers.set('content-type', 'text/plain;charset=UTF-8');
  }
  return response;
};

const isLong = (response: Response): boolean => (lengthOfMeasured(response) ?? 0) >= SMALL_BYTES;

// Once its body has been accessed, a text in Bun 1.4 has no type, and only the size that Bun.inspect() prints tells
// that a body is not a stream.
function isWhole(response: Response): boolean {
  const { Bun } = globalThis as unknown as { Bun: { inspect(value: unknown): string } }; // where this adapter runs
  if (lengthOfMeasured(response) !== undefined) return true;
  return !Bun.inspect(response).startsWith('Response (0 KB)');
}

// Bun 1.4 drops the headers of an answered request, unless they were read before.
function keep(request: Request): void {
  void request.headers;
}

// Bun 1.4 delivers a body that came with the head only after the handler has been called, and an answer ends the
// reading.
function nextTurn(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
