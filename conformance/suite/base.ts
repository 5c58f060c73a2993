import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { ConfiguredHost, Host } from '../host.ts';
import { json } from '../generic/expect-json.ts';
import { pageData } from '../page-data.ts';

// An app whose config says that it is below /shop/eu.
const BASE = '/shop/eu';
const source = 'docs/guide/pages.md: A site below a path';
const from = { source, needs: 'ownBase' } as const;

const below = (host: Host): Promise<ConfiguredHost> => host.configured({ app: 'app-below' });
const asBrowser = { headers: { accept: 'text/html' } };

async function html(server: Host, path: string): Promise<string> {
  const response = await server.fetch(path, asBrowser);
  expect([path, response.status]).toEqual([path, 200]);
  return response.text();
}

behaviour('answers a route below the base of the app, by the URL that was asked for', from, async (host) => {
  const server = await below(host);
  expect(await json(await server.fetch(`${BASE}/hello?a=1`))).toEqual({ path: `${BASE}/hello` });
});

behaviour('answers 404 outside of the base of the app', from, async (host) => {
  const server = await below(host);
  const outside = ['/', '/hello', '/items/1', '/shop', '/shop/hello', '/shop/europe/hello', '/robots.txt', '/guarded'];
  for (const path of outside) expect([path, (await server.fetch(path, asBrowser)).status]).toEqual([path, 404]);
  expect((await server.fetch('/hello', { method: 'POST' })).status).toBe(404);
});

behaviour('answers the root of an app below a path with and without a slash', from, async (host) => {
  const server = await below(host);
  for (const path of [BASE, `${BASE}/`]) expect(await html(server, path)).toContain('<h1>Home</h1>');
});

behaviour('renders a page below the base, with links that lead there', from, async (host) => {
  const page = await html(await below(host), `${BASE}/items/7`);
  expect(page).toContain(`<h1>Item 7 asked by ${BASE}/items/7 at /items/7</h1>`);
  expect(page).toContain(`href="${BASE}/items/1"`);
});

behaviour(
  'serves the assets that a page below the base names, for a year',
  { ...from, needs: ['ownBase', 'exportedFiles'] },
  async (host) => {
    const server = await below(host);
    const page = await html(server, BASE);
    const assets = [...page.matchAll(/"(\/[^"]*_appkit\/assets\/[^"]+\.(?:js|css))"/g)].map(([, url = '']) => url);
    expect(assets.some((url) => url.endsWith('.css')) && assets.some((url) => url.endsWith('.js'))).toBe(true);
    for (const url of assets) {
      const { status, headers } = await server.fetch(url);
      expect([url, status, headers.get('cache-control')]).toEqual([
        expect.stringMatching(/^\/shop\/eu\/_appkit\//),
        200,
        expect.stringContaining('max-age=31536000'),
      ]);
    }
  },
);

behaviour('gives the data of a page below the base', from, async (host) => {
  expect(await pageData(await below(host), `${BASE}/items/7`)).toEqual({ id: '7', asked: `${BASE}/items/7` });
});

behaviour('takes rules and middleware as below the base', from, async (host) => {
  const server = await below(host);
  const moved = await server.fetch(`${BASE}/old/3?a=1`);
  expect([moved.status, moved.headers.get('location')]).toEqual([307, `${BASE}/items/3?a=1`]);
  expect(await html(server, `${BASE}/shown/3`)).toContain('Item 3');
  expect((await server.fetch(`${BASE}/guarded`)).status).toBe(401);
});

behaviour('leads to the canonical path below the base', from, async (host) => {
  const { status, headers } = await (await below(host)).fetch(`${BASE}/items/3/?a=1`);
  expect([status, headers.get('location')]).toEqual([308, `${BASE}/items/3?a=1`]);
});

behaviour('leaves a redirect of the app below a path as the app wrote it', from, async (host) => {
  const { status, headers } = await (await below(host)).fetch(`${BASE}/leaves`);
  expect([status, headers.get('location')]).toEqual([303, '/hello']);
});

behaviour('answers a route below the base that asks another by its pattern', from, async (host) => {
  expect(await json(await (await below(host)).fetch(`${BASE}/asks`))).toEqual({ path: `${BASE}/hello` });
});

behaviour('answers a form of a page below the base', from, async (host) => {
  const server = await below(host);
  expect(await html(server, `${BASE}/form`)).toContain(`action="${BASE}/form"`);
  const response = await server.fetch(`${BASE}/form`, { method: 'POST', body: new URLSearchParams({ text: 'yes' }) });
  expect(await response.text()).toContain('<h1>Said yes</h1>');
});

behaviour('shows the not-found page below the base', from, async (host) => {
  const response = await (await below(host)).fetch(`${BASE}/nowhere`, asBrowser);
  expect([response.status, await response.text()]).toEqual([404, expect.stringContaining('No such page')]);
});

behaviour('serves files of public below the base, and .well-known at the root of the host', from, async (host) => {
  const server = await below(host);
  const answers = await Promise.all(
    [`${BASE}/robots.txt`, '/.well-known/security.txt'].map((path) => server.fetch(path)),
  );
  expect(answers.map(({ status }) => status)).toEqual([200, 200]);
  expect(await answers[0]?.text()).toBe('User-agent: *\n');
});

behaviour(
  'keeps an answer below the base until its path is invalidated',
  { ...from, needs: ['ownBase', 'sharedCache'] },
  async (host) => {
    const server = await below(host);
    const ask = async (): Promise<unknown> => json(await server.fetch(`${BASE}/counted`));
    const first = await ask();
    expect(await ask()).toBe(first);
    await server.fetch(`${BASE}/counted`, { method: 'DELETE' });
    expect(await ask()).not.toBe(first);
  },
);
