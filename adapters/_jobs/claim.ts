import type { JobEnvelope } from '../../runtime/host.ts';

/** A job that somebody runs. */
export interface ClaimedJob extends JobEnvelope {
  /** How often it has been taken: what comes of an earlier time is ignored. */
  claim: number;
}

/** How jobs are taken. */
export interface ClaimOptions {
  concurrency: number;
  leaseMs: number;
  now: number;
  /** What runs here already, whatever the clock says of its lease: it is not taken again. Default: nothing. */
  except?: readonly string[];
}
