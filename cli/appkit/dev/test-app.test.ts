import { once } from 'node:events';
import { mkdir, realpath, rm, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { createSqliteJobs } from 'appkit-server/jobs/sqlite';
import { createTestApp } from 'appkit-server/test';
import type { TestApp, TestAppOptions } from 'appkit-server/test';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';

const APP = {
  'package.json': '{ "type": "module" }',
  'app.json': JSON.stringify({
    web: { output: 'server' },
    plugins: [
      [
        'appkit-router',
        {
          redirects: [{ source: '/old', destination: '/hello' }],
          rewrites: [{ source: '/alias', destination: '/hello' }],
          headers: { 'x-config': 'yes' },
          implicitHead: true,
        },
      ],
    ],
  }),
  'public/robots.txt': 'User-agent: *\n',
  'server/count.ts': 'let count = 0;\nexport const next = (): number => ++count;\n',
  'app/+middleware.ts': `
    import { setResponseHeaders } from 'appkit-server';
    export default function middleware(request: Request): Response | undefined {
      setResponseHeaders({ 'x-middleware': 'yes' });
      return new URL(request.url).pathname === '/refused' ? new Response('no', { status: 403 }) : undefined;
    }`,
  'app/+instrumentation.ts': `
    export default (request: Request, next: () => Promise<Response>) => {
      (globalThis as { seen?: string[] }).seen?.push(request.method);
      return next();
    };`,
  'app/members/+middleware.ts': `
    import { locals } from 'appkit-server';
    export default function guard(request: Request): Response | undefined {
      const cookie = request.headers.get('cookie');
      if (cookie === null) return new Response('sign in', { status: 401 });
      Object.assign(locals(), { member: cookie });
    }`,
  'app/members/me+api.ts': `
    import { locals } from 'appkit-server';
    export const GET = () => Response.json(locals());`,
  'app/hello+api.ts': `
    import { environment, origin } from 'appkit-server';
    import { next } from '../server/count.ts';
    enum Kind { Count = 'count' } // no Node runs it without a compiler
    export const GET = () => Response.json({ kind: Kind.Count, count: next(), environment: environment(), origin: origin() });
    export const POST = async (request: Request) => new Response(await request.text());`,
  'app/tasks+api.ts': `
    import { deferTask, runTask } from 'appkit-server';
    const done: string[] = [];
    export function GET(): Response { return Response.json(done); }
    export function POST(): Response {
      deferTask(async () => { await new Promise(setImmediate); done.push('deferred'); });
      runTask(async () => { await new Promise(setImmediate); done.push('run'); });
      return new Response(null, { status: 202 });
    }
    export function PUT(): Response {
      deferTask(() => { throw new Error('The mail was not sent.'); });
      return new Response(null, { status: 202 });
    }`,
  'app/broken+api.ts': "export const GET = () => { throw new Error('The database is gone.'); };",
  'app/stream+api.ts': `
    import { eventStream } from 'appkit-server/event-stream';
    export const GET = (request: Request) => eventStream(request, async function* ({ signal }) {
      try {
        yield 'first';
        await new Promise((resolve) => signal.addEventListener('abort', resolve));
      } finally {
        (globalThis as { left?: () => void }).left?.();
      }
    });`,
};

const ended: (() => PromiseLike<unknown>)[] = [];
afterEach(async () => {
  for (const end of ended.splice(0).toReversed()) await end();
});

async function testApp(files: Record<string, string> = APP, options: TestAppOptions = {}): Promise<TestApp> {
  const { folder, [Symbol.asyncDispose]: remove } = await createTemporaryApp(files);
  ended.push(remove);
  const app = await createTestApp({ app: folder, ...options });
  ended.push(() => app.close().catch(() => undefined)); // the test has already checked the rejection
  return app;
}

describe('the app of a test', () => {
  it('answers with middleware, redirects, rewrites, headers and files, without an export', async () => {
    const app = await testApp();
    const hello = await app.fetch('/hello');
    expect(await hello.json()).toEqual({ kind: 'count', count: 1, environment: 'test', origin: 'http://localhost' });
    expect([hello.headers.get('x-middleware'), hello.headers.get('x-config')]).toEqual(['yes', 'yes']);
    expect((await app.fetch('/refused')).status).toBe(403);
    const moved = await app.fetch('/old');
    expect([moved.status, moved.headers.get('location')]).toEqual([307, '/hello']);
    expect(await (await app.fetch('/alias')).json()).toMatchObject({ count: 2 });
    expect(await (await app.fetch('/robots.txt')).text()).toBe('User-agent: *\n');
    expect((await app.fetch('/nowhere')).status).toBe(404);
    expect((await app.fetch('/hello', { method: 'DELETE' })).status).toBe(405);
    const head = await app.fetch('/hello', { method: 'HEAD' });
    expect([head.status, head.body]).toEqual([200, null]);
  });

  it('accepts a path, a URL or a Request, with the options of fetch', async () => {
    const app = await testApp();
    const posted = { method: 'POST', body: 'sent' };
    expect(await (await app.fetch('/hello', posted)).text()).toBe('sent');
    expect(await (await app.fetch(new Request('http://localhost/hello', posted))).text()).toBe('sent');
    const other = await app.fetch(new URL('https://shop.example/hello'));
    expect(await other.json()).toMatchObject({ origin: 'https://shop.example' });
  });

  it('serves an app with a base, and its files, below the base', async () => {
    const app = await testApp({
      'package.json': '{ "type": "module" }',
      'app.json': '{ "web": { "base": "/shop" } }',
      'public/robots.txt': 'robots',
      'app/hello+api.ts': "export const GET = () => new Response('hello');",
    });
    const ask = async (path: string): Promise<string> => (await app.fetch(path)).text();
    expect(await Promise.all(['/shop/hello', '/shop/robots.txt'].map(ask))).toEqual(['hello', 'robots']);
    expect(await Promise.all(['/hello', '/robots.txt'].map(ask))).toEqual(['Not found', 'Not found']);
  });

  it('gives routes and loaders the variables of the process, whatever vite.config says about all of them', async () => {
    const app = await testApp({
      'package.json': '{ "type": "module" }',
      'app.json': '{ "web": { "output": "server" } }',
      'vite.config.js': `export default { define: { 'process.env': {}, 'globalThis.process.env': {}, 'process.env.KIND': '"constant"' } };`,
      'app/a+api.ts': `export const GET = () =>
        Response.json([process.env.APPKIT_TEST_SET, globalThis.process.env.APPKIT_TEST_SET, process.env.KIND]);`,
      'app/b.tsx': `import { useLoaderData } from 'appkit-router';
        export const loader = async () => ({ value: process.env.APPKIT_TEST_SET });
        export default () => <p>{useLoaderData<typeof loader>().value}</p>;`,
    });
    vi.stubEnv('APPKIT_TEST_SET', 'of the server');
    expect(await (await app.fetch('/a')).json()).toEqual(['of the server', 'of the server', 'constant']);
    expect(await (await app.fetch('/b')).text()).toContain('<p>of the server</p>');
  });

  it('takes what Node takes by the conditions of package.json', async () => {
    const imports = {
      '#bundled': { module: './lib/module.js', default: './lib/default.js' },
      '#synchronous': { 'module-sync': './lib/module-sync.js', default: './lib/default.js' },
    };
    const app = await testApp({
      'package.json': JSON.stringify({ type: 'module', imports }),
      ...Object.fromEntries(
        ['module', 'module-sync', 'default'].map((name) => [`lib/${name}.js`, `export default '${name}';`]),
      ),
      'app/a+api.ts': `import bundled from '#bundled'; import synchronous from '#synchronous';
        export const GET = () => Response.json([bundled, synchronous]);`,
    });
    expect(await (await app.fetch('/a')).json()).toEqual(['default', 'module-sync']);
  });

  it('gives routes text without a byte order mark', async () => {
    const route = `import a from '../lib/a.txt'; import b from '../lib/a.txt?raw'; import c from '../lib/c.md?raw';
      export const GET = () => Response.json([a, b, c, require('../lib/a.txt')]);`;
    const text = { 'lib/a.txt': '\uFEFFa', 'lib/c.md': '\uFEFFc' };
    const plain = await testApp({ 'package.json': '{ "type": "module" }', 'app/a+api.ts': route, ...text });
    expect(await (await plain.fetch('/a')).json()).toEqual(['a', 'a', 'c', 'a']);
  });

  it('gives routes the globals of the test', async () => {
    const app = await testApp({
      'package.json': '{ "type": "module" }',
      'app/hello+api.ts': "export const GET = () => fetch('https://elsewhere.example/');",
    });
    vi.stubGlobal('fetch', async (url: string) => new Response(`from ${url}`));
    expect(await (await app.fetch('/hello')).text()).toBe('from https://elsewhere.example/');
  });

  it('runs the middleware of folders, and passes on what it sets', async () => {
    const app = await testApp();
    expect((await app.fetch('/members/me')).status).toBe(401);
    const me = await app.fetch('/members/me', { headers: { cookie: 'name=Ada' } });
    expect(await me.json()).toEqual({ member: 'name=Ada' });
  });

  it('runs the instrumentation around each request', async () => {
    const seen: string[] = [];
    Object.assign(globalThis, { seen });
    ended.push(async () => delete (globalThis as { seen?: string[] }).seen);
    const app = await testApp();
    await app.fetch('/hello');
    expect(seen).toEqual(['GET']);
  });

  it('gives the app its environment and its origins', async () => {
    const app = await testApp(APP, { environment: 'staging', origins: ['https://a.example'] });
    const ask = async (origin: string): Promise<unknown> => (await app.fetch('/hello', { headers: { origin } })).json();
    expect(await ask('https://a.example')).toMatchObject({ environment: 'staging', origin: 'https://a.example' });
    expect(await ask('https://b.example')).toMatchObject({ origin: 'http://localhost' });
  });

  it('waits for tasks on request', async () => {
    const app = await testApp();
    expect((await app.fetch('/tasks', { method: 'POST' })).status).toBe(202);
    await app.settled();
    expect(await (await app.fetch('/tasks')).json()).toEqual(expect.arrayContaining(['run', 'deferred']));
  });

  it('runs jobs with the given engine, until it is closed', async () => {
    const files = {
      'app/mail+job.ts': `
        import { defineJob } from 'appkit-server/jobs';
        export default defineJob({ run: (_input, { signal }) => new Promise((resolve) => signal.addEventListener('abort', resolve)) });`,
      'app/send+api.ts': `
        import { enqueue } from 'appkit-server/jobs';
        import mail from './mail+job.ts';
        export const POST = async () => Response.json(await enqueue(mail), { status: 202 });`,
    };
    const jobs = createSqliteJobs({ file: ':memory:' });
    const app = await testApp({ ...APP, ...files }, { jobs });
    for (const running of [1, 2]) {
      expect((await app.fetch('/send', { method: 'POST' })).status).toBe(202);
      await vi.waitFor(() => expect(jobs.count()).toEqual([{ job: 'mail', state: 'running', count: running }]));
      await app.settled();
    }
    await app.close();
    expect(jobs.count()).toEqual([{ job: 'mail', state: 'done', count: 2 }]);
    await jobs.close();
    const without = await testApp({ ...APP, ...files });
    await expect(without.fetch('/send', { method: 'POST' })).rejects.toMatchObject({ code: 'ERR_JOBS_UNAVAILABLE' });
  });

  it('rejects with the error that no route handled', async () => {
    const app = await testApp();
    const error: unknown = await app.fetch('/broken').catch((error: unknown) => error);
    expect(error).toEqual(new Error('The database is gone.'));
    expect((error as Error).stack).toContain('app/broken+api.ts:1:');
    await app.settled(); // it is told once
  });

  it('maps the error of a required module to its source', async () => {
    const app = await testApp({
      ...APP,
      'app/broken+api.ts': "const { fail } = require('../server/fail.cts');\nexport const GET = () => fail();",
      'server/fail.cts': 'interface Failing {\n  a: string;\n}\nexports.fail = (): Failing => { throw new Error(); };',
    });
    const error: unknown = await app.fetch('/broken').catch((error: unknown) => error);
    expect((error as Error).stack).toMatch(/server\/fail\.cts\S*:4:/);
  });

  it('rejects with the error of a task that it waited for', async () => {
    const app = await testApp();
    await app.fetch('/tasks', { method: 'PUT' });
    await expect(app.settled()).rejects.toThrow('The mail was not sent.');
  });

  it('rejects on close with the error of a task that the test did not wait for', async () => {
    const app = await testApp();
    await app.fetch('/tasks', { method: 'PUT' });
    const error: unknown = await app.close().catch((error: unknown) => error);
    expect(error).toEqual(new Error('The mail was not sent.'));
    expect((error as Error).stack).toContain('app/tasks+api.ts:11:');
    await app.close(); // it is told once
  });

  it('answers as a client would see it when errors go to onError', async () => {
    const errors: unknown[] = [];
    const app = await testApp(APP, { onError: (error, { url }) => void errors.push([url, error]) });
    const broken = await app.fetch('/broken');
    expect([broken.status, await broken.text()]).toEqual([500, 'Internal server error']);
    expect(errors).toEqual([['http://localhost/broken', new Error('The database is gone.')]]);
  });

  it("imports the same modules as the app's routes, separately for each app", async () => {
    const app = await testApp();
    const { next } = await app.import<{ next(): number }>('server/count.ts');
    expect(next()).toBe(1);
    expect(await (await app.fetch('/hello')).json()).toMatchObject({ count: 2 });
    const other = await testApp();
    expect(await (await other.fetch('/hello')).json()).toMatchObject({ count: 1 });
  });

  it('ends with the signal of the caller, as fetch does', async () => {
    const left = new EventTarget();
    const isLeft = once(left, 'left');
    Object.assign(globalThis, { left: () => left.dispatchEvent(new Event('left')) });
    ended.push(async () => delete (globalThis as { left?: unknown }).left);
    const app = await testApp({
      ...APP,
      'app/slow+api.ts': 'export const GET = () => new Promise(() => undefined);',
      'app/endless+api.ts': `
        const pull = (controller: ReadableStreamDefaultController) => controller.enqueue(new Uint8Array(1));
        const cancel = () => (globalThis as { left?: () => void }).left?.();
        export const GET = () => new Response(new ReadableStream({ pull, cancel }));`,
    });
    await expect(app.fetch('/hello', { signal: AbortSignal.abort('before') })).rejects.toBe('before');
    const slow = new AbortController();
    const answer = app.fetch('/slow', { signal: slow.signal });
    slow.abort('meanwhile');
    await expect(answer).rejects.toBe('meanwhile');
    const endless = new AbortController();
    const reader = (await app.fetch('/endless', { signal: endless.signal })).body?.getReader();
    expect((await reader?.read())?.value).toHaveLength(1);
    endless.abort('while it reads');
    await expect(reader?.closed).rejects.toBe('while it reads');
    await isLeft;
    expect(await (await app.fetch('/hello', { signal: new AbortController().signal })).json()).toMatchObject({
      count: 1,
    });
  });

  it('ends open streams when it is closed', async () => {
    const left = new EventTarget();
    const isLeft = once(left, 'left');
    Object.assign(globalThis, { left: () => left.dispatchEvent(new Event('left')) });
    ended.push(async () => delete (globalThis as { left?: unknown }).left);
    const app = await testApp();
    const { body } = await app.fetch('/stream');
    const reader = body?.pipeThrough(new TextDecoderStream()).getReader();
    let text = '';
    while (!text.includes('first')) text += (await reader?.read())?.value ?? '';
    await app.close();
    await isLeft;
  });

  it('refuses an app that cannot be exported, and says why', async () => {
    const files = { ...APP, 'app/hello.get+api.web.ts': 'export const GET = () => new Response();' };
    await expect(testApp(files)).rejects.toThrow(/hello\.get\+api\.web\.ts/);
  });

  it('says that Jest cannot run an app, with the failure as the cause', async () => {
    await using app = await createTemporaryApp({ 'package.json': '{}' });
    await rm(path.join(app.folder, 'node_modules'));
    const sources = path.join(app.folder, 'node_modules/appkit-cli');
    await mkdir(sources, { recursive: true });
    // As Vite fails there.
    await writeFile(path.join(sources, 'sources.js'), "throw new Error('Value is none of these types');");
    await writeFile(path.join(sources, 'package.json'), '{ "exports": { "./sources": "./sources.js" } }');
    const call = (): Promise<TestApp> => createTestApp({ app: app.folder });
    await expect(call()).rejects.toThrow(/^Value is none/);
    vi.stubEnv('JEST_WORKER_ID', '1');
    await expect(call()).rejects.toMatchObject({
      code: 'ERR_TEST_APP',
      message: expect.stringContaining('Use vitest, node:test or bun test'),
      cause: { message: 'Value is none of these types' },
    });
  });

  it('says which package is not installed', async () => {
    await expect(createTestApp({ app: '/' })).rejects.toThrow(
      '/ does not have appkit-cli, whose Vite runs the sources of an app. ' +
        'Add it to the package.json there, with vite, as a new app has both, or give the folder of the app by the option app.',
    );
    const { folder, [Symbol.asyncDispose]: remove } = await createTemporaryApp(APP);
    ended.push(remove);
    const modules = path.join(folder, 'node_modules');
    const cli = await realpath(path.join(modules, 'appkit-cli'));
    await rm(modules);
    await mkdir(modules);
    await symlink(cli, path.join(modules, 'appkit-cli'), 'junction');
    await expect(createTestApp({ app: folder })).rejects.toThrow(
      'createTestApp() needs Vite, which is not installed. Install it in the folder of the app: npm install --save-dev vite@8',
    );
  });
});

describe('the pages of the app of a test', () => {
  it('are rendered with their loaders and actions, as hosts answer them', async () => {
    const app = await testApp({
      'package.json': '{ "type": "module" }',
      'app.json': '{ "web": { "output": "server" } }',
      'app/index.tsx': `
        import { useLoaderData } from 'appkit-router';
        let name = 'Ada';
        export const loader = () => ({ name });
        export async function action(request: Request) {
          name = String((await request.formData()).get('name'));
          return { ok: true };
        }
        export default function Home() {
          return <h1>Hello, {useLoaderData<typeof loader>().name}</h1>;
        }`,
      'app/broken.tsx': `
        export const loader = () => { throw new Error('The database is gone.'); };
        export default () => <p>never</p>;`,
    });
    const html = { accept: 'text/html' };
    expect(await (await app.fetch('/', { headers: html })).text()).toContain('<h1>Hello, <!-- -->Ada</h1>');
    const sent = await app.fetch('/', { method: 'POST', body: new URLSearchParams({ name: 'Grace' }), headers: html });
    expect(await sent.text()).toContain('Hello, <!-- -->Grace');
    const missing = await app.fetch('/nowhere', { headers: html });
    expect([missing.status, missing.headers.get('content-type')]).toEqual([404, 'text/html; charset=utf-8']);
    await expect(app.fetch('/broken', { headers: html })).rejects.toThrow('The database is gone.');
  });
});
