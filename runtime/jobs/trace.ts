/** Continues the trace of the code that enqueued a job. Set by `traceRequests()` of `appkit-server/opentelemetry`. */
export interface JobTracing {
  /** The headers that a job stores, to continue the current trace. */
  inject(): Record<string, string>;
  /** Runs an attempt within a span of that trace. */
  run<Result>(
    job: { name: string; id: string; attempt: number; trace: Record<string, string> },
    attempt: () => Promise<Result>,
  ): Promise<Result>;
}

const key = Symbol.for('appkit.jobTracing');

// The instrumentation and each route have their own copies of this module.
const shared = globalThis as { [key]?: JobTracing };

/** The tracing of this process, if it has one. */
export function jobTracing(): JobTracing | undefined {
  return shared[key];
}

/** Turns on the tracing of jobs. */
export function setJobTracing(tracing: JobTracing): void {
  shared[key] = tracing;
}
