import { createHandler, reportTo, toHostRequest } from '../../runtime/host.ts';
import { withCacheDefault } from '../_http/cache-default.ts';
import { withoutFraming } from '../_http/framing.ts';
import { isTooLarge, limitStream, tooLargeResponse } from '../_http/body-limit.ts';
import { toServerLimits } from '../_http/options.ts';
import type { OrFetch, ServerOptions } from '../_http/options.ts';
import { withoutBody } from '../_http/without-body.ts';
import { loadBuild } from '../_build/load-build.ts';
import { assertRequest } from './assert-request.ts';
import { purge, toCacheHeaders } from './cdn-cache.ts';
import type { NetlifyContext } from './host-types.ts';
import { withLength } from './with-length.ts';

export type { FetchOption, OrFetch } from '../_http/options.ts';
export type { NetlifyContext } from './host-types.ts';

/** Options of the adapter. `request.url` is the visited URL, so there is no proxy to trust. */
export type NetlifyOptions = Omit<ServerOptions, 'trustProxy'>;

/** A Netlify Function. */
export type NetlifyHandler = (request: Request, context?: NetlifyContext) => Promise<Response>;

/**
 * Hosts an exported app in a Netlify Function.
 *
 * ```js
 * export default createRequestHandler({ build: 'dist/server' });
 * export const config = { path: '/*', preferStatic: true };
 * ```
 *
 * The files of the build must be part of the function: name them in `included_files`.
 *
 * @returns the function. It rejects with a TypeError when it is called with the event of the older `handler` export.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(options: OrFetch<NetlifyOptions>): NetlifyHandler {
  const { maxRequestBodySize: limit } = toServerLimits({ ...options, trustProxy: false });
  const handler = createHandler(loadBuild(options), options);
  const report = reportTo(options.onError);

  return async (request, context) => {
    assertRequest(request);
    if (isTooLarge(request.headers.get('content-length'), limit)) return withCacheDefault(tooLargeResponse());
    const response = await handler(toHostRequest(withLimit(request, limit), report), {
      waitUntil: context?.waitUntil && ((promise) => context.waitUntil?.(promise)),
      decodesFetched: true,
      toCacheHeaders,
      purge,
      // Empty where there is no deploy, as in a local run.
      environment: context?.deploy?.context || undefined,
      requestId: context?.requestId || undefined,
      clientAddress: context?.ip || undefined,
      platform: { context },
    });
    const sized = await withLength(withCacheDefault(withoutFraming(response)));
    // Netlify reads the body of an answer to HEAD to its end.
    return request.method === 'HEAD' ? withoutBody(sized) : sized;
  };
}

function withLimit(request: Request, limit: number): Request {
  if (request.body === null || request.headers.has('content-length')) return request;
  const init: RequestInit & { duplex: 'half' } = { body: limitStream(request.body, limit), duplex: 'half' };
  return new Request(request, init);
}
