import type { JobOptions, OrFetch, ServerOptions } from '../_http/options.ts';
import { createListener } from '../_node/listener.ts';
import type { ListenerTraits } from '../_node/listener.ts';
import { toParsedBody } from '../_node/parsed-body.ts';
import { createTaskSet } from '../../runtime/host.ts';
import { purge, toCacheHeaders } from './cdn-cache.ts';
import { endAfter } from './end-after.ts';
import type { VercelRequest, VercelResponse } from './host-types.ts';
import { toRestoredBody } from './restored-body.ts';
import { platformWaitUntil } from './wait-until.ts';

export type { FetchOption, OrFetch } from '../_http/options.ts';
export type { VercelRequest, VercelResponse } from './host-types.ts';

/** Options of the adapter. The forwarded headers come from the platform, so there is no proxy to trust. */
export type VercelOptions = Omit<ServerOptions, 'trustProxy'> & JobOptions;

/** A function in the form that `@vercel/node` calls with Node's request and response. */
export type VercelHandler = (request: VercelRequest, response: VercelResponse) => void;

/**
 * Hosts an exported app in a Vercel Function of the Node.js runtime.
 *
 * ```js
 * export default createRequestHandler({ build: new URL('../dist/server', import.meta.url) });
 * ```
 *
 * `module.exports = createRequestHandler(…)` does the same. The files of the build must be part of the function: name them in
 * `includeFiles`.
 *
 * @returns the function.
 * @throws Error when there is no server build; TypeError for an invalid option.
 */
export function createRequestHandler(options: OrFetch<VercelOptions>): VercelHandler {
  const readFramework: ListenerTraits['readFramework'] = (nodeRequest, nodeResponse, { name, enqueue }) => {
    // The launcher passes the objects of node:http; nothing else calls this.
    const [request, response] = [nodeRequest as VercelRequest, nodeResponse as VercelResponse];
    const bodySource = toRestoredBody(request);
    return {
      bodySource,
      parsedBody: bodySource ? undefined : toParsedBody(request),
      host: {
        name,
        enqueue,
        waitUntil: platformWaitUntil() ?? waitForTasks(response),
        environment: process.env['VERCEL_ENV'],
        decodesFetched: true,
        toCacheHeaders,
        purge,
        // Vercel sets this, whatever the client sends.
        get requestId() {
          const id = request.headers['x-vercel-id'];
          return typeof id === 'string' ? id : undefined;
        },
      },
    };
  };
  // One proxy: Vercel sets X-Forwarded-Host and -Proto itself, whatever the client sends.
  return createListener({ ...options, trustProxy: 1 }, { name: 'Vercel', jobs: options.jobs, readFramework });
}

function waitForTasks(response: VercelResponse): (promise: Promise<unknown>) => void {
  const tasks = createTaskSet();
  endAfter(tasks, response);
  return tasks.waitUntil;
}
