import type { JobEnvelope } from '../../runtime/host.ts';
import { toUuid } from './uuid.ts';

/** How late a run may be before it counts as missed, in milliseconds: a release may take this long. */
export const LATE_MS = 60_000;

/** The job that is stored for one time of a schedule, in milliseconds since 1970. */
export function toScheduledRun(job: string, at: number, input: unknown): JobEnvelope {
  return {
    v: 1,
    // The same in each process, so that a store refuses the second. No key of an app leads to this id: the id of a key
    // is made from two values.
    id: toUuid(job, 'schedule', at),
    job,
    ...(input === undefined ? {} : { input }),
    runAt: at,
    attempt: 0,
    scheduledAt: at,
  };
}
