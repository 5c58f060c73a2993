import type { Extra, Need } from './emulator.ts';
import type { Host } from './host.ts';

/** The specification of a behaviour, and what it needs from a host. */
export interface BehaviourSource {
  /**
   * The row of the specification, the decision, the section of a standard, or the case in the survey of other adapters
   * (see README.md) that asks for it.
   */
  source: string;
  /** What a host must have for the behaviour to mean anything. Default: nothing. */
  needs?: Need | readonly Need[];
  /** The extra that it is a behaviour of, if few hosts have it. Default: it applies to every host. */
  extra?: Extra;
}

/** A behaviour that every host must show, unless it does not apply to it. */
export interface HostBehaviour extends BehaviourSource {
  /** A sentence that continues "the host …". */
  name: string;
  /** Throws when the host behaves otherwise. */
  run(host: Host): Promise<void>;
}

let declare: ((behaviour: HostBehaviour) => void) | undefined;

/** Sets the receiver of the behaviours in the files of suite/ that are imported from now on. */
export function declareWith(receive: (behaviour: HostBehaviour) => void): void {
  declare = receive;
}

/**
 * Declares one behaviour that every host must show.
 *
 * A host that lists it as a gap must fail it, with the failure that the gap names; when it passes there, the run fails
 * until the gap is removed from the list.
 *
 * @param name – a sentence that continues "the host …".
 * @param from – its source, and what it needs; a string is just the source.
 */
export function behaviour(name: string, from: string | BehaviourSource, run: (host: Host) => Promise<void>): void {
  if (declare === undefined) throw new Error('Nobody collects behaviours. Run the suite with: npm run conformance');
  declare({ name, ...(typeof from === 'string' ? { source: from } : from), run });
}
