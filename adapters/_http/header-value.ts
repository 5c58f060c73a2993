import { codedError } from '../../runtime/host.ts';

// Headers accepts these characters, except for NUL and line ends.
// oxlint-disable-next-line no-control-regex -- it looks for them
const CONTROL = /[\0-\x08\n-\x1f\x7f]/;

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
