import { createStatusError } from './status-error.ts';

/**
 * Refuses requests that a page of another origin made a browser send with the visitor's cookies.
 *
 * A client that sends neither header is not a browser: browsers say where a POST comes from, by the Fetch Standard and Fetch Metadata.
 *
 * @throws StatusError 403
 */
export function assertSameOrigin({ url, headers }: Request): void {
  const site = headers.get('sec-fetch-site');
  if (site !== null) {
    if (site === 'same-origin' || site === 'none') return;
  } else {
    const origin = headers.get('origin');
    // Without its scheme: behind a proxy that ends TLS, a request may look like http.
    if (origin === null || (URL.canParse(origin) && new URL(origin).host === new URL(url).host)) return;
  }
  throw createStatusError(403, 'A form of another origin cannot be sent here');
}
