const NAMES = ['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];

/**
 * Whether a header controls the framing of a message or its connection, which no route may do: RFC 9110 section 7.6.1. The Content-Length of a
 * 204 is one (section 8.6): a client that trusts it would read the next response as the body. A route may close the connection, but
 * not keep one open that the client wants to be closed, as the copied headers of another server say.
 */
export function isFraming(name: string, value: string, status?: number): boolean {
  if (name === 'connection') return !/(?:^|,)\s*close\s*(?:,|$)/i.test(value);
  return NAMES.includes(name) || (status === 204 && name === 'content-length');
}
