import { once } from 'node:events';
import { mkdir, rm, symlink, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { Validator } from '@seriousme/openapi-schema-validator';
import { expect, it, onTestFinished, vi } from 'vitest';
import { startBrowser } from '../../../auth/fixtures/browser.ts';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';
import { createDevServer } from './dev-server.ts';
import { createReporter } from './report.ts';

const FILES = {
  'package.json': '{ "name": "shop", "version": "1.2.3", "type": "module" }',
  'app/notes+api.ts': `
    import { contract } from 'appkit-server/contract';
    import { z } from 'zod';
    const body = z.object({ title: z.string() });
    export const POST = contract({ summary: 'Add a note', input: { body } }, () => new Response());`,
  'app/broken+api.ts': 'export const GET = () => new Response(); throw new Error("no database");',
};

async function createApp(files: Record<string, string> = {}): Promise<TemporaryApp> {
  const app = await createTemporaryApp({ ...FILES, ...files });
  onTestFinished(() => app[Symbol.asyncDispose]());
  return app;
}

/** The URL of a development server for an app, until the test ends. */
async function develop(app: TemporaryApp): Promise<string> {
  const reporter = createReporter(app.folder);
  const { server, close } = await createDevServer({
    projectRoot: app.folder,
    host: 'localhost',
    reporter,
    quiet: true,
  });
  onTestFinished(close);
  server.listen(0, 'localhost');
  await once(server, 'listening');
  return `http://localhost:${(server.address() as AddressInfo).port}`;
}

it('serves an OpenAPI document of the routes as they are saved', async () => {
  const app = await createApp();
  const url = await develop(app);
  const read = async (): Promise<Record<string, unknown>> =>
    (await (await fetch(`${url}/_appkit/dev/api.json`)).json()) as Record<string, unknown>;
  const document = await read();
  expect(await new Validator().validate(structuredClone(document))).toEqual({ valid: true });
  expect(document).toMatchObject({
    info: { title: 'shop', version: '1.2.3' },
    paths: {
      '/notes': { post: { summary: 'Add a note', requestBody: { required: true } } },
      '/broken': { description: 'It cannot be loaded: no database', get: {} },
    },
  });

  await writeFile(path.join(app.folder, 'app/more+api.ts'), 'export const PUT = () => new Response();');
  await vi.waitFor(async () => expect(await read()).toMatchObject({ paths: { '/more': { put: {} } } }), {
    timeout: 60_000,
  });
});

it('describes an app with a base path, and how its callers authenticate', async () => {
  const securitySchemes = { bearer: { type: 'http', scheme: 'bearer' } };
  const plugins = [['appkit-router', { origin: 'https://shop.example', securitySchemes }]];
  const app = await createApp({
    'app.json': JSON.stringify({ web: { output: 'server', base: '/shop' }, plugins }),
  });
  const url = await develop(app);
  const document = (await (await fetch(`${url}/_appkit/dev/api.json`)).json()) as { servers: { url: string }[] };
  expect(document.servers).toEqual([{ url: '/shop' }]);
  expect(document).toMatchObject({ components: { securitySchemes } });
  const sent = await fetch(`${url}${document.servers[0]?.url}/notes`, { method: 'POST' });
  expect(sent.headers.get('content-type')).toBe('application/problem+json');
});

it('says what to install when Swagger UI is missing', async () => {
  const app = await createApp();
  // Only what the server needs, as in an app of its own.
  await rm(path.join(app.folder, 'node_modules'));
  await mkdir(path.join(app.folder, 'node_modules'));
  for (const name of ['vite', 'appkit-server', 'zod']) {
    const from = path.join(import.meta.dirname, '../../../node_modules', name);
    await symlink(from, path.join(app.folder, 'node_modules', name), 'junction');
  }
  const url = await develop(app);
  const response = await fetch(`${url}/_appkit/dev/api`);
  expect(response.status).toBe(404);
  expect(await response.text()).toContain('npm install --save-dev --ignore-scripts swagger-ui-dist@5');
  expect((await fetch(`${url}/_appkit/dev/api.json`)).status).toBe(200);
});

it('draws the page in a browser, and serves no other files of the package', async () => {
  const app = await createApp();
  const url = await develop(app);
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const page = await browser.newPage();
  const failed: string[] = [];
  page.on('pageerror', (error) => failed.push(String(error)));
  const hosts = new Set<string>();
  page.on('request', (request) => hosts.add(new URL(request.url()).host));
  await page.goto(`${url}/_appkit/dev/api`);
  await page.getByText('Add a note').waitFor();
  expect(failed).toEqual([]);
  // Neither fonts nor a third-party validator.
  expect([...hosts].filter((host) => host !== '')).toEqual([new URL(url).host]);
  for (const name of ['package.json', '../package.json', '..%2fpackage.json', 'index.html']) {
    expect((await fetch(`${url}/_appkit/dev/api/${name}`)).status).toBe(404);
  }
});
