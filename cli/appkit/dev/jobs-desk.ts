import type { IncomingMessage, ServerResponse } from 'node:http';
import { toManifest } from 'appkit-build/development';
import { createRequestHandler } from 'appkit-server/adapter/node';
import { enqueue } from 'appkit-server/jobs';
import type { Job } from 'appkit-server/jobs';
import type { ConnectedJobs } from 'appkit-server/jobs/sqlite';
import { describePlace, findJobs } from '../serve/open-jobs.ts';
import { describeSchedule, toUnknown } from './describe-schedule.ts';
import type { DevApp } from './dev-app.ts';
import type { JobsOfHost } from './hosts/jobs-of-host.ts';
import { JOB_STATES, JOBS_PATH, toJobsPage } from './jobs-page.ts';
import type { JobsView, ShownJob } from './jobs-page.ts';

/** Shows an app's jobs to its developer, and lets the developer change them. */
export interface JobsDesk {
  /** Answers a request for the page. Returns `false`, and does nothing, for any other request. */
  answer(request: IncomingMessage, response: ServerResponse): boolean;
}

/** The options of {@link createJobsDesk}. */
export interface JobsDeskOptions {
  projectRoot: string;
  app(): Pick<DevApp, 'description' | 'jobs' | 'load'>;
  /** The host that runs the jobs, and alone loads them. Default: this process does. */
  host?: JobsOfHost | undefined;
}

/** How many jobs are listed. */
const LISTED = 50;

/** Creates the handler of `/_appkit/dev/jobs`: GET returns a page, and POST handles its forms. */
export function createJobsDesk(options: JobsDeskOptions): JobsDesk {
  let listener: ReturnType<typeof createRequestHandler> | undefined;
  return {
    answer(request, response) {
      const [pathname] = (request.url ?? '').split('?', 1);
      if (pathname !== JOBS_PATH) return false;
      if (request.method === 'POST' && !isFromHere(request)) refuse(response);
      else (listener ??= createListener(options))(request, response);
      return true;
    },
  };
}

/**
 * Whether a page of this server has sent a request. Browsers omit Sec-Fetch-Site for untrustworthy URLs, without TLS
 * and not on localhost, as with `--host` and a network address.
 */
function isFromHere({ headers }: IncomingMessage): boolean {
  const { 'sec-fetch-site': site, origin, host } = headers;
  if (site !== undefined) return site === 'same-origin';
  return origin !== undefined && URL.canParse(origin) && new URL(origin).host === host?.toLowerCase();
}

function refuse(response: ServerResponse): void {
  response
    .writeHead(403, { 'content-type': 'text/plain; charset=utf-8' })
    .end(`Only the page ${JOBS_PATH} of this server changes jobs.\n`);
}

/** A separate app with one route, which enqueues as the developed app's routes do, but without its middleware. */
function createListener(options: JobsDeskOptions): ReturnType<typeof createRequestHandler> {
  const desk = createDesk(options);
  const file = 'jobs';
  const route = { pattern: JOBS_PATH, methods: ['GET', 'POST'] satisfies Method[], file, output: file };
  // An app without jobs does not call its engine.
  const manifest = toManifest(
    { routes: [route], middleware: [], jobs: [{ job: file, file, output: file, settings: {} }] },
    { implicitHead: false, strictFetch: true },
  );
  const connected: ConnectedJobs = {
    enqueue: async (envelope) => findStored(options.app()).enqueue(envelope),
    drain: async () => {},
  };
  return createRequestHandler({
    build: { manifest, modules: { [file]: () => desk } },
    jobs: { connect: () => connected },
  });
}

type Method = 'GET' | 'POST';
type Desk = Record<Method, (request: Request) => Promise<Response>>;

function createDesk(options: JobsDeskOptions): Desk {
  const show = async (refused?: JobsView['refused'], { state, open }: Partial<JobsView> = {}): Promise<Response> => {
    const shown = { jobs: await describeJobs(options), state, open };
    try {
      const stored = await readStored(options, state);
      return answer(toJobsPage({ ...shown, stored, refused }), refused ? 422 : 200);
    } catch (error) {
      const message = `The jobs cannot be read: ${toMessage(error)}`;
      return answer(toJobsPage({ ...shown, stored: undefined, refused: { message } }), 503);
    }
  };
  return {
    GET(request) {
      const { searchParams } = new URL(request.url);
      const state = JOB_STATES.find((one) => one === searchParams.get('state'));
      return show(undefined, { state, open: searchParams.get('open') ?? undefined });
    },
    async POST(request) {
      const form = await request.formData();
      const [action, id, job, input] = ['action', 'id', 'job', 'input'].map((name) => String(form.get(name) ?? ''));
      const asked = { action, id, job, input } as Asked;
      try {
        const shown = await act(asked, options);
        const query = shown === undefined ? '' : `?open=${shown}#${shown}`;
        return new Response(null, { status: 303, headers: { location: JOBS_PATH + query } });
      } catch (error) {
        const typed = asked.action === 'run' ? { job: asked.job, input: asked.input } : {};
        return show({ message: toMessage(error), ...typed }, { open: asked.id });
      }
    },
  };
}

/** The action that a form of the page requests. */
interface Asked {
  action: string;
  id: string;
  job: string;
  input: string;
}

/** Returns the id of the job to show afterwards, if it still exists. */
async function act({ action, id, job, input }: Asked, { app, host }: JobsDeskOptions): Promise<string | undefined> {
  if (action === 'run') {
    const described = app().description.jobs.find((one) => one.job === job);
    if (!described) throw new Error(`The app has no job ${job}. Load the page again.`);
    const parsed = parseInput(input);
    if (host) return host.enqueue(job, parsed);
    const { default: loaded } = await app().load(described.file);
    const stored = await enqueue(loaded as Job, parsed); // which checks it
    return stored.id;
  }
  const { engine } = findStored(app());
  const isDone = action === 'retry' ? await engine.retry(id) : action === 'discard' && (await engine.discard(id));
  if (isDone) return action === 'retry' ? id : undefined;
  const record = await engine.get(id);
  if (!record) throw new Error(`There is no job with the id ${id} any more.`);
  throw new Error(`A job that is ${record.state} cannot be ${action === 'retry' ? 'run again' : 'discarded'}.`);
}

function findStored({ jobs }: Pick<DevApp, 'jobs'>): NonNullable<DevApp['jobs']> {
  if (!jobs) throw new Error('This server stores no jobs: the routes run in another host.');
  return jobs;
}

function parseInput(text: string): unknown {
  if (text.trim() === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`The input is no JSON: ${toMessage(error)}. A text has quotes: "ada".`, { cause: error });
  }
}

async function describeJobs({ app, host }: JobsDeskOptions): Promise<ShownJob[]> {
  const { description, load } = app();
  const { jobs } = description;
  if (!host) {
    const described = jobs.map(async ({ job: name, file }): Promise<ShownJob> => {
      return { name, file, schedule: await describeSchedule(() => load(file)) };
    });
    return Promise.all(described);
  }
  const schedules = jobs.length > 0 ? await host.describeSchedules().catch(toUnknown) : {};
  return jobs.map(({ job: name, file }) => {
    return { name, file, schedule: typeof schedules === 'string' ? schedules : schedules[name] };
  });
}

async function readStored(
  { projectRoot, app }: JobsDeskOptions,
  state: JobsView['state'],
): Promise<JobsView['stored']> {
  const { jobs } = app();
  if (!jobs) return undefined;
  const [counts, records] = await Promise.all([jobs.engine.count(), jobs.engine.list({ state, limit: LISTED })]);
  return { place: describePlace(findJobs(projectRoot)), counts, records };
}

function answer(html: string, status: number): Response {
  const headers = {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    // No script in an input can run, and no other site can frame this page to capture clicks.
    'content-security-policy':
      "default-src 'none'; style-src 'unsafe-inline'; img-src data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
  };
  return new Response(html, { status, headers });
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
