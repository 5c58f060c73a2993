/** The attempt of a job that an error is of: the third argument of `onError`. */
export interface FailedJob {
  /** The name of the job. */
  job: string;
  /** What `enqueue()` has returned. */
  id: string;
  /** From 1. */
  attempt: number;
  /** It will not be tried again by itself. */
  isDead: boolean;
}
