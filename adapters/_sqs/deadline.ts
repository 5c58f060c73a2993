/** What Lambda says of the time. */
export interface LambdaContext {
  /** How long it is until the function is ended. */
  getRemainingTimeInMillis?(): number;
}

/** When Lambda ends the function. */
export interface Deadline {
  /** How long it is until the function has to return. `Infinity` if nobody says. */
  left(): number;
  /** How long an attempt may take that wants so much time. `undefined` if only a later call of the function has the time. */
  leftFor(timeoutMs: number): number | undefined;
}

/** What remains of the time to tell SQS what came of the attempts, in milliseconds. */
const MARGIN_MS = 2000;
/** Loading a job for the first time takes longer, in milliseconds. A call that has lost less has not been slow. */
const SLOW_MS = 1000;

/** Starts to look at the time. The first call of a process may lose much of it to loading the jobs. */
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
