/** The codings that a platform may decode. An unknown coding stays, with its header. */
const DECODED = /^\s*(?:(?:x-)?gzip|deflate|br|zstd)(?:\s*,\s*(?:(?:x-)?gzip|deflate|br|zstd))*\s*$/i;

/**
 * Makes a Response of `fetch()` ready to be sent: Node, Bun and Deno decode its body, but keep the headers of the encoded
 * one.
 *
 * @returns the same object if it is not such a Response.
 */
export function toSendable(response: Response): Response {
  // A light Response has another prototype, and does not come from fetch().
  if (Object.getPrototypeOf(response) !== Response.prototype || response.url === '') return response;
  if (!isDecoded(response.headers.get('content-encoding') ?? '')) return response;
  const { status, statusText, body } = response;
  const headers = new Headers(response.headers);
  headers.delete('content-encoding');
  headers.delete('content-length');
  return new Response(body, { status, statusText, headers });
}

// A body that is still encoded needs its header, or nobody can read it.
function isDecoded(codings: string): boolean {
  // Deno 2.9 decodes no other codings, although a client may ask for them and a route pass that on.
  if ('Deno' in globalThis) return /^(?:gzip|br)$/i.test(codings);
  if (!DECODED.test(codings)) return false;
  // Bun 1.4 leaves a body that was encoded twice as it is.
  if ('Bun' in globalThis) return !codings.includes(',');
  return !/zstd/i.test(codings) || decodesZstd();
}

// Node does since 24.4, whose undici is 7.11: https://github.com/nodejs/undici/pull/4238.
function decodesZstd(): boolean {
  const { process } = globalThis as { process?: { versions?: { undici?: string } } };
  const [major = 0, minor = 0] = (process?.versions?.undici ?? '8').split('.').map(Number);
  return major > 7 || (major === 7 && minor >= 11);
}
