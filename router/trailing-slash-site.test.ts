import { existsSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import path from 'node:path';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { runCli } from '../cli/appkit/fixtures/cli-process.ts';
import { hydrated, openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { copySite, developSite, serveSite } from './fixtures/serve-site.ts';

let browser: Browser;

beforeAll(async () => {
  browser = await startSiteBrowser();
});

afterAll(() => browser.close());

async function answerOf(url: string): Promise<[status: number, location: string | null]> {
  const { status, headers } = await fetch(url, { redirect: 'manual', headers: { accept: 'text/html' } });
  return [status, headers.get('location')];
}

it('sends links and data to the configured form of the path, without a redirect', async () => {
  await using site = await serveSite({ config: { web: { output: 'server', trailingSlash: 'always' } } });
  expect(await answerOf(`${site.url}/about?a=1`)).toEqual([308, '/about/?a=1']);
  expect((await answerOf(`${site.url}/about/`))[0]).toBe(200);
  const { page, problems, requests } = await openPage(browser);
  await page.goto(site.url);
  await hydrated(page);
  await page.click('text=About');
  await page.waitForSelector('h1:text("About")');
  expect(new URL(page.url()).pathname).toBe('/about/');
  expect(await page.textContent('#path')).toBe('/about/');
  await page.click('text=Three');
  await page.waitForSelector('h1:text("Item 3")');
  expect(page.url()).toBe(`${site.url}/items/3/?tag=a&tag=b`);
  const asked = requests.filter((request) => /^\/(?:about|items)/.test(request));
  expect(asked).toEqual(['/items/3/?tag=a&tag=b&_appkit_data=']);
  expect(problems).toEqual([]);
});

it('redirects to the configured form of the path in development', async () => {
  await using site = await developSite({ config: { web: { output: 'server', trailingSlash: 'never' } } });
  expect(await answerOf(`${site.url}/about/?a=1`)).toEqual([308, '/about?a=1']);
  expect(await answerOf(`${site.url}/about`)).toEqual([200, null]);
});

it('writes files for hosts that redirect to the path of a file', async () => {
  const server = { 'app/private.tsx': null, 'app/broken.tsx': null, 'app/cart+api.ts': null, 'app/hello+api.ts': null };
  await using site = await serveSite({ config: { web: { output: 'static', trailingSlash: 'always' } }, files: server });
  expect(await answerOf(`${site.url}/about?a=1`)).toEqual([301, '/about/?a=1']);
  expect((await answerOf(`${site.url}/about/`))[0]).toBe(200);
  const names = ['index.html', '404.html', 'about/index.html', 'items/1/index.html', '_appkit/data/items/1.json'];
  for (const name of names) {
    expect([name, existsSync(path.join(site.folder, 'dist/client', name))]).toEqual([name, true]);
  }
  const { page, problems } = await openPage(browser);
  await page.goto(`${site.url}/about/`);
  await hydrated(page);
  await page.click('text=One');
  await page.waitForSelector('h1:text("Item 1")');
  expect(new URL(page.url()).pathname).toBe('/items/1/');
  expect(problems).toEqual([]);
});

it('refuses another word', async () => {
  const folder = await copySite({ config: { web: { trailingSlash: 'allways' } } });
  try {
    const { code, stderr } = await runCli(['export'], { cwd: folder });
    expect([code, stderr]).toEqual([1, expect.stringContaining('The key web.trailingSlash is "allways".')]);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
