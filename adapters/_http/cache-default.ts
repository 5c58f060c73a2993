import { PERSONAL } from '../../runtime/host.ts';

// Varnish keeps answers without instructions for two minutes, and nginx keeps those that its config names, for anyone
// who asks next. So an answer that does not say how it may be kept is marked as private.

/** The `Cache-Control` of an answer that says nothing about caches. */
export const CACHE_DEFAULT: string = PERSONAL;

/** Whether a header says how an answer may be kept. */
export function saysCaching(name: string): boolean {
  return name === 'cache-control' || name === 'expires';
}

/** Whether caches keep answers with this status. A 304 without the header does not change the stored answer's. */
export function isForCaches(status: number): boolean {
  return status !== 304;
}

/** A response whose headers do not say how it may be kept, with a `Cache-Control`. It is the same object if possible. */
export function markPersonal(response: Response): Response {
  const { status, headers } = response;
  if (!isForCaches(status)) return response;
  try {
    headers.set('cache-control', CACHE_DEFAULT);
    return response;
  } catch {
    // The headers of a Response from fetch() cannot be changed.
    const changed = new Headers(headers);
    changed.set('cache-control', CACHE_DEFAULT);
    return new Response(response.body, { status, statusText: response.statusText, headers: changed });
  }
}
