import { codedError } from '../../runtime/host.ts';

const NAMES = ['keep-alive', 'proxy-connection', 'te', 'trailer', 'transfer-encoding', 'upgrade'];
// Headers accepts these characters, except for NUL and line ends.
// oxlint-disable-next-line no-control-regex -- it looks for them
const CONTROL = /[\0-\x08\n-\x1f\x7f]/;

/**
 * Whether a header controls the framing of a message or its connection, which no route may do: RFC 9110 section 7.6.1. The Content-Length of a
 * 204 is one (section 8.6): a client that trusts it would read the next response as the body. A route may close the connection, but
 * not keep one open that the client wants to be closed, as the copied headers of another server say.
 */
export function isFraming(name: string, value: string, status?: number): boolean {
  if (name === 'connection') return !/(?:^|,)\s*close\s*(?:,|$)/i.test(value);
  return NAMES.includes(name) || (status === 204 && name === 'content-length');
}

/** Whether a header value has no control characters, which it may not have: RFC 9110 section 5.5. */
export function isHeaderValue(value: string): boolean {
  return !CONTROL.test(value);
}

/**
 * Refuses a value with one: Node does not send it, and Deno 2.9 ends the process.
 *
 * @throws TypeError
 */
export function assertHeaderValue(name: string, value: string): void {
  if (isHeaderValue(value)) return;
  throw codedError(
    'ERR_RESPONSE_INVALID',
    `The response header "${name}" has a control character in its value. Encode the value, such as by encodeURIComponent().`,
  );
}
