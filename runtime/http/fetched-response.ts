/** The codings that platforms decode. An unknown coding stays, with its header. */
const DECODED = /^\s*(?:(?:x-)?gzip|deflate|br|zstd)(?:\s*,\s*(?:(?:x-)?gzip|deflate|br|zstd))*\s*$/i;

/**
 * Makes a Response of `fetch()` ready to be sent: Node and Bun decode its body, but keep the headers of the encoded
 * one.
 *
 * @returns the same object if it is not such a Response.
 */
export function toSendable(response: Response): Response {
  // A light Response has another prototype, and does not come from fetch().
  if (Object.getPrototypeOf(response) !== Response.prototype || response.url === '') return response;
  if (!DECODED.test(response.headers.get('content-encoding') ?? '')) return response;
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(body, { status, statusText, headers });
}
