import { inspect } from 'node:util';

/**
 * The message of any thrown value, with those of its causes. A value without a message, or without a text form, is
 * inspected.
 */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return inspect(thrown);
  const { message, cause } = thrown as { message?: unknown; cause?: unknown }; // either may be absent
  if (typeof message !== 'string') return inspect(thrown);
  return cause === undefined || cause === null ? message : `${message}: ${messageOf(cause)}`;
}
