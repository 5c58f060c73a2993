import type { ServerBuild } from 'appkit-server/manifest';
import { createRequestHandler } from 'appkit-server/adapter/cloudflare';

declare const build: ServerBuild;
const handler = createRequestHandler({ build });

export const worker: ExportedHandler = handler;
export const ownWorker: ExportedHandler<{ KEYS: KVNamespace }> = {
  fetch: (request, env, context) => handler.fetch(request, env, context),
};

// @ts-expect-error -- a Worker is an object with a fetch, not the function
export const bare: ExportedHandler = handler.fetch;
