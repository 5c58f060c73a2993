import type { ServerBuild } from 'appkit-server/manifest';
import { createRequestHandler } from 'appkit-server/adapter/web';

declare const build: ServerBuild;

/** What `deno serve` takes. */
export const served: Deno.ServeDefaultExport = createRequestHandler({ build });

export const own = createRequestHandler({
  fetch: (request, context) => Response.json([request.url, context.requestId]),
});
export const answer: Promise<Response> = own.fetch(new Request('http://a.test/'), { waitUntil: () => {} });

// @ts-expect-error -- there is no file system to load it from
createRequestHandler({ build: 'dist/server' });

// @ts-expect-error -- the host provides the URL
createRequestHandler({ build, trustProxy: true });
