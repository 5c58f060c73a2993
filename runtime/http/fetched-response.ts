/** What platforms decode. A coding that they do not know stays, with its header. */
const DECODED = /^\s*(?:(?:x-)?gzip|deflate|br|zstd)(?:\s*,\s*(?:(?:x-)?gzip|deflate|br|zstd))*\s*$/i;

/**
 * A Response of `fetch()` as it can be sent on: Node and Bun have decoded its body, and left it the headers of what was sent.
 *
 * @returns the same object when it is not such a one.
 */
export function toSendable(response: Response): Response {
  // A light Response has another prototype, and is of no fetch().
  if (Object.getPrototypeOf(response) !== Response.prototype || response.url === '') return response;
  if (!DECODED.test(response.headers.get('content-encoding') ?? '')) return response;
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(body, { status, statusText, headers });
}
