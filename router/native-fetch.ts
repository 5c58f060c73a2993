import { readReference, toUrlError } from './request-path.ts';

/** Where the server of a native app is. */
export interface ServerPlace {
  /** The origin of the app config, such as `https://example.com`. */
  origin: string | undefined;
  /** The path that the app is below, such as `/shop`. Default: none. */
  base?: string | undefined;
  /** The port of the development server. */
  developmentPort: number | undefined;
  /** The URL from which the running JavaScript was loaded, in development: `http://192.168.0.7:8081/index.bundle?…`. */
  scriptUrl: string | undefined;
}

/**
 * Makes a `fetch` for an app without a page, where a path has no origin.
 *
 * URLs are put together as text: React Native's own `URL` is incomplete.
 *
 * @param options – `fetch` is the platform's. `getPlace` is called at each request for a path.
 */
export function createNativeFetch({
  fetch,
  getPlace,
}: {
  fetch: typeof globalThis.fetch;
  getPlace: () => ServerPlace;
}): typeof globalThis.fetch {
  return async (input, init) => fetch(typeof input === 'string' ? toWholeUrl(input, getPlace) : input, init);
}

function toWholeUrl(reference: string, getPlace: () => ServerPlace): string {
  const read = readReference(reference);
  if (/^[a-z][a-z\d+.-]*:/i.test(read)) return read;
  if (read.startsWith('/')) {
    const place = getPlace();
    return toOrigin(place) + (place.base ?? '') + read;
  }
  throw toUrlError(
    'ERR_URL_INVALID',
    `fetch was called with ${JSON.stringify(reference)}, which is relative to a page, and a native app has none. ` +
      'Start it with a slash.',
  );
}

function toOrigin({ origin, developmentPort, scriptUrl }: ServerPlace): string {
  // The host under which the device reaches the development machine: a name, an address, or [an IPv6 address].
  const [, host] = /^https?:\/\/(\[[\da-f:.]+\]|[^/?#:@[\]]+)(?::\d+)?(?:[/?#]|$)/i.exec(scriptUrl ?? '') ?? [];
  if (host !== undefined && developmentPort !== undefined) return `http://${host}:${developmentPort}`;
  if (origin !== undefined) return origin;
  throw toUrlError(
    'ERR_ORIGIN_MISSING',
    'fetch was called with a path, and this app does not know the origin of its server. Set it in app.json, ' +
      'plugins: [["appkit-router", { "origin": "https://example.com" }]], and wrap the Metro config in withAppkit of appkit-build/metro.',
  );
}
