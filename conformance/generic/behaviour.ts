import type { Server } from './server.ts';

/** Why a server should behave so. */
export type Reason =
  /** A standard requires it: its name and section. */
  | { standard: string }
  /** No standard requires it, but users expect it, or a standard recommends it: why. */
  | { quality: string };

/** What is asked of a server, and how. */
export interface Behaviour {
  /** A sentence that continues "the server …". */
  name: string;
  reason: Reason;
  /** It means nothing where answers to errors say on purpose what went wrong, as in development. */
  needsPlainErrors: boolean;
  /** Throws when the server does otherwise. */
  run(server: Server): Promise<void>;
}

let declare: ((behaviour: Behaviour) => void) | undefined;

/** Says who receives the behaviours of the files in behaviours/ that are imported from now on. */
export function declareWith(receive: (behaviour: Behaviour) => void): void {
  declare = receive;
}

/**
 * Declares one behaviour that every server of HTTP and Fetch should show when it serves the fixture.
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
