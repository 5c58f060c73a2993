/** The attempt of a job that failed with an error: the third argument of `onError`. */
export interface FailedJob {
  /** The name of the job. */
  job: string;
  /** The id that `enqueue()` returned. */
  id: string;
  /** From 1. */
  attempt: number;
  /** Whether it will not be retried automatically. */
  isDead: boolean;
}
