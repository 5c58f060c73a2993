import type { BunServer } from './host-types.ts';
import { createHandler } from '../../runtime/handler.ts';
import { textResponse } from '../../runtime/responses.ts';
import { createTaskSet } from '../../runtime/tasks.ts';
import { isTooLarge, limitStream, tooLargeResponse } from '../_http/body-limit.ts';
import { toServerLimits } from '../_http/options.ts';
import type { ServerLimits, ServerOptions } from '../_http/options.ts';
import { toPublicOrigin } from '../_http/public-origin.ts';
import { loadBuild } from '../_node/load-build.ts';

export type { ServerOptions } from '../_http/options.ts';
export type { BunServer } from './host-types.ts';

/** A handler for the `fetch` of `Bun.serve`. */
export interface BunHandler {
  (request: Request, server?: BunServer): Promise<Response>;
  /** Resolves when no task of `runTask` or `deferTask` is under way any more. For a shutdown, after `server.stop()`. */
  drain(): Promise<void>;
}

/**
 * Hosts an exported app on `Bun.serve`.
 *
 * ```js
 * Bun.serve({ fetch: createRequestHandler({ build: 'dist/server' }) });
 * ```
 *
 * Bun has a body limit of its own, also 128 MiB: for more, raise its `maxRequestBodySize` too.
 *
 * @returns a fetch handler; its `drain()` awaits running tasks.
 * @throws Error when there is no server build; TypeError for an option that cannot be.
 */
export function createRequestHandler(options: ServerOptions): BunHandler {
  const limits = toServerLimits(options);
  const handler = createHandler(loadBuild(options.build), options);
  const tasks = createTaskSet();
  const host = { waitUntil: tasks.waitUntil };

  const answer = async (request: Request, server?: BunServer): Promise<Response> => {
    const local = server?.url.origin ?? 'http://localhost';
    const origin = originOf(request, { proxies: limits.proxies, local });
    if (origin === undefined) return textResponse(400, 'Bad request');
    if (isTooLarge(request.headers.get('content-length'), limits.maxRequestBodySize)) return tooLargeResponse();
    return handler(withLimits(request, origin, limits), host);
  };
  return Object.assign(answer, { drain: tasks.drain });
}

function originOf(request: Request, { proxies, local }: { proxies: number; local: string }): string | undefined {
  const header = (name: string): string | undefined => request.headers.get(name) ?? undefined;
  const scheme = /^https?(?=:\/\/)/.exec(request.url)?.[0] as 'http' | 'https' | undefined;
  if (scheme) return toPublicOrigin(header, scheme, { proxies });
  // Bun gives a bare path when the Host header is malformed, or missing, which it lets pass with HTTP/1.0 only; and the
  // target as it came when that is neither.
  if (header('host') !== undefined || !request.url.startsWith('/')) return undefined;
  const { protocol, host } = new URL(local);
  return toPublicOrigin(header, protocol === 'https:' ? 'https' : 'http', { proxies, local: host });
}

function withLimits(request: Request, origin: string, limits: ServerLimits): Request {
  const isBare = request.url.startsWith('/');
  const path = isBare ? request.url : request.url.slice(request.url.indexOf('/', request.url.indexOf('://') + 3));
  const url = limits.proxies > 0 || isBare ? origin + path : request.url;
  // Bun counts a body in chunks as well, but only up to its own limit.
  const isUnannounced = request.headers.has('transfer-encoding') && request.body !== null;
  if (!isUnannounced) return url === request.url ? request : new Request(url, request);
  const init: RequestInit & { duplex: 'half' } = {
    method: request.method,
    headers: request.headers,
    signal: request.signal,
    body: limitStream(request.body, limits.maxRequestBodySize),
    duplex: 'half',
  };
  return new Request(url, init);
}
