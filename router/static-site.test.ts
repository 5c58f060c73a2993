import { readFile, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../cli/appkit/fixtures/cli-process.ts';
import { hydrated, openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { expectToHydrate } from './fixtures/site-tests.ts';
import { copySite, serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

let browser: Browser;
let site: ServedSite;

// What needs a server.
const FILES = {
  'app/private.tsx': null,
  'app/broken.tsx': null,
  'app/hello+api.ts': null,
  'app/cart+api.ts': null,
};

beforeAll(async () => {
  [browser, site] = await Promise.all([
    startSiteBrowser(),
    serveSite({ config: { web: { output: 'static' } }, files: FILES }),
  ]);
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await browser.close();
});

it('writes HTML for each page', async () => {
  expect((await readdir(path.join(site.folder, 'dist'))).toSorted()).toEqual(['client', 'client.files', 'site.json']);
  const names = await readdir(path.join(site.folder, 'dist/client'), { recursive: true });
  const html = names.filter((name) => name.endsWith('.html')).toSorted();
  expect(html).toEqual([
    '404.html',
    'about.html',
    'cart.html',
    'fragile.html',
    'index.html',
    'items/1.html',
    'items/2.html',
    'slow.html',
  ]);
  expect(await readFile(path.join(site.folder, 'dist/client/items/2.html'), 'utf8')).toContain('<h1>Item 2</h1>');
});

it.each(['/', '/about', '/cart', '/items/1?tag=a&tag=b', '/about/', '/slow', '/nowhere'])(
  'hydrates %s without a warning',
  (pathname) => expectToHydrate(browser, site.url + pathname),
);

it('goes to a page and its data without loading a document', async () => {
  const { page, problems, requests } = await openPage(browser);
  await page.goto(site.url);
  await hydrated(page);
  await page.click('#layout');
  await page.click('text=One');
  await page.waitForSelector('h1:text("Item 1")');
  expect(await page.title()).toBe('Item 1');
  expect(await page.textContent('#layout')).toBe('Layout 1');
  expect(requests).toContain('/_appkit/data/items/1.json');
  expect(requests).not.toContain('/items/1');
  expect(problems).toEqual([]);
});

it('answers a path without a page with the not-found page', async () => {
  for (const accept of ['text/html', '*/*', 'text/*']) {
    const response = await fetch(`${site.url}/nowhere`, { headers: { accept } });
    expect([accept, response.status, await response.text(), response.headers.get('vary')]).toEqual([
      accept,
      404,
      expect.stringContaining('<h1>Not found</h1>'),
      'Accept',
    ]);
  }
  for (const accept of ['application/json', 'text/html;q=0']) {
    const text = await fetch(`${site.url}/nowhere`, { headers: { accept } });
    expect([accept, text.status, await text.text(), text.headers.get('vary')]).toEqual([
      accept,
      404,
      'Not found',
      'Accept',
    ]);
  }
});

it('writes a plain 404.html for an app without a not-found page', async () => {
  const folder = await copySite({
    config: { web: { output: 'static' } },
    files: { ...FILES, 'app/+not-found.tsx': null },
  });
  try {
    expect(await runCli(['export'], { cwd: folder })).toMatchObject({ code: 0 });
    const text = await readFile(path.join(folder, 'dist/client/404.html'), 'utf8');
    expect(text).toContain('<h1>Not found</h1>\n<p>404</p>');
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
