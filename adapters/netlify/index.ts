import { offerMayBeTaken, toServerBuild } from '../../runtime/host.ts';
import { loadBuild } from '../_build/load-build.ts';
import { isDenoDisconnect } from '../_fetch/deno-disconnect.ts';
import { createFetchHandler } from '../_fetch/fetch-handler.ts';
import { offerMeasuredResponse } from '../_fetch/measured-response.ts';
import { toHead } from '../_fetch/to-head.ts';
import { withLength } from '../_fetch/with-length.ts';
import { connectJobs, onlyStoring } from '../_http/connect-jobs.ts';
import type { OrFetch, ServerOptions, StoredJobOptions } from '../_http/options.ts';
import { withoutBody } from '../_http/without-body.ts';
import { assertRequest } from './assert-request.ts';
import { purge, toCacheHeaders } from './cdn-cache.ts';
import type { NetlifyContext } from './host-types.ts';

export type { FetchOption, OrFetch, StoredJobOptions } from '../_http/options.ts';
export type { NetlifyContext } from './host-types.ts';
export { createIsFile } from './is-file.ts';
export type { ClientFiles } from './is-file.ts';

/** Options of the adapter. `request.url` is the visited URL, so there is no proxy to trust. */
export type NetlifyOptions = Omit<ServerOptions, 'trustProxy'> & StoredJobOptions;

/** A Netlify Function. */
export type NetlifyHandler = (request: Request, context?: NetlifyContext) => Promise<Response>;

/**
 * Hosts an exported app in a Netlify Function.
 *
 * ```js
 * export default createRequestHandler({ build: new URL('../../dist/server', import.meta.url) });
 * export const config = { path: '/*', preferStatic: true };
 * ```
 *
 * The files of the build must be part of the function: name them in `included_files`.
 *
 * @returns the function. It rejects with a TypeError when it is called with the event of the older `handler` export.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(options: OrFetch<NetlifyOptions>): NetlifyHandler {
  const build = toServerBuild(loadBuild(options));
  // In Deno, looking at the body of a text loses its length.
  if (isEdge()) offerMeasuredResponse();
  else offerMayBeTaken(() => true);
  const enqueue = connectJobs(onlyStoring(options.jobs, 'Netlify'), build, options)?.enqueue;
  const handler = createFetchHandler(
    { ...options, build },
    () =>
      ({ url }) =>
        url,
  );

  return async (request, context) => {
    assertRequest(request);
    const response = await handler(request, {
      name: 'Netlify',
      waitUntil: context?.waitUntil && ((promise) => context.waitUntil?.(promise)),
      enqueue,
      isDisconnect: isDenoDisconnect,
      decodesFetched: true,
      toCacheHeaders,
      purge,
      // Empty without a deploy, as in a local run.
      environment: context?.deploy?.context || undefined,
      requestId: context?.requestId || undefined,
      clientAddress: context?.ip || undefined,
      platform: { context },
    });
    // Netlify reads the body of an answer to HEAD to its end.
    if (request.method === 'HEAD') return isEdge() ? toHead(response) : withoutBody(await withLength(response));
    // Deno sends the length of such a body itself, and loses a read of the request that is in progress when the answer comes a turn later.
    return isEdge() ? response : withLength(response);
  };
}

// Edge functions run in Deno, the other functions in Node.
function isEdge(): boolean {
  return 'Deno' in globalThis;
}
