import { searchOf } from './pathname.ts';

/** The name in the query with which the client requests only the data of a page, at the page's own URL. */
export const DATA_PARAMETER = '_appkit_data';

/** The header that gives a request for data the target of a redirect. A client's fetch would follow a real redirect to a document. */
export const REDIRECT_HEADER = 'appkit-redirect';

/** Whether a request is only for the data of a page. */
export function isForData(url: string): boolean {
  return url.includes(DATA_PARAMETER) && new URLSearchParams(searchOf(url)).has(DATA_PARAMETER);
}

/** Whether a browser would show the answer to its user, who has opened the URL of a page's data. */
export function isNavigation({ headers }: Request): boolean {
  return headers.get('sec-fetch-mode') === 'navigate';
}

/** The URL of the page whose data a URL requests: without the parameter, however often it occurs. */
export function toPageUrl(url: string): string {
  const [beforeFragment = '', ...fragment] = url.split('#');
  const [path = '', ...query] = beforeFragment.split('?');
  const kept = query
    .join('?')
    .split('&')
    .filter((part) => part !== '' && !/^_appkit_data(?:=|$)/.test(part));
  return [`${path}${kept.length === 0 ? '' : `?${kept.join('&')}`}`, ...fragment].join('#');
}

/** Redirects a browser that has opened the URL of a page's data to the page. */
export function redirectToPage({ url }: Request): Response {
  const { pathname, search } = new URL(toPageUrl(url));
  return new Response(null, { status: 307, headers: { location: pathname + search } });
}

/**
 * Converts a redirect to a form that the client understands when it has requested data: status 204, with all headers of
 * the redirect, and {@link REDIRECT_HEADER}. A rule keeps the query of the request, which the client has added to.
 */
export function toDataRedirect(redirect: Response): Response {
  const headers = new Headers(redirect.headers);
  headers.set(REDIRECT_HEADER, toPageUrl(headers.get('location') ?? ''));
  for (const name of ['location', 'content-type', 'content-length']) headers.delete(name);
  return new Response(null, { status: 204, headers });
}
