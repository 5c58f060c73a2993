import { createFetchRoute } from './fetch-route.ts';
import type { FetchRoute } from './fetch-route.ts';
import { createNativeFetch } from './native-fetch.ts';
import { getServerPlace } from './server-place.native.ts';

/** As in `fetch.ts`, which documents it. */
export const fetch: typeof globalThis.fetch = createNativeFetch({
  // Looked up at each call: the app may replace it.
  fetch: (input, init) => globalThis.fetch(input, init),
  getPlace: getServerPlace,
});

/** As in `fetch.ts`, which documents it. */
export const fetchRoute: FetchRoute = createFetchRoute(fetch);
