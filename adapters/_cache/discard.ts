import { cancelUnread, handled } from '../../runtime/host.ts';

/**
 * Ends an answer that is not sent to anyone. If it has already failed, cancelling fails again, which needs no report.
 */
export function discard({ body }: Response): void {
  if (body && !body.locked) void handled(cancelUnread(body));
}
