import { answeringContext } from './answering-context.ts';
import { withBase } from './base.ts';
import { createFetchRoute } from './fetch-route.ts';
import type { FetchRoute } from './fetch-route.ts';
import { readReference, toUrlError } from './request-path.ts';

export type { FetchRouteOptions } from './fetch-route.ts';

/**
 * Requests a path such as `/hello` from the app's own server. In a native app, the request goes to the development
 * server, or to the `origin` of the app config. On the server, in a loader or a route, the app answers in the same
 * process, with the visitor's cookies. Everything else works like the platform's `fetch`.
 *
 * @throws TypeError with the code `ERR_URL_INVALID` for a URL that looks like a path but leads to another host, such as
 * `//host`; in a native app also for a path without a leading slash. With the code `ERR_ORIGIN_MISSING` if a native app
 * has no origin, or for a path outside a request on the server.
 */
export const fetch: typeof globalThis.fetch = async (input, init) => {
  if (typeof input !== 'string') return globalThis.fetch(input, init);
  const reference = readReference(input);
  const context = answeringContext();
  if ((!context && 'location' in globalThis) || URL.canParse(reference))
    return globalThis.fetch(context ? reference : withBase(reference), init);
  if (!context) {
    const message = `fetch was called with ${JSON.stringify(input)} outside a request, where there is no server to call: in a module, or while an export writes pages.`;
    throw toUrlError('ERR_ORIGIN_MISSING', `${message} Call the function that the route calls.`);
  }
  const { fetchInProcess } = await import('./fetch-in-process.ts');
  return fetchInProcess(context, reference, init);
};

/**
 * Calls an API route of the app by its pattern: `fetchRoute('/items/[id]', { params: { id: 'a b' } })` requests
 * `/items/a%20b`. With the types that `appkit start` writes, pattern, parameters and method are checked.
 *
 * @throws TypeError when a parameter of the pattern is missing or empty, and whatever `fetch` throws.
 */
export const fetchRoute: FetchRoute = createFetchRoute(fetch);
