import { createServerHandler } from '../_fetch/server-handler.ts';
import type { ServerOptions } from '../_http/options.ts';
import { toPublicOrigin } from '../_http/public-origin.ts';

export type { ServerOptions } from '../_http/options.ts';

/** A handler for the `fetch` of `Bun.serve`. */
export interface BunHandler {
  (request: Request, server?: unknown): Promise<Response>;
  /** Resolves when no task started by `runTask` or `deferTask` is running any more. For a shutdown to await. */
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
  return createServerHandler(options, toPublicUrl);
}

function toPublicUrl(request: Request, proxies: number): string | undefined {
  // Bun gives a bare path, or the target as it came, when the Host header is missing or malformed.
  const scheme = /^https?(?=:\/\/)/.exec(request.url)?.[0] as 'http' | 'https' | undefined;
  const origin = scheme && toPublicOrigin((name) => request.headers.get(name) ?? undefined, scheme, proxies);
  if (origin === undefined || proxies === 0) return origin && request.url;
  return origin + request.url.slice(request.url.indexOf('/', request.url.indexOf('://') + 3));
}
