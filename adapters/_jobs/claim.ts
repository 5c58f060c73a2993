import type { JobEnvelope } from '../../runtime/host.ts';

/** A job that a process has taken to run it. */
export interface ClaimedJob extends JobEnvelope {
  /** How often it has been taken: the result of an earlier time is ignored. */
  claim: number;
}

/** How jobs are taken. */
export interface ClaimOptions {
  concurrency: number;
  leaseMs: number;
  now: number;
  /** Jobs that already run here: they are not taken again, even if their lease is over by the clock. Default: none. */
  except?: readonly string[];
}
