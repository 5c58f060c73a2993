import { rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findPostgres, startPostgres } from '../../../adapters/_postgres/postgres-server.cases.ts';
import { installLocked } from '../../../conformance/install-locked.ts';
import { runCli, startDev } from '../fixtures/cli-process.ts';
import type { ServeProcess } from '../fixtures/cli-process.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';

const REPOSITORY = path.resolve(import.meta.dirname, '../../..');

const programs = findPostgres();

/** A job that only the host can load. The word `release` makes a job that waits end. */
const toMail = (version: number): string => `
    import { existsSync } from 'node:fs';
    import { defineJob } from 'appkit-server/jobs';
    import { z } from 'zod';
    if (navigator.userAgent.startsWith('Node')) throw new Error('Node has loaded what only the host can.');
    const stops = (signal: AbortSignal) =>
      new Promise((_, reject) => signal.addEventListener('abort', () => reject(signal.reason)));
    const exists = async (file: string) => {
      while (!existsSync(file)) await new Promise((resolve) => setTimeout(resolve, 5));
    };
    export default defineJob({
      input: z.object({ to: z.string(), wait: z.string().optional() }),
      retry: { attempts: 1 },
      schedule: { cron: '0 8 1 1 *', timeZone: 'Europe/Berlin', input: { to: 'all' } },
      async run({ to, wait }, { signal }) {
        if (to === 'nobody') throw new TypeError('no such address');
        console.log(\`mail to \${to} begins\`);
        // A line that has no end yet, as of a progress.
        if (wait) process.stdout.write('.');
        if (wait) await Promise.race([stops(signal), exists(wait)]);
        console.log(\`mail to \${to} from \${navigator.userAgent}, version ${version}\`);
      },
    });`;

const FILES = {
  'package.json': '{ "name": "mailer", "type": "module" }',
  'app.json': '{ "web": { "output": "server" }, "plugins": ["appkit-router"] }',
  'app/mail+job.ts': toMail(0),
  'app/exit+job.ts': `
    import { defineJob, enqueue } from 'appkit-server/jobs';
    import mail from './mail+job.ts';
    export default defineJob({
      async run() {
        await enqueue(mail, { to: 'lise' });
        process.exit(4);
      },
    });`,
  'app/mail+api.ts': `
    import { enqueue } from 'appkit-server/jobs';
    import mail from './mail+job.ts';
    export const POST = async (request: Request) => Response.json(await enqueue(mail, await request.json()));`,
};

/** A page whose loader only Vite can bundle, and its job. */
const IN_NODE = {
  'app/note+job.ts': `
    import { defineJob } from 'appkit-server/jobs';
    export default defineJob({ run: (text) => console.log(\`note \${text} from \${navigator.userAgent}\`) });`,
  'app/noted.tsx': `
    import { enqueue } from 'appkit-server/jobs';
    import note from './note+job.ts';
    export async function loader() {
      await enqueue(note, \`\${Object.keys(import.meta.glob('./*+job.ts')).length} in \${navigator.userAgent}\`);
      return null;
    }
    export default function Page() { return <p>noted</p>; }`,
};

interface Stored {
  id: string;
  state: string;
  attempt: number;
}

async function startIn(host: 'bun' | 'deno', app: TemporaryApp, env: object = {}): Promise<ServeProcess> {
  const tools = path.join(REPOSITORY, '.cache/tools/deno/tools');
  if (host === 'deno') await installLocked(path.join(REPOSITORY, 'adapters/deno/tools'), tools);
  const PATH = [path.join(tools, 'node_modules/.bin'), process.env['PATH']].join(path.delimiter);
  return startDev(['--host', host], { cwd: app.folder, env: { PATH, ...env } });
}

describe.each([
  ['bun', 'Bun/1'],
  ['deno', 'Deno/2'],
] as const)('the jobs of start --host %s', (host, agent) => {
  let app: TemporaryApp;
  let dev: ServeProcess;

  beforeAll(async () => {
    app = await createTemporaryApp(FILES);
    dev = await startIn(host, app);
  });

  afterAll(async () => {
    await dev[Symbol.asyncDispose]();
    await app[Symbol.asyncDispose]();
  });

  const send = async (input: object): Promise<string> => {
    const response = await fetch(`${dev.url}/mail`, { method: 'POST', body: JSON.stringify(input) });
    return ((await response.json()) as Stored).id;
  };
  const show = async (id: string, env: Record<string, string> = {}): Promise<unknown> =>
    JSON.parse((await runCli(['jobs', 'show', id], { cwd: app.folder, env })).stdout);
  const save = async (version: number | string): Promise<void> => {
    const saved = path.join(app.folder, '.appkit/saved');
    await writeFile(saved, typeof version === 'string' ? version : toMail(version));
    await rename(saved, path.join(app.folder, 'app/mail+job.ts'));
  };
  const act = (fields: Record<string, string>): Promise<Response> =>
    fetch(`${dev.url}/_appkit/dev/jobs`, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin: dev.url },
      redirect: 'manual',
    });

  it('run there, and are stored where those of start are', async () => {
    const id = await send({ to: 'ada' });
    await dev.printed(new RegExp(`^mail to ada from ${agent}.*, version 0$`));
    await expect.poll(() => show(id)).toMatchObject({ state: 'done', attempt: 1 });
    expect(dev.lines).toContain(`Jobs at ${dev.url}/_appkit/dev/jobs`);
  });

  it('are shown and run by the page, with their schema and schedule, though Node cannot load them', async () => {
    const html = await (await fetch(`${dev.url}/_appkit/dev/jobs`)).text();
    expect(html).toContain('0 8 1 1 * in Europe/Berlin');
    expect(html).not.toContain('cannot be loaded');
    const refused = await act({ action: 'run', job: 'mail', input: '{"to":7}' });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('The job mail does not accept this input. #/to: '),
    ]);
    expect((await act({ action: 'run', job: 'mail', input: '{"to":"grace"}' })).status).toBe(303);
    await dev.printed(new RegExp(`^mail to grace from ${agent}`));
  });

  it('are reported with the place in the sources when they fail, and run again by the page', async () => {
    const id = await send({ to: 'nobody' });
    await expect
      .poll(dev.errors)
      .toMatch(/^error: The job mail failed\.\n  TypeError: no such address\n[^]*app\/mail\+job\.ts:16:/);
    await expect.poll(() => show(id)).toMatchObject({ state: 'dead' });
    expect((await act({ action: 'retry', id })).status).toBe(303);
    await expect.poll(() => dev.errors().split('no such address').length).toBeGreaterThan(3);
    await expect.poll(() => show(id)).toMatchObject({ state: 'dead' });
  });

  it('end in the code that they have begun with when it changes, and run once, the next in the new code', async () => {
    const release = path.join(app.folder, '.appkit/release');
    const id = await send({ to: 'hedy', wait: release });
    await dev.printed(/^mail to hedy begins$/);
    await save(1);
    await dev.printed(/ reloaded the routes, in .*mail\+job\.ts changed/);
    const next = await send({ to: 'rosa' });
    await dev.printed(new RegExp(`^mail to rosa from ${agent}.*, version 1$`));
    await writeFile(release, '');
    await dev.printed(new RegExp(`^mail to hedy from ${agent}.*, version 0$`));
    await expect.poll(() => show(id)).toMatchObject({ state: 'done', attempt: 1 });
    await expect.poll(() => show(next)).toMatchObject({ state: 'done', attempt: 1 });
    expect(dev.lines.filter((line) => line === 'mail to hedy begins')).toHaveLength(1);
  });

  it('wait while the app cannot be bundled', async () => {
    await save('export default defineJob({ run( });');
    await expect.poll(async () => (await fetch(`${dev.url}/mail`, { method: 'POST' })).status).toBe(500);
    await expect.poll(dev.errors).toContain(`The routes cannot run in ${host}.`);
    const html = await (await fetch(`${dev.url}/_appkit/dev/jobs`)).text();
    expect(html).toMatch(/<h3>mail [^]*It cannot be loaded: /);
    await save(2);
    await expect.poll(async () => (await fetch(`${dev.url}/mail`)).status).toBe(405);
    await send({ to: 'emmy' });
    await dev.printed(new RegExp(`^mail to emmy from ${agent}.*, version 2$`));
  });

  it('go on without a request after one of them has ended the process', async () => {
    // The answer may be lost.
    await act({ action: 'run', job: 'exit', input: '' }).catch(() => undefined);
    await dev.printed(new RegExp(`^mail to lise from ${agent}`));
  });

  it('are stored by a loader that runs in Node, and run in the host', async () => {
    for (const [name, content] of Object.entries(IN_NODE)) await writeFile(path.join(app.folder, name), content);
    await expect.poll(async () => (await fetch(`${dev.url}/noted`)).status).toBe(200);
    await dev.printed(new RegExp(`^note 3 in Node\\.js/.* from ${agent}`));
    await rm(path.join(app.folder, 'app/noted.tsx'));
    await expect.poll(async () => (await fetch(`${dev.url}/noted`)).status).toBe(404);
  });

  it('are given back when Ctrl-C is pressed', async () => {
    const id = await send({ to: 'maria', wait: path.join(app.folder, '.appkit/never') });
    await dev.printed(/^mail to maria begins$/);
    dev.signal('SIGINT');
    expect((await dev.exited).code).toBe(0);
    expect(await show(id)).toMatchObject({ state: 'waiting', attempt: 0 });
  });

  it.runIf(programs)('are stored and run in the same way in PostgreSQL', async () => {
    const server = await startPostgres(programs ?? '');
    const env = { DATABASE_URL: server.url };
    const release = path.join(app.folder, '.appkit/release-too');
    try {
      dev = await startIn(host, app, env);
      const id = await send({ to: 'hedy', wait: release });
      await dev.printed(/^mail to hedy begins$/);
      await save(3);
      await dev.printed(/ reloaded the routes, in .*mail\+job\.ts changed/);
      await send({ to: 'rosa' });
      await dev.printed(new RegExp(`^mail to rosa from ${agent}.*, version 3$`));
      await writeFile(release, '');
      await dev.printed(new RegExp(`^mail to hedy from ${agent}.*, version 2$`));
      await expect.poll(() => show(id, env)).toMatchObject({ state: 'done', attempt: 1 });
      expect(await (await fetch(`${dev.url}/_appkit/dev/jobs`)).text()).toContain('PostgreSQL at ');
      const cut = await send({ to: 'maria', wait: path.join(app.folder, '.appkit/never') });
      await dev.printed(/^mail to maria begins$/);
      dev.signal('SIGINT');
      expect((await dev.exited).code).toBe(0);
      expect(await show(cut, env)).toMatchObject({ state: 'waiting', attempt: 0 });
    } finally {
      await dev[Symbol.asyncDispose]();
      await server.stop();
    }
  });
});

it('loads no engine for an app without jobs, and one when the first job is added', async () => {
  await using app = await createTemporaryApp({
    ...FILES,
    'app/hello+api.ts': 'export const GET = () => new Response();',
  });
  const ofJobs = ['app/mail+job.ts', 'app/mail+api.ts', 'app/exit+job.ts'] as const;
  await Promise.all(ofJobs.map((file) => rm(path.join(app.folder, file))));
  await using dev = await startIn('bun', app);
  expect((await fetch(`${dev.url}/hello`)).status).toBe(200);
  expect((await runCli(['jobs', 'list'], { cwd: app.folder })).stderr).toContain('no job has been stored here');
  for (const file of ofJobs) await writeFile(path.join(app.folder, file), FILES[file]);
  await expect.poll(async () => (await fetch(`${dev.url}/mail`)).status).toBe(405);
  await fetch(`${dev.url}/mail`, { method: 'POST', body: '{"to":"ada"}' });
  await dev.printed(/^mail to ada from Bun/);
});
