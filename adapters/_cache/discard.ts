import { handled } from '../../runtime/host.ts';

/** Ends an answer that nobody is sent. One that has failed already fails again by that, which is nobody's affair. */
export function discard({ body }: Response): void {
  if (body && !body.locked) void handled(body.cancel());
}
