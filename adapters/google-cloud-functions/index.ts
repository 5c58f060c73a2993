import { createCompressResponse } from '../_compress/compress-response.ts';
import { onlyStoring } from '../_http/connect-jobs.ts';
import type { CompressOptions, OrFetch, ServerOptions, StoredJobOptions } from '../_http/options.ts';
import { lengthOfWhole, takeWholeResponse } from '../_light/light-response.ts';
import { createListener } from '../_node/listener.ts';
import { toParsedBody } from '../_node/parsed-body.ts';
import { holdEnd } from './hold-end.ts';
import type { FunctionsRequest, FunctionsResponse } from './host-types.ts';
import { schemeAtEdge } from './scheme-at-edge.ts';

export type { CompressOptions, FetchOption, OrFetch, StoredJobOptions } from '../_http/options.ts';
export type { FunctionsRequest, FunctionsResponse } from './host-types.ts';

/** Options of the adapter. */
export interface FunctionsOptions extends ServerOptions, CompressOptions, StoredJobOptions {
  /**
   * How many of your proxies are in front of Google's, such as a CDN, each adding to `X-Forwarded-Host`; `true` is one.
   * `request.url` and `origin()` then follow that header. Default: `false`: it is ignored, since any client can send
   * it. `X-Forwarded-Proto` is always read: Google sets it.
   */
  trustProxy?: boolean | number | undefined;
}

/** A function in the form that `http()` of `@google-cloud/functions-framework` accepts. */
export type FunctionsHandler = (request: FunctionsRequest, response: FunctionsResponse) => void;

/**
 * Hosts an exported app in a function of Google Cloud: a Cloud Run function, or one of Cloud Functions.
 *
 * ```js
 * http('app', createRequestHandler({ build: 'dist/server' }));
 * ```
 *
 * Tasks of `runTask` and `deferTask` delay the end of the response: Google takes the processor from a function that has answered.
 *
 * @returns the function.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(options: OrFetch<FunctionsOptions>): FunctionsHandler {
  return createListener(options, {
    name: 'Google Cloud Functions',
    jobs: onlyStoring(options.jobs, 'Google Cloud Functions'),
    schemeAtEdge,
    compress: createCompressResponse(options, { lengthOf: lengthOfWhole, take: takeWholeResponse }),
    readFramework(nodeRequest, nodeResponse, host) {
      // The framework extends the objects of node:http; nothing else calls this.
      const [request, response] = [nodeRequest as FunctionsRequest, nodeResponse as FunctionsResponse];
      return { parsedBody: toParsedBody(request), host: { ...host, waitUntil: holdEnd(response) } };
    },
  });
}
