/** What Lambda says about the remaining time. */
export interface LambdaContext {
  /** How long it is until Lambda ends the function, in milliseconds. */
  getRemainingTimeInMillis?(): number;
}

/** When Lambda ends the function. */
export interface Deadline {
  /** How long it is until the function has to return, in milliseconds. `Infinity` if this is unknown. */
  left(): number;
  /**
   * How long an attempt with this time-out may take, in milliseconds. `undefined` if only a later call of the function
   * has enough time.
   */
  leftFor(timeoutMs: number): number | undefined;
}

/** The time that is kept for reporting the results of the attempts to SQS, in milliseconds. */
const MARGIN_MS = 2000;
/**
 * A call that has lost more than this has been slow, in milliseconds: loading a job for the first time takes longer.
 */
const SLOW_MS = 1000;

/** Starts to measure the time. The first call of a process may lose much of it to loading the jobs. */
export function startDeadline(context?: LambdaContext): Deadline {
  const remaining = (): number => context?.getRemainingTimeInMillis?.() ?? Number.POSITIVE_INFINITY;
  const whole = remaining();
  const left = (): number => Math.max(0, Math.floor(remaining() - Math.min(MARGIN_MS, whole / 2)));
  return {
    left,
    leftFor(timeoutMs) {
      const now = left();
      const isSlow = whole - remaining() > SLOW_MS;
      const fitsLater = timeoutMs <= whole - MARGIN_MS;
      return now < timeoutMs && isSlow && fitsLater ? undefined : now;
    },
  };
}
