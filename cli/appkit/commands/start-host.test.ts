import { readFile, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { createServer, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { installLocked } from '../../../conformance/install-locked.ts';
import { runCli, startDev } from '../fixtures/cli-process.ts';
import type { ServeProcess } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

const OF_LOADERS = {
  'vite.config.ts': `export default {
    define: { __STAGE__: '"constant"' },
    resolve: { alias: { '~': import.meta.dirname + '/lib' } },
    ssr: { noExternal: ['needs-vite'] },
  };`,
  'lib/chart.ts': `
    if (!navigator.userAgent.startsWith('Node')) throw new Error('The host has loaded what only a component needs.');
    export const chart = 'chart';`,
  'app/(told)/told.css': 'p { color: red }',
  'app/(told)/_layout.tsx': `
    import { Slot, useLoaderData } from 'appkit-router';
    export const loader = () => 'of the layout';
    export default function Layout() { return <div title={useLoaderData<string>()}><Slot /></div>; }`,
  'app/(told)/shown.tsx': `
    export const loader = (): never => { throw new Error('for the boundary'); };
    export const ErrorBoundary = ({ error }: { error: Error }) => <b>{error.message}</b>;
    export default function Page() { return null; }`,
  'app/(told)/late.tsx': `
    import { use } from 'react';
    import { useLoaderData } from 'appkit-router';
    import { StatusError } from 'appkit-server';
    export const loader = () => ({ late: Promise.reject(new StatusError(418, 'a teapot')) });
    export default function Page() { return <p>{use(useLoaderData<{ late: Promise<string> }>().late)}</p>; }`,
  'app/(told)/+not-found.tsx': 'export default () => <p>Nothing here</p>;',
  'app/(told)/told.tsx': `
    import './told.css';
    import { next, stage } from '~/count';
    import { fetchRoute, useLoaderData } from 'appkit-router';
    import { chart } from '../../lib/chart.ts';
    export async function loader({ url }: Request) {
      if (url.includes('throws')) throw new TypeError('as asked of a loader');
      const counted = await (await fetchRoute('/count')).json() as [string, number];
      return [navigator.userAgent, next() - counted[1], import.meta.env.MODE, stage, 'version 0'];
    }
    export default function Page() {
      const [agent, ...rest] = useLoaderData<typeof loader>();
      return <p title={String(agent)}>{[...rest, chart].join(' ')}</p>;
    }`,
};

/** A page whose loader only Vite can bundle. */
const LISTED = `
    import { StatusError } from 'appkit-server';
    import { fetchRoute, useActionData, useLoaderData } from 'appkit-router';
    export async function loader({ url }: Request) {
      if (url.includes('lost')) throw new StatusError(404, 'Lost');
      const routes = await (await fetchRoute('/hello', { method: 'POST', body: 'a route' })).text();
      return [navigator.userAgent, routes, ...Object.keys(import.meta.glob('../../lib/*.ts'))];
    }
    export const action = async (request: Request) => ({ sent: (await request.formData()).get('sent') });
    export default function Page() {
      return <p title={useActionData<typeof action>()?.sent as string}>{useLoaderData<string[]>().join(' ')}</p>;
    }`;

const FILES = {
  'app/kept+api.ts': `
    import { cache } from 'appkit-server';
    let count = 0;
    export function GET() {
      cache({ maxAge: 60 });
      return new Response(String(++count));
    }`,
  'package.json': '{ "name": "developed", "type": "module" }',
  'app.json':
    '{ "web": { "output": "server" }, "plugins": [["appkit-router", { "headers": { "x-app": "yes" }, "external": ["outside"] }]] }',
  '.env': 'FROM_DOT_ENV=yes',
  'public/hello.txt': 'from public',
  'text/greeting.txt': 'good day',
  'lib/count.ts': 'let count = 0;\nexport const next = (): number => ++count;\nexport const stage = __STAGE__;',
  'app/+middleware.ts': `
    export default (request: Request) =>
      request.url.endsWith('/blocked') ? new Response('by middleware', { status: 403 }) : undefined;`,
  'app/hello+api.ts': `
    import { environment, origin } from 'appkit-server';
    import { stage } from '../lib/count';
    export const GET = ({ url }: Request) =>
      Response.json({
        stage,
        agent: navigator.userAgent,
        environment: environment(),
        isUrl: origin() === new URL(url).origin,
        variable: process.env.FROM_DOT_ENV,
      });
    export const POST = async (request: Request) => new Response(await request.text());`,
  'app/count+api.ts': `
    import { next } from '../lib/count';
    export const GET = () => Response.json(['version 0', next()]);`,
  'app/count-too+api.ts': `
    import { next } from '../lib/count';
    export const GET = () => Response.json(['version 0', next()]);`,
  'app/greeting+api.ts': `
    import greeting from '../text/greeting.txt';
    export const GET = () => new Response(greeting);`,
  'app/[deep]/throws+api.ts': `
    interface Padding { first: string; second: string }

    export function GET(): Response {
      throw new TypeError('as asked', { cause: new Error('the ${'long '.repeat(400)}cause') });
    }`,
  'app/task+api.ts': `
    import { runTask } from 'appkit-server';
    export function GET(): Response {
      runTask(async () => { throw new Error('in a task'); });
      return new Response('answered');
    }`,
  'app/live+api.ts': `
    declare const Deno: any, WebSocketPair: any;
    function upgrade(request: Request): [socket: any, response: Response] {
      if (navigator.userAgent.startsWith('Deno')) {
        const { socket, response } = Deno.upgradeWebSocket(request);
        return [socket, response];
      }
      const [client, socket] = Object.values<any>(new WebSocketPair());
      socket.accept();
      return [socket, new Response(null, { status: 101, webSocket: client } as ResponseInit)];
    }
    export function GET(request: Request): Response {
      if (!request.url.endsWith('?open')) return new Response('Not open', { status: 426 });
      const [socket, response] = upgrade(request);
      socket.addEventListener('message', ({ data }) => socket.send('version 0 heard ' + data));
      return response;
    }`,
  'app/exit+api.ts': 'export const GET = (): Response => process.exit(3);',
  ...OF_LOADERS,
  'lib/only-there.ts': `
    if (navigator.userAgent.startsWith('Node.js')) throw new Error('This module was evaluated in Node.');
    export const told = 'version 0, told there';`,
  'app/only-there.tsx': `
    import { useActionData, useLoaderData } from 'appkit-router';
    import { told } from '../lib/only-there';
    import { shown } from '../lib/shown';
    export const loader = () => told;
    export const action = () => 'and sent: ' + told;
    export default function Page() {
      return <p title={useActionData<typeof action>()}>{shown(useLoaderData<typeof loader>())}</p>;
    }`,
  'app/shared/_layout.tsx': `
    import { createContext } from 'react';
    import { Slot } from 'appkit-router';
    import { told } from '../../lib/only-there';
    export const loader = () => told;
    export const Shared = createContext('the default');
    export default function Layout() { return <Shared value="of the layout"><Slot /></Shared>; }`,
  'app/shared/plain.tsx': `
    import { use } from 'react';
    import { Shared } from './_layout';
    export default function Page() { return <p>{use(Shared)}</p>; }`,
  'app/shared/loaded.tsx': `
    import { use } from 'react';
    import { useLoaderData } from 'appkit-router';
    import { Shared } from './_layout';
    export const loader = () => 'loaded';
    export default function Page() { return <p>{use(Shared) + ', ' + useLoaderData<string>()}</p>; }`,
  'node_modules/needs-vite/package.json': '{ "name": "needs-vite", "type": "module", "exports": "./index.js" }',
  'node_modules/needs-vite/index.js': 'export const mode = import.meta.env.MODE;',
  'app/needs-vite.tsx': `
    import { mode } from 'needs-vite';
    import { useLoaderData } from 'appkit-router';
    export const loader = () => 'loaded';
    export default function Page() { return <p>{useLoaderData<string>() + ' in ' + mode}</p>; }`,
  'lib/shown.ts': 'export const shown = (text: string): string => `shown: ${text}`;',
  'app/index.tsx': `
    import { Suspense, use } from 'react';
    import { useLoaderData } from 'appkit-router';
    export function loader({ url }: Request) {
      const place = new URL(url).searchParams.get('last');
      return { note: 'from a loader', last: place === null ? '' : fetch(place).then((response) => response.text()) };
    }
    function Last() {
      const { last } = useLoaderData<typeof loader>();
      return <b>{typeof last === 'string' ? last : use(last)}</b>;
    }
    export default function Page() {
      const { note } = useLoaderData<typeof loader>();
      return <main><i>{note}</i><Suspense fallback="Waiting"><Last /></Suspense></main>;
    }`,
};

const inJson = { headers: { accept: 'application/json' } };
const answerOf = async (url: string, init?: RequestInit): Promise<string> => (await fetch(url, init)).text();
const stateOf = async (url: string): Promise<unknown> => (await fetch(url)).json();

async function save(app: TemporaryApp, name: string, content: string): Promise<void> {
  await writeFile(`${app.folder}/.appkit/saved`, content);
  await rename(`${app.folder}/.appkit/saved`, path.join(app.folder, name));
}

/** Asks until the answer is the one expected. */
async function becomes(url: string, expected: string | number): Promise<void> {
  for (const startedAt = performance.now(); ; await delay(10)) {
    const response = await fetch(url);
    const body = await response.text();
    if (expected === response.status || expected === body) return;
    if (performance.now() - startedAt > 120_000) throw new Error(`${url} still answers ${response.status} ${body}`);
  }
}

const TOOLS = { bun: undefined, deno: 'deno', cloudflare: 'cloudflare' } as const;

async function startIn(host: keyof typeof TOOLS, app: TemporaryApp): Promise<ServeProcess> {
  const adapter = TOOLS[host];
  const tools = adapter && path.join(REPOSITORY, '.cache/tools', adapter, 'tools');
  if (tools) await installLocked(path.join(REPOSITORY, 'adapters', adapter, 'tools'), tools);
  const PATH = [...(tools ? [path.join(tools, 'node_modules/.bin')] : []), process.env['PATH']].join(path.delimiter);
  return startDev(['--host', host], { cwd: app.folder, env: { PATH, CLOUDFLARE_CF_FETCH_ENABLED: 'false' } });
}

describe.each([
  ['bun', /^Bun\/1\./],
  ['deno', /^Deno\/2\./],
  ['cloudflare', /^Cloudflare-Workers$/],
] as const)('start --host %s', (host, agent) => {
  let app: TemporaryApp;
  let dev: ServeProcess;

  beforeAll(async () => {
    const config = {
      name: 'my-app',
      compatibility_date: '2026-06-01',
      compatibility_flags: ['nodejs_compat'],
      vars: { GREETING: 'from the config' },
      kv_namespaces: [{ binding: 'STORE', id: 'store' }],
      queues: {
        producers: [{ binding: 'JOBS', queue: 'my-app-jobs' }],
        consumers: [{ queue: 'my-app-jobs', max_batch_size: 1, max_batch_timeout: 0 }],
      },
    };
    const ofHost = {
      'app/mail+job.ts': `
        import { defineJob } from 'appkit-server/jobs';
        export default defineJob({ run: (to) => console.log(\`mail to \${to} from \${navigator.userAgent}\`) });`,
      'app/mail+api.ts': `
        import { enqueue } from 'appkit-server/jobs';
        import mail from './mail+job.ts';
        export const POST = async (request: Request) => Response.json(await enqueue(mail, await request.text()));`,
      'wrangler.json': JSON.stringify(config),
      'app/bound+api.ts': `
        import { bindings } from 'appkit-server/adapter/cloudflare';
        export async function POST(request: Request): Promise<Response> {
          const { STORE, GREETING } = bindings<{ STORE: Map<string, string> & { put: Function }; GREETING: string }>();
          await STORE.put('key', await request.text());
          return Response.json([await STORE.get('key'), GREETING]);
        }`,
      'app/bound-page.tsx': `
        import { useLoaderData } from 'appkit-router';
        import { bindings } from 'appkit-server/adapter/cloudflare';
        export const loader = async () => ({ stored: await bindings<{ STORE: Map<string, string> }>().STORE.get('key') });
        export default function Page() { return <p>{useLoaderData<typeof loader>().stored}</p>; }`,
    };
    const outside = {
      'node_modules/outside/package.json': JSON.stringify({
        name: 'outside',
        exports: { workerd: './worker.js', default: './other.js' },
      }),
      'node_modules/outside/worker.js':
        "exports.kind = 'of a Worker'; exports.sockets = () => import('cloudflare:sockets');",
      'node_modules/outside/other.js': "exports.kind = 'of no Worker';",
      'app/outside+api.ts': "import { kind } from 'outside';\nexport const GET = () => new Response(kind);",
    };
    app = await createTemporaryApp({ ...FILES, ...outside, ...(host === 'cloudflare' ? ofHost : {}) });
    dev = await startIn(host, app);
  });

  afterAll(async () => {
    // Not killed: workerd would outlive it.
    dev.signal('SIGINT');
    const { code } = await dev.exited;
    await app[Symbol.asyncDispose]();
    expect(code).toBe(0);
  });

  it('runs routes and middleware there, and serves the rest itself', async () => {
    expect(dev.lines).toContain(`The routes run in ${host}.`);
    const { agent: runtime, ...rest } = JSON.parse(await answerOf(`${dev.url}/hello`)) as Record<string, unknown>;
    expect(runtime).toMatch(agent);
    expect(rest).toEqual({ stage: 'constant', environment: 'development', isUrl: true, variable: 'yes' });
    expect(await answerOf(`${dev.url}/hello`, { method: 'POST', body: 'a body' })).toBe('a body');
    expect(await answerOf(`${dev.url}/blocked`)).toBe('by middleware');
    expect(await answerOf(`${dev.url}/hello.txt`)).toBe('from public');
    expect((await fetch(`${dev.url}/missing`)).status).toBe(404);
    await dev.printed(/ GET \/missing 404 \(/);
  });

  it('has packages that are external, with the file that the host takes', async () => {
    const kind = host === 'cloudflare' ? 'of a Worker' : 'of no Worker';
    expect(await answerOf(`${dev.url}/outside`)).toBe(kind);
  });

  it('has one instance of each module, until code that runs there changes', async () => {
    expect(await stateOf(`${dev.url}/count`)).toEqual(['version 0', 1]);
    expect(await stateOf(`${dev.url}/count-too`)).toEqual(['version 0', 2]);
    await answerOf(dev.url);
    await save(app, 'app/index.tsx', FILES['app/index.tsx'].replace('<main>', '<main id="main">'));
    await dev.printed(/ reloaded the pages: app\/index\.tsx changed/);
    expect(await stateOf(`${dev.url}/count`)).toEqual(['version 0', 3]);
    await save(app, 'app/count-too+api.ts', FILES['app/count-too+api.ts'].replace('version 0', 'version 1'));
    await dev.printed(new RegExp(`reloaded the routes, in ${host}: app/count-too\\+api\\.ts changed \\(\\d+ ms\\)$`));
    expect(await stateOf(`${dev.url}/count-too`)).toEqual(['version 1', 1]);
    expect(await stateOf(`${dev.url}/count`)).toEqual(['version 0', 2]);
  });

  it('runs loaders there, with the modules of routes and without components', async () => {
    const page = await answerOf(`${dev.url}/told`, { headers: { accept: 'text/html' } });
    const [, title, agentOfLoader = '', shown] = /<div title="([^"]+)"><p title="([^"]+)">([^<]+)</.exec(page) ?? [];
    expect([title, shown]).toEqual(['of the layout', '1 development constant version 0 chart']);
    expect(agentOfLoader).toMatch(agent);
    await save(app, 'app/(told)/told.tsx', FILES['app/(told)/told.tsx'].replace("'version 0'", "'version 1'"));
    await dev.printed(new RegExp(`reloaded the routes, in ${host}, the pages: app/\\(told\\)/told\\.tsx changed`));
    expect(await answerOf(`${dev.url}/told?_appkit_data`)).toContain('version 1');
  });

  it('does not evaluate in Node what only a loader or an action uses', async () => {
    const url = `${dev.url}/only-there`;
    expect(await answerOf(url)).toContain('<p>shown: version 0, told there</p>');
    expect(await answerOf(url, { method: 'POST', body: new URLSearchParams() })).toContain(
      '<p title="and sent: version 0, told there">shown: version 0, told there</p>',
    );
    await save(app, 'lib/only-there.ts', FILES['lib/only-there.ts'].replace('version 0', 'version 1'));
    await dev.printed(new RegExp(`reloaded the routes, in ${host}.*: lib/only-there\\.ts changed`));
    expect(await answerOf(url)).toContain('<p>shown: version 1, told there</p>');
    await save(app, 'app/only-there.tsx', FILES['app/only-there.tsx'].replace('<p ', '<p id="new" '));
    await dev.printed(/ reloaded the pages: app\/only-there\.tsx changed/);
    expect(await answerOf(url)).toContain('<p id="new">shown: version 1, told there</p>');
  });

  it('shares what a layout with a loader exports with the pages that import it', async () => {
    expect(await answerOf(`${dev.url}/shared/plain`)).toContain('<p>of the layout</p>');
    expect(await answerOf(`${dev.url}/shared/loaded`)).toContain('<p>of the layout, loaded</p>');
  });

  it('has the options of Vite for a server where it renders pages', async () => {
    expect(await answerOf(`${dev.url}/needs-vite`)).toContain('<p>loaded in development</p>');
  });

  it('refuses a page that an export refuses, since it evaluates its action in Node', async () => {
    await save(
      app,
      'app/refused.tsx',
      `import { told } from '../lib/only-there';
      export const action = () => told;
      export default function Page() { return <p>refused</p>; }`,
    );
    await becomes(`${dev.url}/refused`, 500);
    expect(await answerOf(`${dev.url}/refused`)).toContain('This module was evaluated in Node.');
    const posted = await fetch(`${dev.url}/refused`, { method: 'POST', body: new URLSearchParams() });
    expect([posted.status, await posted.text()]).toEqual([200, expect.stringContaining('<p>refused</p>')]);
    await rm(path.join(app.folder, 'app/refused.tsx'));
    await becomes(`${dev.url}/refused`, 404);
  });

  it('renders a page with a loader that is added, and says where it cannot be parsed', async () => {
    const page = `import { useLoaderData } from 'appkit-router';
      import { told } from '../lib/only-there';
      export const loader = () => told;
      export default function Page() { return <p>{useLoaderData<string>()}</p>; }`;
    await save(app, 'app/added.tsx', page);
    await becomes(`${dev.url}/added`, 200);
    expect(await answerOf(`${dev.url}/added`)).toMatch(/<p>version \d, told there<\/p>/);
    await save(app, 'app/added.tsx', page.replace('</p>;', '</;'));
    await becomes(`${dev.url}/added`, 500);
    const { error } = JSON.parse(await answerOf(`${dev.url}/added`, inJson)) as { error: { problems: object[] } };
    expect(error.problems).toMatchObject([{ file: 'app/added.tsx', line: 4 }]);
    expect(dev.errors()).toMatch(/^ {2}app\/added\.tsx:4:\d+: The file cannot be parsed/m);
    expect(dev.errors()).not.toContain(path.join(app.folder, 'app/added.tsx'));
    await rm(path.join(app.folder, 'app/added.tsx'));
    await becomes(`${dev.url}/added`, 404);
  });

  it('has open pages request data again only for what pages use', async () => {
    const version = async (): Promise<string | undefined> =>
      /name="[^"]*" content="(\d+)"/.exec(await answerOf(`${dev.url}/only-there`))?.[1];
    const before = await version();
    expect(before).toBeDefined();
    await save(app, 'app/greeting+api.ts', `${FILES['app/greeting+api.ts']}\nconsole.log('of a route');`);
    await dev.printed(new RegExp(`reloaded the routes, in ${host}: app/greeting\\+api\\.ts changed`));
    expect(await version()).toBe(before);
    await save(app, 'lib/only-there.ts', `${FILES['lib/only-there.ts']}\nconsole.log('of a loader');`);
    await expect.poll(version).not.toBe(before);
    await save(app, 'app/greeting+api.ts', FILES['app/greeting+api.ts']);
  });

  it('gives a browser neither secrets nor server code, whatever URL it asks for', async () => {
    const files = ['app/greeting+api.ts', '.env'].map((name) => path.join(app.folder, name));
    for (const file of [...files, path.join(REPOSITORY, 'tsconfig.json')]) {
      for (const query of ['', '?raw', '?url', '?import', '?appkit-view&lang.ts', '?appkit-view&lang.txt']) {
        const response = await fetch(`${dev.url}/_appkit/dev/vite/@id/${file}${query}`);
        expect([file, query, response.ok]).toEqual([file, query, false]);
      }
    }
  });

  it('answers with the status of an error that comes late', async () => {
    const response = await fetch(`${dev.url}/late`, inJson);
    expect([response.status, await response.json()]).toEqual([418, { error: 'a teapot' }]);
  });

  it('runs loaders in Node while only Vite can bundle one of them, and says why', async () => {
    const agentOf = async (page: string): Promise<string> => /Node\.js|Bun|Deno|Cloudflare/.exec(page)?.[0] ?? page;
    const here = await agentOf(await answerOf(`${dev.url}/told?_appkit_data`));
    await save(app, 'app/(told)/listed.tsx', LISTED);
    await becomes(`${dev.url}/listed`, 200);
    expect(await answerOf(`${dev.url}/listed`)).toMatch(/Node\.js\/\d+ a route \.\.\/\.\.\/lib\/chart\.ts/);
    const posted = await fetch(`${dev.url}/listed`, { method: 'POST', body: new URLSearchParams({ sent: 'a form' }) });
    expect([posted.status, await posted.text()]).toEqual([200, expect.stringContaining('title="a form"')]);
    const lost = await fetch(`${dev.url}/listed?lost`, { headers: { accept: 'text/html' } });
    expect([lost.status, await lost.text()]).toEqual([404, expect.stringContaining('Nothing here')]);
    await expect
      .poll(dev.errors)
      .toContain(`run in Node, since they cannot be bundled for ${host}:\n  app/(told)/listed.tsx:7:`);
    await rm(path.join(app.folder, 'app/(told)/listed.tsx'));
    await becomes(`${dev.url}/listed`, 404);
    expect(await agentOf(await answerOf(`${dev.url}/told?_appkit_data`))).toBe(here);
  });

  it('says where in the sources a loader has thrown', async () => {
    const response = await fetch(`${dev.url}/told?throws`, inJson);
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect([response.status, error]).toMatchObject([
      500,
      { name: 'TypeError', message: 'as asked of a loader', frame: { file: 'app/(told)/told.tsx', line: 7 } },
    ]);
    await expect.poll(() => dev.errors().split('GET /told failed.')).toHaveLength(2);
  });

  it('prints once what a loader has thrown that the page shows', async () => {
    const response = await fetch(`${dev.url}/shown`, { headers: { accept: 'text/html' } });
    expect([response.status, await response.text()]).toEqual([500, expect.stringContaining('<b>for the boundary</b>')]);
    await expect.poll(dev.errors).toContain('GET /shown failed.\n  Error: for the boundary\n');
    expect(dev.errors().split('GET /shown failed.')).toHaveLength(2);
  });

  it('keeps no answer, whatever cache() allows', async () => {
    const answers = [await answerOf(`${dev.url}/kept`), await answerOf(`${dev.url}/kept`)];
    expect(answers).toEqual(['1', '2']);
  });

  it('answers with what was saved', async () => {
    await save(app, 'text/greeting.txt', 'good night');
    await becomes(`${dev.url}/greeting`, 'good night');
    await save(app, 'app/added+api.ts', "export const GET = () => new Response('added');");
    await becomes(`${dev.url}/added`, 'added');
    for (let version = 1; version <= 20; version++) {
      await save(app, 'app/added+api.ts', `export const GET = () => new Response('version ${version}');`);
      if (version % 5 === 0) expect((await fetch(`${dev.url}/added`)).status).toBe(200);
    }
    await becomes(`${dev.url}/added`, 'version 20');
  });

  it('says where in the sources an error was thrown', async () => {
    const response = await fetch(`${dev.url}/x/throws`, { headers: { ...inJson.headers, 'accept-encoding': 'gzip' } });
    expect([response.status, response.headers.get('x-app')]).toEqual([500, 'yes']);
    expect(response.headers.get('vary')).toBe('Accept');
    const { error } = (await response.json()) as { error: Record<string, unknown> };
    expect(error).toMatchObject({
      name: 'TypeError',
      message: 'as asked',
      frame: {
        file: 'app/[deep]/throws+api.ts',
        line: 5,
        code: expect.stringContaining("> 5 |       throw new TypeError('as"),
      },
    });
    expect(error['stack']).toMatch(
      /^TypeError: as asked\n {4}at GET \(app\/\[deep\]\/throws\+api\.ts:5:\d+\)\nCaused by: Error: the long /,
    );
    expect(await answerOf(`${dev.url}/x/throws`, { headers: { accept: 'text/html' } })).toContain('as asked</h1>');
    await expect.poll(dev.errors).toContain('error: GET /x/throws failed.\n  TypeError: as asked\n');
    expect((await fetch(`${dev.url}/x/throws`, { ...inJson, method: 'HEAD' })).status).toBe(405);
  });

  it.skipIf(host === 'bun')('passes on the WebSocket of a route, until its code changes', async () => {
    const url = `${dev.url.replace('http', 'ws')}/live?open`;
    const open = async (): Promise<WebSocket> => {
      const socket = new WebSocket(url);
      const [opened] = (await Promise.race([once(socket, 'open'), once(socket, 'close')])) as [Event];
      expect(opened.type).toBe('open');
      return socket;
    };
    const tell = async (socket: WebSocket, word: string): Promise<unknown> => {
      const heard = once(socket, 'message');
      socket.send(word);
      const [{ data }] = (await heard) as [{ data: unknown }];
      return data;
    };
    const socket = await open();
    expect(await tell(socket, 'a word')).toBe('version 0 heard a word');
    const long = 'x'.repeat(300_000);
    expect(await tell(socket, long)).toBe(`version 0 heard ${long}`);
    await dev.printed(/ GET \/live 101 \(/);
    const closed = once(socket, 'close');
    await save(app, 'app/live+api.ts', FILES['app/live+api.ts'].replace('version 0', 'version 1'));
    await closed;
    const next = await open();
    expect(await tell(next, 'another')).toBe('version 1 heard another');
    next.close();
    await once(next, 'close');
  });

  it('answers an offer of a WebSocket as any request, if the route does not accept it', async () => {
    const offer = async (target: string, headers: Record<string, string> = {}): Promise<unknown[]> => {
      const upgrade = { connection: 'Upgrade', upgrade: 'websocket', 'sec-websocket-version': '13' };
      const sent = httpRequest(dev.url + target, { headers: { ...upgrade, ...headers } }).end();
      const [response] = (await once(sent, 'response')) as [IncomingMessage];
      return [response.statusCode, await text(response)];
    };
    expect(await offer('/live')).toEqual([426, 'Not open']);
    expect(await offer('/blocked')).toEqual([403, 'by middleware']);
    expect(await offer('/live', { host: 'evil.example' })).toEqual([403, expect.stringContaining('evil.example')]);
    expect(await offer('/deep/throws')).toEqual([500, expect.stringContaining('as asked')]);
  });

  it('prints the error of a task that fails after the answer was sent', async () => {
    expect(await answerOf(`${dev.url}/task`)).toBe('answered');
    await expect.poll(dev.errors).toContain('error: GET /task failed.\n  Error: in a task\n');
  });

  it('reports a syntax error as an export does, and recovers', async () => {
    await save(app, 'app/greeting+api.ts', 'export const GET = ( => new Response();');
    await becomes(`${dev.url}/greeting`, 500);
    const { error } = JSON.parse(await answerOf(`${dev.url}/greeting`, inJson)) as { error: { problems: object[] } };
    expect(error.problems).toMatchObject([{ file: 'app/greeting+api.ts', line: 1 }]);
    await save(app, 'app/greeting+api.ts', FILES['app/greeting+api.ts']);
    await becomes(`${dev.url}/greeting`, 'good night');
  });

  it('streams pages, to a browser that is notified of changes', async () => {
    const released = Promise.withResolvers<void>();
    const last = createServer((_, response) => void released.promise.then(() => response.end('the last part')));
    await once(last.listen(0, '127.0.0.1'), 'listening');
    const url = `${dev.url}/?last=http://127.0.0.1:${(last.address() as AddressInfo).port}`;
    const [response] = (await once(httpRequest(url, { headers: { accept: 'text/html' } }).end(), 'response')) as [
      IncomingMessage,
    ];
    let page = '';
    for await (const part of response.setEncoding('utf8')) {
      page += String(part);
      // The client has this part before the other one exists.
      if (page.includes('<i>from a loader</i>')) released.resolve();
    }
    last.close();
    expect([response.statusCode, response.headers['x-app']]).toEqual([200, 'yes']);
    expect(page).toContain('the last part');
    expect(page).toContain('/_appkit/dev/vite/@id/__x00__virtual:appkit/client');
  });

  it.skipIf(host === 'cloudflare')('restarts the runtime when the app has ended it', async () => {
    expect((await fetch(`${dev.url}/exit`)).status).toBe(500);
    expect(await answerOf(`${dev.url}/greeting`)).toBe('good night');
  });

  it.runIf(host === 'cloudflare')('stores jobs in the queue of the config, and runs them', async () => {
    const stored = JSON.parse(await answerOf(`${dev.url}/mail`, { method: 'POST', body: 'ada' })) as object;
    expect(stored).toMatchObject({ duplicate: false });
    await dev.printed(/^mail to ada from Cloudflare-Workers$/);
  });

  it.runIf(host === 'cloudflare')('gives routes and loaders the bindings of the config', async () => {
    const post = { method: 'POST', body: 'kept' };
    expect(JSON.parse(await answerOf(`${dev.url}/bound`, post))).toEqual(['kept', 'from the config']);
    expect(await answerOf(`${dev.url}/bound-page`, { headers: { accept: 'text/html' } })).toContain('<p>kept</p>');
    const config = JSON.stringify({
      compatibility_date: '2026-06-01',
      compatibility_flags: ['nodejs_compat'],
      vars: { GREETING: 'changed' },
      kv_namespaces: [{ binding: 'STORE', id: 'store' }],
    });
    await save(app, 'wrangler.json', '{\n "name": ');
    await becomes(`${dev.url}/hello`, 500);
    expect(await answerOf(`${dev.url}/hello`)).toMatch(
      /^wrangler\.json:2:\d+\n[^]*\n\nError: Wrangler cannot read wrangler\.json: .+\. Correct it\.\n$/,
    );
    await save(app, 'wrangler.json', config);
    await dev.printed(/ reloaded the routes, in cloudflare: wrangler\.json changed/);
    expect(JSON.parse(await answerOf(`${dev.url}/bound`, post))).toEqual(['kept', 'changed']);
    expect(await answerOf(`${dev.url}/bound-page`, { headers: { accept: 'text/html' } })).toContain('<p>kept</p>');
  });
});

it('lets routes and loaders in a host know that the browser uses HTTPS', async () => {
  await using app = await createTemporaryApp({
    'app.json': '{ "web": { "output": "server" } }',
    'app/url+api.ts': 'export const GET = ({ url }: Request) => new Response(url);',
    'app/index.tsx': `
      import { origin } from 'appkit-server';
      import { useLoaderData } from 'appkit-router';
      export const loader = (request: Request) => ({ url: request.url, origin: origin() });
      export default function Page() {
        const { url, origin } = useLoaderData<typeof loader>();
        return <p>{\`\${url} \${origin}\`}</p>;
      }`,
  });
  await using dev = await startDev(['--host', 'bun', '--https'], { cwd: app.folder });
  const certificate = path.join(app.folder, '.appkit/https/_cert.pem');
  await expect.poll(() => readFile(certificate, 'utf8').catch(() => '')).toContain('PRIVATE KEY');
  const ca = await readFile(certificate);
  const ask = async (target: string): Promise<string> => {
    const [response] = (await once(httpsRequest(dev.url + target, { ca }).end(), 'response')) as [IncomingMessage];
    return text(response);
  };
  expect(await ask('/url')).toBe(`${dev.url}/url`);
  expect(await ask('/')).toContain(`<p>${dev.url}/ ${dev.url}</p>`);
});

it('leaves no server build of a host on disk', async () => {
  await using app = await createTemporaryApp({ 'app/hello+api.ts': "export const GET = () => new Response('hello');" });
  const dev = await startIn('bun', app);
  expect(await answerOf(`${dev.url}/hello`)).toBe('hello');
  dev.signal('SIGINT');
  expect(await dev.exited).toEqual({ code: 0, stderr: '' });
  expect(await readdir(path.join(app.folder, '.appkit/hosts'))).toEqual([]);
});

it('refuses two hosts, and says how to install what is missing', async () => {
  await using app = await createTemporaryApp({ 'app/hello+api.ts': "export const GET = () => new Response('hello');" });
  const refusal = async (args: string[]): Promise<unknown[]> => {
    const { code, stderr } = await runCli(['start', '--port=0', ...args], { cwd: app.folder, env: { PATH: '' } });
    return [code, stderr];
  };
  expect(await refusal(['--host', 'bun', '--host', 'deno'])).toEqual([
    2,
    'error: --host bun --host deno names too much.\n' +
      '  Give one of bun, cloudflare, deno at most, and one name or address to listen on.\n',
  ]);
  expect(await refusal(['--host', 'deno'])).toEqual([
    1,
    'error: appkit start --host deno needs deno, which is not installed.\n' +
      '  Install it in the folder of the app: npm install --save-dev deno@2\n',
  ]);
  expect(await refusal(['--host', 'cloudflare'])).toEqual([
    1,
    'error: appkit start --host cloudflare needs wrangler, which is not installed.\n' +
      '  Install it in the folder of the app: npm install --save-dev wrangler@4\n',
  ]);
});
