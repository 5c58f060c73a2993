import type { Emulator } from './emulator.ts';
import type { Outcome } from './generic/results.ts';

/** What became of one host. */
export interface HostResult extends Outcome {
  emulator: Emulator;
  /** Why the host was not run. */
  notRun?: string;
  /** How long it took to prepare the host and to run the suite against it. */
  seconds?: number;
}
