import { PERSONAL } from '../../runtime/host.ts';

// Varnish keeps what says nothing for two minutes, and nginx what it is told to, for whoever asks next: so an answer that does not say
// how it may be kept says that it is for nobody else.

/** What an answer that says nothing about caches is sent with. */
export const CACHE_DEFAULT: string = PERSONAL;

/** Whether a header says how an answer may be kept. */
export function saysCaching(name: string): boolean {
  return name === 'cache-control' || name === 'expires';
}

/** Whether a status is of an answer that caches keep. A 304 without the header leaves what was said of the stored answer. */
export function isForCaches(status: number): boolean {
  return status !== 304;
}

/** The response with a `Cache-Control`. It stays the same one where that can be. */
export function withCacheDefault(response: Response): Response {
  const { status, headers } = response;
  if (!isForCaches(status) || headers.has('cache-control') || headers.has('expires')) return response;
  try {
    headers.set('cache-control', CACHE_DEFAULT);
    return response;
  } catch {
    // Those of a Response that fetch() gave cannot be changed.
    const changed = new Headers(headers);
    changed.set('cache-control', CACHE_DEFAULT);
    return new Response(response.body, { status, statusText: response.statusText, headers: changed });
  }
}
