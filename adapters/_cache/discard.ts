import { handled } from '../../runtime/host.ts';

/** Ends an answer that nobody is sent. One that has already failed fails again here, which needs no report. */
export function discard({ body }: Response): void {
  if (body && !body.locked) void handled(body.cancel());
}
