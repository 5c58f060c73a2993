/** Continues the trace of whoever has enqueued a job. Set by `traceRequests()` of `appkit-server/opentelemetry`. */
export interface JobTracing {
  /** What a job takes along, to continue the present trace. */
  inject(): Record<string, string>;
  /** Runs an attempt within a span of that trace. */
  run<Result>(
    job: { name: string; id: string; attempt: number; trace: Record<string, string> },
    attempt: () => Promise<Result>,
  ): Promise<Result>;
}

const key = Symbol.for('appkit.jobTracing');

// The instrumentation has one copy of this module, and each route another.
const shared = globalThis as { [key]?: JobTracing };

/** The tracing of this process, if it has one. */
export function jobTracing(): JobTracing | undefined {
  return shared[key];
}

/** Has jobs traced from now on. */
export function setJobTracing(tracing: JobTracing): void {
  shared[key] = tracing;
}
