import type { Server } from './server.ts';

/** Why a server should behave this way. */
export type Reason =
  /** A standard requires it: its name and section. */
  | { standard: string }
  /** No standard requires it, but users expect it, or a standard recommends it: why. */
  | { quality: string };

/** A request to a server, and the expected behaviour. */
export interface Behaviour {
  /** A sentence that continues "the server …". */
  name: string;
  reason: Reason;
  /** Whether it means nothing when error responses intentionally describe the error, as in development. */
  needsPlainErrors: boolean;
  /** Throws when the server behaves otherwise. */
  run(server: Server): Promise<void>;
}

let declare: ((behaviour: Behaviour) => void) | undefined;

/** Sets the receiver of the behaviours in the files of behaviours/ that are imported from now on. */
export function declareWith(receive: (behaviour: Behaviour) => void): void {
  declare = receive;
}

/**
 * Declares one behaviour that every HTTP server with a Fetch handler should show when it serves the fixture.
 *
 * @param name – a sentence that continues "the server …".
 */
export function behaviour(
  name: string,
  { needsPlainErrors = false, ...reason }: Reason & { needsPlainErrors?: boolean },
  run: (server: Server) => Promise<void>,
): void {
  if (declare === undefined) throw new Error('Nobody collects behaviours. Call declareWith() before this import.');
  declare({ name, reason, needsPlainErrors, run });
}

/** The reason in a few words. */
export function describeReason(reason: Reason): string {
  return 'standard' in reason ? reason.standard : `quality: ${reason.quality}`;
}
