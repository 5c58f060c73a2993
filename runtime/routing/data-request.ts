import { searchOf } from './pathname.ts';

/** The name in the query by which the client asks for the data of a page alone, at the page's own URL. */
export const DATA_PARAMETER = '_appkit_data';

/** The header by which a request for the data alone is told where a redirect leads. A client's fetch would follow it to a document. */
export const REDIRECT_HEADER = 'appkit-redirect';

/** Whether a request is for the data of a page alone. */
export function isForData(url: string): boolean {
  return url.includes(DATA_PARAMETER) && new URLSearchParams(searchOf(url)).has(DATA_PARAMETER);
}

/**
 * Makes a redirect one that the client understands when it has asked for data: status 204, with all headers of the redirect, and
 * {@link REDIRECT_HEADER}.
 */
export function toDataRedirect(redirect: Response): Response {
  const headers = new Headers(redirect.headers);
  headers.set(REDIRECT_HEADER, withoutParameter(headers.get('location') ?? ''));
  for (const name of ['location', 'content-type', 'content-length']) headers.delete(name);
  return new Response(null, { status: 204, headers });
}

// A rule keeps the query of the request, which the client has added to.
function withoutParameter(location: string): string {
  return location.replace(/([?&])_appkit_data(?:=[\d.]*)?(&|(?=#|$))/, (_, before: string, after: string) =>
    after === '' ? '' : before,
  );
}
