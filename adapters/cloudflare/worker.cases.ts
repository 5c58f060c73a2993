// A Worker with jobs and WebSockets, for the tests in workerd.
import { setResponseHeaders } from '../../runtime/helpers.ts';
import { defineJob, enqueue } from '../../runtime/jobs.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import type { CloudflareBatch, CloudflareContext } from './host-types.ts';
import { bindings, createRequestHandler } from './index.ts';
import { createCloudflareJobs } from './jobs.ts';

interface Socket {
  accept(): void;
  send(text: string): void;
  addEventListener(type: 'message', listener: (event: { data: string }) => void): void;
}
declare const WebSocketPair: new () => { 0: Socket; 1: Socket };

const runs: unknown[] = [];
const dead: unknown[] = [];

const mail = defineJob({
  retry: { attempts: 2, delayMs: 0 },
  timeoutMs: 50,
  async run(input, { id, attempt, signal }) {
    const text = String(input);
    // Long values are not recorded.
    runs.push({ id, attempt, input: text.slice(0, 10) });
    // Six bytes each, as JSON.
    if (text.length > 10) throw new Error('\u0001'.repeat(5000));
    if (text === 'bad') throw new Error('no such address');
    if (text !== 'slow') return;
    await new Promise((end) => signal.addEventListener('abort', end));
    runs.push({ id, aborted: (signal.reason as Error).name });
  },
});
const report = defineJob({
  schedule: { cron: '0 8 * * 1', input: { team: 'sales' } },
  run: (input, { id, scheduledAt }) => void runs.push({ id, input, scheduledAt }),
});

const schedule = { cron: '0 8 * * 1', timeZone: 'UTC', missed: 'skip' } as const;
const build: ServerBuild = {
  manifest: {
    version: 6,
    routes: [
      { pattern: '/mail', file: 'route', methods: ['GET', 'POST'] },
      { pattern: '/socket', file: 'socket', methods: ['GET'] },
      { pattern: '/passed-on', file: 'passed-on', methods: ['GET'] },
    ],
    middleware: { file: 'middleware' },
    jobs: [
      { name: 'mail', file: 'mail' },
      { name: 'report', file: 'report', schedule },
    ],
  },
  modules: {
    mail: () => ({ default: Object.assign(mail, { '~job': { ...mail['~job'], name: 'mail' } }) }),
    report: () => ({ default: report }),
    route: () => ({
      GET: () => Response.json({ runs, dead }),
      POST: async (request: Request) => {
        mail['~job'].name = 'mail'; // as the export does
        return Response.json(await enqueue(mail, await request.json()));
      },
    }),
    socket: () => ({
      GET: () => {
        const { 0: client, 1: server } = new WebSocketPair();
        server.accept();
        server.addEventListener('message', ({ data }) => server.send(`heard ${data}`));
        return new Response(null, { status: 101, webSocket: client } as ResponseInit);
      },
    }),
    // As a Durable Object answers: with headers that cannot be changed.
    'passed-on': () => ({
      GET: (request: Request) =>
        bindings<{ SELF: { fetch: typeof fetch } }>().SELF.fetch(request.url.replace('passed-on', 'socket'), request),
    }),
    middleware: () => ({
      default: async (request: Request, next: () => Promise<Response>) => {
        setResponseHeaders({ 'x-set': 'by a helper' });
        const response = await next();
        response.headers.set('x-changed', new URL(request.url).pathname);
        return response;
      },
    }),
  },
};

const handler = createRequestHandler({ build, jobs: createCloudflareJobs(), onError: () => undefined });

// oxlint-disable-next-line import/no-default-export -- a Worker is the default export of its module
export default {
  ...handler,
  async queue(batch: CloudflareBatch, env: unknown, context: CloudflareContext): Promise<void> {
    if (batch.queue === 'jobs') return handler.queue(batch, env, context);
    for (const message of batch.messages) dead.push(message.body);
  },
};
