import { inspect } from 'node:util';

/** The message of whatever was thrown, with those of its causes. What has none, or no form as text, is shown as it is. */
export function messageOf(thrown: unknown): string {
  if (typeof thrown !== 'object' || thrown === null) return inspect(thrown);
  const { message, cause } = thrown as { message?: unknown; cause?: unknown }; // either may be absent
  if (typeof message !== 'string') return inspect(thrown);
  return cause === undefined || cause === null ? message : `${message}: ${messageOf(cause)}`;
}
