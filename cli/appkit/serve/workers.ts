import cluster from 'node:cluster';
import { realpathSync } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { CommandError } from '../command-error.ts';
import type { ExportedApp } from './find-build.ts';
import { startWorker } from './worker-process.ts';
import type { WorkerProcess } from './worker-process.ts';

/** This many deaths within a minute are not an accident: this process should fail. */
const MOST_DEATHS = 10;
const MINUTE_MS = 60_000;
/** A worker that does not answer for this long may be in a loop without end, and is not waited for. */
const SILENCE_MS = 3000;
/** How long workers may take to end themselves when the limit is over. */
const END_MS = 1000;

/** Workers that serve an app on one port. */
export interface Workers {
  /** Rejects when workers die again and again. */
  failed: Promise<never>;
  /** Tells all that they will be stopped. Resolves with how many milliseconds they should keep answering. */
  drain(): Promise<number>;
  /** Tells all to finish. Resolves with how many requests are in progress. */
  stop(): Promise<number>;
  /**
   * Resolves once all have ended, with whether all work finished in time. Workers end themselves when the limit is
   * over; those that do not are killed.
   */
  ended(limitSeconds: number): Promise<boolean>;
}

/**
 * Starts this command as `count` workers that serve an app, and replaces each that dies.
 *
 * @throws CommandError of the worker when a worker cannot serve.
 */
export async function startWorkers(
  app: ExportedApp,
  { count, port }: { count: number; port: number },
): Promise<Workers> {
  // The path of this command may lead through a link to the current release, and then to the next one.
  cluster.setupPrimary({ exec: realpathSync(process.argv[1] as string) });
  const workers = new Set<WorkerProcess>();
  let fail: (error: CommandError) => void;
  const failed = new Promise<never>((_, reject) => (fail = reject));
  const isTooOften = countDeaths();
  const silent = new Set<WorkerProcess>();
  let isStopping = false;
  // Most end themselves when this process is gone, but not one that is stuck in a loop.
  process.once('exit', () => workers.forEach((worker) => worker.kill()));

  const keep = (worker: WorkerProcess): void => {
    workers.add(worker);
    void worker.ended.then(({ how }) => {
      if (isStopping) return;
      workers.delete(worker);
      if (isTooOften()) return fail(diedTooOften(how));
      console.error(`Worker ${worker.pid} ${how}. Starting another.`);
      keep(startWorker(app, port));
    });
  };

  const started = Array.from({ length: count }, () => startWorker(app, port));
  await Promise.all(started.map((worker) => worker.listening));
  for (const worker of started) keep(worker);

  return {
    failed,
    async drain() {
      isStopping = true;
      const answers = [...workers].map(async (worker) => {
        silent.add(worker);
        const ms = await worker.drain();
        silent.delete(worker);
        return ms;
      });
      return Math.max(0, ...(await Promise.all(answers.map(orSilence))));
    },
    async stop() {
      const answers = [...workers].map((worker) => {
        const running = worker.stop();
        return silent.has(worker) ? 0 : orSilence(running);
      });
      const running = await Promise.all(answers);
      return running.reduce((sum, count) => sum + count, 0);
    },
    async ended(limitSeconds) {
      // Two timers, since the longest limit leaves no room for more in one.
      void delay(limitSeconds * 1000)
        .then(() => delay(END_MS))
        .then(() => workers.forEach((worker) => worker.kill()));
      const ends = await Promise.all([...workers].map((worker) => worker.ended));
      return ends.every(({ isLate }) => !isLate);
    },
  };
}

function orSilence(answer: Promise<number>): Promise<number> {
  return Promise.race([answer, delay(SILENCE_MS, 0)]);
}

function countDeaths(): () => boolean {
  const deaths: number[] = [];
  return () => {
    deaths.push(Date.now());
    if (deaths.length > MOST_DEATHS) deaths.shift();
    return deaths.length === MOST_DEATHS && Date.now() - (deaths[0] ?? 0) < MINUTE_MS;
  };
}

function diedTooOften(how: string): CommandError {
  return new CommandError(
    `Workers have died ${MOST_DEATHS} times within a minute, the last one ${how}.`,
    'Find out why: `appkit serve` without --workers shows the error of a request that ends the process.',
  );
}
