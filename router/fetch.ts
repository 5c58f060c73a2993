import { answeringContext } from './answering-context.ts';
import { createFetchRoute } from './fetch-route.ts';
import type { FetchRoute } from './fetch-route.ts';
import { readReference, toUrlError } from './request-path.ts';

export type { FetchRouteOptions } from './fetch-route.ts';

/**
 * Asks the app's own server for a path such as `/hello`. In a native app it goes to the development server, or to the `origin` of
 * the app config. On the server, in a loader or a route, the app answers it in the same process, with the visitor's cookies. Everything
 * else is as the platform's `fetch` does it.
 *
 * @throws TypeError with the code `ERR_URL_INVALID` for what looks like a path and leads to another host, such as `//host`; in a
 * native app also for a path without a leading slash. There a missing origin is a TypeError with the code `ERR_ORIGIN_MISSING`, and on the
 * server a path outside a request.
 */
export const fetch: typeof globalThis.fetch = async (input, init) => {
  if (typeof input !== 'string') return globalThis.fetch(input, init);
  const reference = readReference(input);
  const context = answeringContext();
  if (URL.canParse(reference) || (!context && 'location' in globalThis)) return globalThis.fetch(reference, init);
  if (!context) {
    const message = `fetch was called with ${JSON.stringify(input)} outside a request, where there is no server to call: in a module, or while an export writes pages.`;
    throw toUrlError('ERR_ORIGIN_MISSING', `${message} Call the function that the route calls.`);
  }
  const { fetchInProcess } = await import('./fetch-in-process.ts');
  return fetchInProcess(context, reference, init);
};

/**
 * Calls an API route of the app by its pattern: `fetchRoute('/items/[id]', { params: { id: 'a b' } })` asks for `/items/a%20b`.
 * With the types that `appkit start` writes, pattern, parameters and method are checked.
 *
 * @throws TypeError when a parameter of the pattern is missing or empty, and whatever `fetch` throws.
 */
export const fetchRoute: FetchRoute = createFetchRoute(fetch);
