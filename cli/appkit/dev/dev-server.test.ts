import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createSiteDevelopment } from 'appkit-build/development';
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../fixtures/temporary-app.ts';
import { createDevServer } from './dev-server.ts';
import type { DevServer } from './dev-server.ts';
import { createReporter } from './report.ts';
import type { DevSite } from './site.ts';

// A site's pages become part of the server build, and only its browser code is served. No real page is needed for that.
const site: DevSite = {
  plugins: [],
  config: {},
  configFiles: [],
  entry: 'pages/page.ts',
  refresh: () => undefined,
  describe: async ({ modules }) => ({
    manifest: { pages: [{ pattern: '/page', file: 'pages/page' }] },
    modules: { 'pages/page': () => modules.load('pages/page.ts') },
    hosted: {},
  }),
};

/** A page without its loader was read by such a query. */
const VIEW_QUERIES = ['?appkit-view', '?appkit-view&lang.ts', '?appkit-view&lang.txt', '?raw&appkit-view&lang.txt'];

describe('a development server with a site', () => {
  let app: TemporaryApp;
  let outside: string;
  let dev: DevServer;
  let url: string;

  beforeAll(async () => {
    app = await createTemporaryApp({
      'package.json': '{ "type": "module" }',
      '.env': 'SECRET=in-dot-env',
      '.env.local': 'SECRET=in-dot-env',
      'key.pem': 'in-a-key',
      'app/+middleware.ts': 'export default () => undefined; // secret',
      'app/secret+api.ts': "export const GET = () => new Response('answer'); // secret",
      'app/notes+api.ts': "export const GET = () => Response.json(Object.keys(import.meta.glob('../notes/*.md')));",
      'notes/a.md': '',
      'pages/page.ts': "export const GET = () => new Response('page');",
      'client.ts': 'export const client: string = `in the browser`;',
    });
    outside = await mkdtemp(path.join(tmpdir(), 'appkit-outside-'));
    await writeFile(path.join(outside, 'file.txt'), 'of another project');
    vi.spyOn(console, 'error').mockReturnValue(); // Vite says what it refuses
    const reporter = createReporter(app.folder);
    const { plugins } = createSiteDevelopment(app.folder, { withRefresh: false });
    dev = await createDevServer({ projectRoot: app.folder, host: 'localhost', reporter, site: { ...site, plugins } });
    dev.server.listen(0, 'localhost');
    await once(dev.server, 'listening');
    url = `http://localhost:${(dev.server.address() as AddressInfo).port}`;
  });

  afterAll(async () => {
    vi.restoreAllMocks();
    await dev.close();
    await app[Symbol.asyncDispose]();
    await rm(outside, { recursive: true });
  });

  const fromVite = (target: string): Promise<Response> => fetch(`${url}/_appkit/dev/vite/${target}`);

  it("answers the site's pages as well as the routes", async () => {
    expect(await (await fetch(`${url}/page`)).text()).toBe('page');
    expect(await (await fetch(`${url}/secret`)).text()).toBe('answer');
  });

  it('answers with the files that import.meta.glob finds now', async () => {
    vi.spyOn(console, 'log').mockReturnValue(); // the reload
    const notes = async (): Promise<unknown> => (await fetch(`${url}/notes`)).json();
    expect(await notes()).toEqual(['../notes/a.md']);
    await writeFile(path.join(app.folder, 'notes/b.md'), '');
    await vi.waitFor(async () => expect(await notes()).toEqual(['../notes/a.md', '../notes/b.md']));
    await rm(path.join(app.folder, 'notes/a.md'));
    await vi.waitFor(async () => expect(await notes()).toEqual(['../notes/b.md']));
  });

  it("serves the browser's imports, below one folder only", async () => {
    const transformed = await (await fromVite('client.ts')).text();
    expect(transformed).toContain('in the browser');
    expect(transformed).not.toContain(': string');
    expect((await fetch(`${url}/client.ts`)).status).toBe(404);
    expect((await fetch(`${url}/@vite/client`)).status).toBe(404);
  });

  it('serves neither secrets nor server code', async () => {
    for (const target of ['.env', '.env.local', 'key.pem', 'app/secret+api.ts', 'app/+middleware.ts']) {
      for (const query of ['', '?raw', '?url', '?import&raw', '?inline']) {
        const response = await fromVite(target + query);
        expect([target + query, response.status]).toEqual([target + query, 403]);
        expect(await response.text()).not.toMatch(/in-dot-env|in-a-key|\/\/ secret/);
      }
    }
  });

  it('serves no such file by an id, whatever its query is', async () => {
    const own = ['.env', 'key.pem', 'app/secret+api.ts', 'app/+middleware.ts'].map((name) => `${app.folder}/${name}`);
    const queries = ['', '?raw', '?url', '?inline', '?import', '?import&raw', ...VIEW_QUERIES];
    for (const file of [...own, `${outside}/file.txt`]) {
      for (const target of queries.map((query) => `@id/${file}${query}`)) {
        const response = await fromVite(target);
        expect([target, response.ok]).toEqual([target, false]);
        expect(await response.text()).not.toMatch(/in-dot-env|in-a-key|\/\/ secret|of another project/);
      }
    }
  });

  it('serves no file outside of the app', async () => {
    for (const query of ['', '?raw', '?import&raw']) {
      const response = await fromVite(`@fs${outside}/file.txt${query}`);
      expect([query, response.status]).toEqual([query, 403]);
    }
    expect((await fromVite(`@fs${app.folder}/client.ts`)).status).toBe(200);
  });
});
