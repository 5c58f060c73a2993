import { readdir } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

declare global {
  interface Window {
    /** Releases messages that have been held back. */
    release(): void;
  }
}

const server = ['app/private.tsx', 'app/broken.tsx', 'app/hello+api.ts', 'app/cart+api.ts', 'app/slow.tsx'];
const withoutServer = {
  ...Object.fromEntries(server.map((name) => [name, null])),
  'app/items/[id].tsx': `import { useLocalSearchParams } from 'appkit-router';
    export default function Item() { return <h1>Item {useLocalSearchParams()['id']}</h1>; }`,
};

let browser: Browser;
let site: ServedSite;

beforeAll(async () => {
  [browser, site] = await Promise.all([
    startSiteBrowser(),
    serveSite({
      env: { NODE_ENV: 'test' },
      config: { web: { output: 'single' } },
      files: withoutServer,
    }),
  ]);
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await browser.close();
});

it('writes one HTML file, without a page in it', async () => {
  const names = await readdir(path.join(site.folder, 'dist'), { recursive: true });
  expect(names.filter((name) => name.endsWith('.html'))).toEqual(['client/index.html']);
  expect(names).not.toContain('server');
});

it.each([
  ['/', 'Home'],
  ['/about', 'About'],
  ['/items/7', 'Item 7'],
  ['/nowhere', 'Not found'],
])('shows the page of %s', async (pathname, heading) => {
  const { page, problems } = await openPage(browser);
  const response = await page.goto(site.url + pathname);
  expect(response?.status()).toBe(200);
  await page.waitForSelector(`h1:text("${heading}")`);
  expect(await page.textContent('#path')).toBe(pathname);
  expect(problems).toEqual([]);
});

it('takes over the document without a page in it, even if the page is ready first', async () => {
  const { page, problems } = await openPage(browser);
  await page.addInitScript(() => {
    // React schedules work by messages to itself, which wait here.
    const { postMessage } = MessagePort.prototype;
    const waiting: (() => void)[] = [];
    MessagePort.prototype.postMessage = function (message: unknown) {
      waiting.push(() => postMessage.call(this, message));
    };
    window.release = () => {
      MessagePort.prototype.postMessage = postMessage;
      for (const post of waiting) post();
    };
  });
  await page.goto(`${site.url}/items/7`, { waitUntil: 'networkidle' });
  expect(await page.locator('h1').count()).toBe(0);
  await page.evaluate(() => window.release());
  await page.waitForSelector('h1:text("Item 7")');
  expect(problems).toEqual([]);
});

it('goes from page to page', async () => {
  const { page, problems, requests } = await openPage(browser);
  await page.goto(site.url);
  await page.click('text=One');
  await page.waitForSelector('h1:text("Item 1")');
  await page.click('text=Nowhere');
  await page.waitForSelector('h1:text("Not found")');
  await page.goBack();
  await page.waitForSelector('h1:text("Item 1")');
  expect(requests.filter((one) => !one.startsWith('/_appkit/'))).toEqual(['/']);
  expect(problems).toEqual([]);
});

it('says that a page is missing when the app has no page for that, and loads nothing again', async () => {
  await using bare = await serveSite({
    config: { web: { output: 'single' } },
    files: { ...withoutServer, 'app/+not-found.tsx': null },
  });
  const { page, requests, problems } = await openPage(browser);
  await page.goto(`${bare.url}/nowhere`, { waitUntil: 'commit' });
  await page.waitForSelector('h1:text("Not found")');
  expect(requests.filter((one) => one === '/nowhere')).toEqual(['/nowhere']);
  await page.goto(bare.url);
  await page.click('text=Nowhere');
  await page.waitForSelector('h1:text("Not found")');
  await page.goBack();
  await page.waitForSelector('h1:text("Home")');
  expect(problems).toEqual([]);
});

it('loads the document again once when the code of a page is missing', async () => {
  const { page, requests } = await openPage(browser);
  await page.route('**/about-*.js', (route) => route.abort());
  await page.goto(`${site.url}/about`, { waitUntil: 'commit' });
  await page.waitForSelector('h1:text("Something went wrong")');
  expect(requests.filter((one) => one === '/about')).toEqual(['/about', '/about']);
  await page.unroute('**/about-*.js');
  await page.reload();
  await page.waitForSelector('h1:text("About")');
});

it('does not serve the page to requests for other kinds of content', async () => {
  expect((await fetch(`${site.url}/missing.js`, { headers: { accept: '*/*' } })).status).toBe(404);
  expect((await fetch(`${site.url}/about`, { method: 'POST', headers: { accept: 'text/html' } })).status).toBe(405);
});
