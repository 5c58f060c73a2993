import { createRequire } from 'node:module';
import path from 'node:path';
import { startDraining } from 'appkit-server/shutdown';
import { CommandError } from '../command-error.ts';
import { loadEnvFile } from '../env-file.ts';
import { closeInTime } from '../serve/close-in-time.ts';
import { findBuild } from '../serve/find-build.ts';
import { describePlace, findJobs, listJobs, openJobs } from '../serve/open-jobs.ts';
import { stopSignal } from '../stop-signal.ts';
import { projectRoot } from './project-root.ts';

/** The options of `appkit work`, as commander reads them. */
export interface WorkFlags {
  outputDir: string;
  shutdownTimeout: number;
  envFile?: string;
}

/** The interval of a timer that keeps the process running, in milliseconds: the timers of the jobs do not. */
const KEPT_MS = 60_000;

/** Runs the jobs of an exported app until the process is asked to stop. */
export async function workCommand(directory: string, flags: WorkFlags): Promise<void> {
  if (flags.envFile !== undefined) loadEnvFile(flags.envFile);
  process.env['NODE_ENV'] ??= 'production';
  process.setSourceMapsEnabled(true);
  const { root, server: build } = await findBuild(projectRoot(directory), flags.outputDir);
  if (build === undefined || listJobs(build).length === 0) {
    throw new CommandError(
      `${build ?? root}: this export has no jobs.`,
      'Write one, such as app/mail+job.ts, and export the app again: appkit export -p web.',
    );
  }
  const keep = setInterval(() => {}, KEPT_MS);
  try {
    const stopped = stopSignal();
    const jobs = await openJobs(root);
    jobs.connect({ build: createRequire(import.meta.url)(path.join(build, 'index.js')) });
    console.log(`Running the jobs of ${describePlace(findJobs(root))}`);
    await stopped;
    startDraining();
    if (!(await closeInTime(jobs, flags.shutdownTimeout))) {
      throw new CommandError(
        `Jobs were still running ${flags.shutdownTimeout} seconds after the signal to stop. They will run again.`,
        'Give them more time with --shutdown-timeout, or end them when their signal is aborted.',
      );
    }
  } finally {
    clearInterval(keep);
  }
}
