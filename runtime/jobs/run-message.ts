import { toServerBuild, createModuleLoader } from '../modules/server-build.ts';
import type { ModuleLoader } from '../modules/server-build.ts';
import type { ManifestJob } from '../manifest.ts';
import { requestStore } from '../request/context.ts';
import { checkInput } from './check-input.ts';
import { DEFAULT_SETTINGS, isJob } from './definition.ts';
import type { JobSettings } from './definition.ts';
import type { Enqueued, JobApp, JobEnvelope, JobOutcome, JobTransaction } from './engine.ts';
import { createJobContext } from './job-context.ts';
import { toJsonInput } from './json-input.ts';
import { describeThrown } from './describe-thrown.ts';
import { reportJobError } from './report.ts';
import { toRetryDelay } from './retry-delay.ts';
import type { ScheduleSettings } from './schedule.ts';
import { jobTracing } from './trace.ts';

/** Runs the jobs of an app, for an engine. */
export interface JobRunner {
  /** The jobs of the app. */
  names: readonly string[];
  /** The jobs in the manifest. */
  jobs: readonly ManifestJob[];
  /** Loads a job to read its settings. A job that cannot be loaded is run with the defaults, and fails. */
  describe(job: string): Promise<Pick<JobSettings, 'timeoutMs' | 'concurrency'>>;
  /**
   * Reads a job's schedule. The job is loaded, unless the manifest shows that it has no schedule.
   *
   * @param parse – converts the schedule.
   * @returns the converted schedule; `undefined` for a job without one.
   * @throws Error that names the job and its file, also if `parse` throws.
   */
  findSchedule<Result>(
    job: string,
    parse: (schedule: ScheduleSettings) => Promise<Result>,
  ): Promise<Result | undefined>;
  /**
   * Runs an attempt. Never rejects.
   *
   * @param envelope – its `attempt` counts this one.
   * @param signal – aborted when the process is told to stop.
   * @param mostMs – how long the host lets an attempt take, whatever the job allows, in milliseconds. Default: no limit.
   */
  runMessage(envelope: JobEnvelope, signal: AbortSignal, mostMs?: number): Promise<JobOutcome>;
}

/** The functions that an engine provides to its runner. */
export interface RunnerHost {
  enqueue(envelope: JobEnvelope, transaction?: JobTransaction): Promise<Enqueued>;
  /** Keeps the process running until the promise settles. */
  waitUntil(promise: Promise<unknown>): void;
  /** Where to find dead jobs, for the log. Default: the command that lists them. */
  deadPlace?: string;
}

/** How long a build leaves an unknown job to other builds, in milliseconds. */
const UNKNOWN_AFTER_MS = 60_000;

/** Creates the runner of an app's jobs. */
export function createJobRunner(app: JobApp, host: RunnerHost): JobRunner {
  const build = toServerBuild(app.build);
  const loadModule = createModuleLoader(build);
  const { jobs = [], instrumentation } = build.manifest;
  const files = new Map(jobs.map(({ name, file }) => [name, file]));
  const load = async (job: string): Promise<JobSettings> => {
    if (instrumentation) await loadModule(instrumentation.file);
    return loadJob(loadModule, files.get(job) ?? '');
  };
  return {
    names: [...files.keys()],
    jobs,
    describe: (job) => load(job).catch(() => DEFAULT_SETTINGS),
    async findSchedule(job, parse) {
      // Its source shows that it has no schedule.
      if (jobs.find(({ name }) => name === job)?.schedule === undefined) return undefined;
      try {
        const { schedule } = await load(job);
        return schedule && (await parse({ ...schedule, input: toJsonInput(job, schedule.input) }));
      } catch (error) {
        const { message } = error as Error;
        throw new Error(`The job ${job} (${files.get(job)}) cannot be scheduled: ${message}`, { cause: error });
      }
    },
    async runMessage(envelope, signal, mostMs = Number.POSITIVE_INFINITY) {
      const { job } = envelope;
      if (!files.has(job)) {
        const error = `This build has no job ${job}. One that has it will run it.`;
        return { kind: 'released', afterMs: UNKNOWN_AFTER_MS, error };
      }
      const run = new Attempt(app, host, envelope, signal);
      return run.settle(() => load(job), mostMs);
    },
  };
}

async function loadJob(load: ModuleLoader, file: string): Promise<JobSettings> {
  const exported = (await load(file)) as { default?: unknown };
  if (isJob(exported.default)) return exported.default['~job'];
  throw new TypeError(`${file} has no job as its default export. Write: export default defineJob({ … });`);
}

/** An error after which another attempt would fail too. */
class JobError extends Error {
  override readonly name = 'JobError';
}

/** An attempt at a job. */
class Attempt {
  readonly #app: JobApp;
  readonly #host: RunnerHost;
  readonly #envelope: JobEnvelope;
  /** Aborted when the process is told to stop. */
  readonly #stopping: AbortSignal;
  #retry: JobSettings['retry'] = DEFAULT_SETTINGS.retry;

  constructor(app: JobApp, host: RunnerHost, envelope: JobEnvelope, stopping: AbortSignal) {
    this.#app = app;
    this.#host = host;
    this.#envelope = envelope;
    this.#stopping = stopping;
  }

  async settle(load: () => Promise<JobSettings>, mostMs: number): Promise<JobOutcome> {
    let settings: JobSettings;
    try {
      settings = await load();
    } catch (error) {
      // Its file may already belong to another build, and the attempt has not begun.
      this.#report(error, false);
      return { kind: 'released', afterMs: UNKNOWN_AFTER_MS, error: toText(error) };
    }
    try {
      this.#retry = settings.retry;
      await this.#traced(() => this.#run(settings, mostMs));
      return { kind: 'done' };
    } catch (error) {
      // A failure after the request to stop does not count.
      if (this.#stopping.aborted && !(error instanceof JobError)) return { kind: 'released' };
      return this.#fail(error);
    }
  }

  async #run({ input: schema, retry, timeoutMs, run }: JobSettings, mostMs: number): Promise<void> {
    const { id, job, key, input, attempt, scheduledAt: dueAt } = this.#envelope;
    if (attempt > retry.attempts) {
      const times = retry.attempts === 1 ? 'Its attempt has' : `Its ${retry.attempts} attempts have`;
      throw new JobError(`${times} ended without a result: the process has ended, or was too busy to keep the job.`);
    }
    const context = createJobContext({
      job,
      environment: this.#app.environment,
      report: (error) => this.#report(error, false),
      ...this.#host,
    });
    const runChecked = async (signal: AbortSignal): Promise<unknown> => {
      const checked = await checkInput(schema, structuredClone(input));
      if ('problem' in checked) throw new JobError(`The job no longer accepts its input. ${checked.problem}`);
      const scheduledAt = dueAt === undefined ? undefined : new Date(dueAt);
      return run(checked.value, { id, attempt, key, scheduledAt, signal });
    };
    await withTimeout({ job, timeoutMs, mostMs, stopping: this.#stopping }, (signal) =>
      requestStore().run(context, () => runChecked(signal)),
    );
  }

  #traced(run: () => Promise<void>): Promise<void> {
    const { job: name, id, attempt, trace = {} } = this.#envelope;
    const tracing = jobTracing();
    return tracing ? tracing.run({ name, id, attempt, trace }, run) : run();
  }

  #fail(error: unknown): JobOutcome {
    const { attempt } = this.#envelope;
    const isDead = error instanceof JobError || attempt >= this.#retry.attempts;
    this.#report(error, isDead);
    const text = toText(error);
    if (isDead) return { kind: 'dead', error: text };
    return { kind: 'retry', afterMs: toRetryDelay(this.#retry, attempt, Math.random()), error: text };
  }

  #report(error: unknown, isDead: boolean): void {
    const { job, id, attempt } = this.#envelope;
    const { deadPlace = '`appkit jobs`' } = this.#host;
    reportJobError(this.#app.onError, error, { job, id, attempt, isDead, deadPlace });
  }
}

/** Rejects at the time-out, whatever the code then does: the signal has notified it. */
async function withTimeout(
  { job, timeoutMs, mostMs, stopping }: { job: string; timeoutMs: number; mostMs: number; stopping: AbortSignal },
  code: (signal: AbortSignal) => Promise<unknown>,
): Promise<void> {
  const controller = new AbortController();
  const stop = (): void => controller.abort(stopping.reason);
  // Not AbortSignal.any(): a listener of the job would stay on `stopping` forever.
  if (stopping.aborted) stop();
  else stopping.addEventListener('abort', stop);
  let timer: ReturnType<typeof setTimeout> | undefined;
  const over = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => {
        const limit = mostMs < timeoutMs ? `${mostMs} ms, which is all that its host gives it` : `${timeoutMs} ms`;
        const error = new DOMException(`The job ${job} has taken longer than ${limit}.`, 'TimeoutError');
        controller.abort(error);
        reject(error);
      },
      Math.min(timeoutMs, mostMs),
    );
  });
  try {
    await Promise.race([code(controller.signal), over]);
  } finally {
    clearTimeout(timer);
    stopping.removeEventListener('abort', stop);
  }
}

/** The stored text of an error, shown when the job is inspected later. */
const LONGEST_ERROR = 4000;

function toText(error: unknown): string {
  const text = describeThrown(error);
  return text.length > LONGEST_ERROR ? `${text.slice(0, LONGEST_ERROR)}…` : text;
}
