// Runs in the host: in Bun and Deno.
import type { enqueue as Enqueue, Job } from 'appkit-server/jobs';
import type { createPostgresJobs } from 'appkit-server/jobs/postgres';
import type { ConnectedJobs, JobApp, createSqliteJobs } from 'appkit-server/jobs/sqlite';
import type { Manifest } from 'appkit-server/manifest';
import { describeSchedule } from '../describe-schedule.ts';
import type { Handler } from './only-for.ts';

/** How the process of a host keeps jobs, as JSON. */
export interface JobSettings {
  /** The URL of the engine's module. */
  engine: string;
  /** The URL of the module with `enqueue()`. */
  enqueue: string;
  /** The options of the engine: for a file, or for the PostgreSQL of `DATABASE_URL`. */
  options: { file: string } | { app: string };
}

/** The jobs in the process of a host. */
export interface JobsInHost {
  /** The option of the adapter. */
  engine: { connect(app: JobApp): ConnectedJobs };
  /** Begins no more jobs. Those that run go on. */
  pause(): void;
  /** Resolves when the jobs that ran at the pause have ended, and their results are stored. */
  finish(): Promise<void>;
  /** Aborts the running jobs, which are given back. */
  stop(): Promise<void>;
  /** Does what the page of jobs in `appkit start` asks for. */
  answerDesk(request: Request): Promise<Response>;
}

/** The header of a request by the page of jobs. Its value is the mark. */
export const JOBS_HEADER = 'appkit-development-jobs';

type Engines = Partial<{ createSqliteJobs: typeof createSqliteJobs; createPostgresJobs: typeof createPostgresJobs }>;

/** A server build that the adapter has loaded from a folder. */
interface FolderBuild {
  manifest: Manifest;
  modules(file: string): unknown;
}

/** Loads the engine. Nothing is opened before an app is connected. */
export async function loadJobs(
  { engine: module, enqueue: ofJobs, options }: JobSettings,
  createRequestHandler: (options: object) => Handler,
): Promise<JobsInHost> {
  const { createSqliteJobs, createPostgresJobs } = (await import(module)) as Engines;
  const { enqueue } = (await import(ofJobs)) as { enqueue: typeof Enqueue };
  const engine = 'file' in options ? createSqliteJobs?.(options) : createPostgresJobs?.(options);
  if (!engine) throw new TypeError(`${module} has no engine.`);
  let build: FolderBuild | undefined;
  let connected: ConnectedJobs | undefined;
  let desk: Handler | undefined;

  const load = async (name: string): Promise<{ default?: Job }> => {
    const { file = '' } = build?.manifest.jobs?.find((job) => job.name === name) ?? {};
    return (await build?.modules(file)) as { default?: Job };
  };
  const GET = async (): Promise<Response> => {
    const names = build?.manifest.jobs?.map(({ name }) => name) ?? [];
    const described = names.map(async (name) => [name, await describeSchedule(() => load(name))] as const);
    return Response.json(Object.fromEntries(await Promise.all(described)));
  };
  const POST = async (request: Request): Promise<Response> => {
    try {
      const { job, input } = (await request.json()) as { job: string; input?: unknown };
      return Response.json(await enqueue((await load(job)).default as Job, input)); // which checks both
    } catch (error) {
      return Response.json({ message: error instanceof Error ? error.message : String(error) }, { status: 422 });
    }
  };
  return {
    engine: {
      connect(app) {
        build = app.build as FolderBuild; // the adapter has checked it
        connected = engine.connect(app);
        return connected;
      },
    },
    pause() {
      if (build) engine.connect({ build: { manifest: { ...build.manifest, jobs: [] }, modules: {} } });
    },
    async finish() {
      await connected?.drain();
      await engine.close();
    },
    stop: () => engine.close(),
    async answerDesk(request) {
      // An app of its own: `enqueue()` needs a request, and the middleware of the app does not see this one.
      desk ??= createRequestHandler({
        build: {
          manifest: {
            version: 1,
            routes: [{ pattern: '/', file: 'desk', methods: ['GET', 'POST'] }],
            jobs: [{ name: 'desk', file: 'desk' }],
          },
          modules: { desk: () => ({ GET, POST }) },
        },
        jobs: { connect: () => connected },
      });
      return desk(request);
    },
  };
}
