import { once } from 'node:events';
import { rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { findPostgres, HOW_TO_INSTALL, startPostgres } from '../../../adapters/_postgres/postgres-server.cases.ts';
import type { PostgresServer } from '../../../adapters/_postgres/postgres-server.cases.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';
import { createDevServer } from './dev-server.ts';
import type { DevServer } from './dev-server.ts';
import { createReporter } from './report.ts';

const FILES = {
  'package.json': '{ "name": "mailer", "type": "module" }',
  'app.json': '{ "web": { "output": "server" } }',
  // It answers every request of the app, but none for the jobs page.
  'app/+middleware.ts': "export default () => new Response('of the app');",
  'app/mail+job.ts': `
    import { defineJob } from 'appkit-server/jobs';
    import { z } from 'zod';
    export default defineJob({
      input: z.object({ to: z.string() }),
      retry: { attempts: 1 },
      schedule: { cron: '0 8 1 1 *', timeZone: 'Europe/Berlin', input: { to: 'all' } },
      run({ to }) {
        if (to.startsWith('<')) throw new Error('no address: ' + to);
      },
    });`,
  'app/broken+job.ts': `
    import { defineJob } from 'appkit-server/jobs';
    throw new Error('no key <in> the environment');
    export default defineJob({ run() {} });`,
};

const programs = findPostgres();
if (!programs) console.warn(`${HOW_TO_INSTALL} Without it, the page is not tested with it.`);

it.runIf(process.env['CI'])('has a PostgreSQL to be tested with', () => {
  expect(programs, HOW_TO_INSTALL).toBeDefined();
});

describe.each([
  { engine: 'SQLite', place: /jobs\.sqlite/ },
  ...(programs ? [{ engine: 'PostgreSQL', place: /PostgreSQL at / }] : []),
])('the page of jobs in $engine', ({ engine, place }) => {
  let app: TemporaryApp;
  let postgres: PostgresServer | undefined;
  let dev: DevServer;
  let origin: string;
  let url: string;

  beforeAll(async () => {
    if (engine === 'PostgreSQL' && programs) {
      postgres = await startPostgres(programs);
      // A stub would be gone after the first test.
      process.env['DATABASE_URL'] = postgres.url;
    }
    vi.spyOn(console, 'error').mockReturnValue(); // the failures here are intended
    app = await createTemporaryApp(FILES);
    const reporter = createReporter(app.folder);
    dev = await createDevServer({ projectRoot: app.folder, host: 'localhost', reporter, quiet: true });
    dev.server.listen(0, 'localhost');
    await once(dev.server, 'listening');
    origin = `http://localhost:${(dev.server.address() as AddressInfo).port}`;
    url = `${origin}/_appkit/dev/jobs`;
  });

  afterAll(async () => {
    await dev?.close();
    await dev?.app.jobs?.engine.close();
    await app?.[Symbol.asyncDispose]();
    await postgres?.stop();
    delete process.env['DATABASE_URL'];
    vi.restoreAllMocks();
  });

  const read = async (query = ''): Promise<string> => (await fetch(url + query)).text();
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}): Promise<Response> =>
    fetch(url, {
      method: 'POST',
      body: new URLSearchParams(fields),
      headers: { origin, ...headers },
      redirect: 'manual',
    });
  const count = async (): Promise<number> => (await dev.app.jobs?.engine.list())?.length ?? 0;

  /** Runs the mail job, waits until it is in the given state, and returns its id. */
  async function run(to: string, state: string): Promise<string> {
    const { status, headers } = await send({ action: 'run', job: 'mail', input: JSON.stringify({ to }) });
    expect(status).toBe(303);
    const id = /#(.+)$/.exec(headers.get('location') ?? '')?.[1] ?? '';
    await vi.waitFor(async () => expect(await dev.app.jobs?.engine.get(id)).toMatchObject({ state }), {
      timeout: 60_000,
    });
    return id;
  }

  it('shows each job with its file and schedule, even one that cannot be loaded, without running the middleware', async () => {
    const html = await read();
    expect(html).toMatch(/<h3>mail <span[^>]*>app\/mail\+job\.ts</);
    expect(html).toContain('0 8 1 1 * in Europe/Berlin');
    expect(html).toContain('It cannot be loaded: no key &#60;in&#62; the environment');
    expect(html).toMatch(place);
    expect(await (await fetch(`${origin}/_appkit/dev/job`)).text()).toBe('of the app');
  });

  it('runs a job now, and shows it with its state, input and counts', async () => {
    const id = await run('ada', 'done');
    const html = await read(`?open=${id}`);
    expect(html).toContain(`<details id="${id}" open>`);
    expect(html).toMatch(/<b class="done">done<\/b> mail <span class="dim">1 attempt, /);
    expect(html).toContain('&#34;to&#34;: &#34;ada&#34;');
    expect(html).toMatch(/<span>1 done<\/span>/);
  });

  it('shows an input and an error literally, and runs no script in them', async () => {
    const script = '<script>alert(1)</script>';
    const id = await run(script, 'dead');
    const response = await fetch(`${url}?state=dead`);
    const html = await response.text();
    expect(html).toContain('no address: &#60;script&#62;');
    expect(html).toContain('&#34;&#60;script&#62;alert(1)');
    expect(html).not.toContain('<script');
    expect(response.headers.get('content-security-policy')).toMatch(/^default-src 'none'.*frame-ancestors 'none'/);
    const typed = await (await send({ action: 'run', job: 'mail', input: `</textarea>${script}` })).text();
    expect(typed).toContain('&#60;/textarea&#62;&#60;script&#62;');
    expect(typed).not.toContain('<script');
    await dev.app.jobs?.engine.discard(id);
  });

  it("refuses an input that the schema does not accept, with the schema's message, and keeps the typed text", async () => {
    const before = await count();
    const response = await send({ action: 'run', job: 'mail', input: '{"to":7}' });
    const html = await response.text();
    expect(response.status).toBe(422);
    expect(html).toContain('The job mail does not accept this input. #/to: ');
    expect(html).toMatch(/<textarea[^>]*>\n\{&#34;to&#34;:7\}<\/textarea>/);
    const noJson = await (await send({ action: 'run', job: 'mail', input: 'ada' })).text();
    expect(noJson).toMatch(/The input is no JSON: .* A text has quotes/);
    const broken = await (await send({ action: 'run', job: 'broken', input: '' })).text();
    expect(broken).toContain('no key &#60;in&#62; the environment');
    expect(await (await send({ action: 'run', job: 'none' })).text()).toContain('The app has no job none');
    expect(await count()).toBe(before);
  });

  it('retries and discards a single job, or says why it cannot', async () => {
    const id = await run('<ada', 'dead');
    expect((await send({ action: 'retry', id })).status).toBe(303);
    const isTriedAgain = async (): Promise<void> =>
      expect(await dev.app.jobs?.engine.get(id)).toMatchObject({ state: 'dead', attempt: 1 });
    await vi.waitFor(isTriedAgain, { timeout: 60_000 });
    expect((await send({ action: 'discard', id })).headers.get('location')).toBe('/_appkit/dev/jobs');
    expect(await read()).not.toContain(id);
    expect(await (await send({ action: 'retry', id })).text()).toContain(`There is no job with the id ${id} any more.`);
    const done = await run('grace', 'done');
    const refused = await send({ action: 'retry', id: done });
    expect([refused.status, await refused.text()]).toEqual([
      422,
      expect.stringContaining('A job that is done cannot be run again.'),
    ]);
  });

  it('changes nothing for a page of another site, or without an origin', async () => {
    const id = await run('hedy', 'done');
    const before = await count();
    const forged = [
      { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' },
      { origin: 'https://evil.example' },
      // Another port of this machine, and a page that hides its origin.
      { origin: 'http://localhost:1', 'sec-fetch-site': 'same-site' },
      { origin: 'null' },
    ];
    for (const headers of forged) {
      for (const fields of [
        { action: 'run', job: 'mail', input: '{"to":"eve"}' },
        { action: 'discard', id },
      ]) {
        const { status } = await send(fields, headers);
        expect([headers, status]).toEqual([headers, 403]);
      }
    }
    const nobody = await fetch(url, { method: 'POST', body: new URLSearchParams({ action: 'discard', id }) });
    expect(nobody.status).toBe(403);
    // The same actions by GET.
    expect((await fetch(`${url}?action=discard&id=${id}`)).status).toBe(200);
    expect((await fetch(url, { method: 'DELETE' })).status).toBe(405);
    expect(await count()).toBe(before);
  });

  it('answers to local names only', async () => {
    const rebound = request(url, { headers: { host: 'evil.example' } }).end();
    const [response] = (await once(rebound, 'response')) as [{ statusCode: number; resume(): void }];
    response.resume();
    expect(response.statusCode).toBe(403);
  });

  it.runIf(engine === 'PostgreSQL')('says so while PostgreSQL is away', async () => {
    await postgres?.crash();
    const away = await fetch(url);
    const html = await away.text();
    expect([away.status, html]).toEqual([503, expect.stringContaining('The jobs cannot be read: ')]);
    expect(html).not.toContain('stores no jobs');
    const refused = await send({ action: 'run', job: 'mail', input: '{"to":"ada"}' });
    expect(refused.status).toBe(503);
    await postgres?.start();
    await vi.waitFor(async () => expect((await fetch(url)).status).toBe(200), { timeout: 60_000 });
  });

  it('shows the jobs of a removed file', async () => {
    await run('lost', 'done');
    const file = path.join(app.folder, 'app/mail+job.ts');
    await rm(file);
    await vi.waitFor(async () => expect(await read()).toContain('The app has no file for it.'), { timeout: 60_000 });
    await writeFile(file, FILES['app/mail+job.ts']);
    await vi.waitFor(async () => expect(await read()).not.toContain('has no file for it'), { timeout: 60_000 });
  });
});

it('says how to add a job to an app without jobs', async () => {
  await using app = await createTemporaryApp({
    'package.json': '{ "name": "shop", "type": "module" }',
    'app.json': '{ "web": { "output": "server" } }',
    'app/a+api.ts': 'export const GET = () => new Response();',
  });
  const reporter = createReporter(app.folder);
  const dev = await createDevServer({ projectRoot: app.folder, host: 'localhost', reporter, quiet: true });
  dev.server.listen(0, 'localhost');
  await once(dev.server, 'listening');
  const { port } = dev.server.address() as AddressInfo;
  const html = await (await fetch(`http://localhost:${port}/_appkit/dev/jobs`)).text();
  await dev.close();
  expect(html).toContain('This app has no jobs. A file such as app/mail+job.ts is one.');
  expect(html).not.toContain('another host');
});
