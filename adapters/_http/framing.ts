const NAMES = ['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/**
 * Whether a header says how a message is framed or its connection used, as no route may: RFC 9110 section 7.6.1. The Content-Length
 * of a 204 is one (section 8.6): a client that believed in it would take the next response for the body.
 */
export function isFraming(name: string, status?: number): boolean {
  return NAMES.includes(name) || (status === 204 && name === 'content-length');
}

/** The response without such headers, for a host that would send them. It stays the same one when it has none. */
export function withoutFraming(response: Response): Response {
  const { status } = response;
  const names = status === 204 ? [...NAMES, 'content-length'] : NAMES;
  if (!names.some((name) => response.headers.has(name))) return response;
  const { statusText, body } = response;
  // A copy: those of a Response that fetch() gave cannot be changed.
  const headers = new Headers(response.headers);
  for (const name of names) headers.delete(name);
  return new Response(body, { status, statusText, headers });
}
