import type { ConnectedJobs, HandlerOptions, JobEngine, LoadableBuild } from '../../runtime/host.ts';

/** Hands the jobs of an app to an engine, if there are both. */
export function connectJobs(
  engine: JobEngine | undefined,
  build: LoadableBuild,
  { environment, onError }: HandlerOptions,
): ConnectedJobs | undefined {
  return build.manifest.jobs ? engine?.connect({ build, environment, onError }) : undefined;
}

/** Waits for jobs too: what still runs may enqueue some. */
export function withJobs(drain: () => Promise<void>, jobs: ConnectedJobs | undefined): () => Promise<void> {
  return jobs ? () => drain().then(jobs.drain) : drain;
}
