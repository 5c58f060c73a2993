import { codedError } from '../../runtime/host.ts';
import type { ConnectedJobs, HandlerOptions, JobEngine, LoadableBuild } from '../../runtime/host.ts';

/** Hands an app's jobs to an engine, if both exist. */
export function connectJobs(
  engine: JobEngine | undefined,
  build: LoadableBuild,
  { environment, onError }: HandlerOptions,
): ConnectedJobs | undefined {
  return build.manifest.jobs ? engine?.connect({ build, environment, onError }) : undefined;
}

/**
 * Checks the engine of a host that stops its processes between requests and keeps no files: the engine may only store
 * jobs.
 *
 * @param title – the host's title.
 * @throws TypeError with code `ERR_OPTION_INVALID` for an engine that needs more than such a host offers.
 */
export function onlyStoring(engine: JobEngine | undefined, title: string): JobEngine | undefined {
  const { needs = [] } = engine ?? {};
  if (needs.length === 0) return engine;
  const why = needs.includes('disk') ? 'stores jobs in a file, which is lost there' : 'runs jobs in this process';
  throw codedError(
    'ERR_OPTION_INVALID',
    `The option jobs is an engine that ${why}: ${title} stops a process when it has answered. Give createPostgresJobs({ work: false }), and run ` +
      '`appkit work` elsewhere, with the same DATABASE_URL.',
  );
}

/** Waits for jobs too, since a task that still runs may enqueue some. */
export function withJobs(drain: () => Promise<void>, jobs: ConnectedJobs | undefined): () => Promise<void> {
  return jobs ? () => drain().then(jobs.drain) : drain;
}
