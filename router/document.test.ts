import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { hydrated, openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

let browser: Browser;
let site: ServedSite;

const html = `
  import { useId, type ReactNode } from 'react';
  export default function Html({ children }: { children: ReactNode }) {
    return (
      <html lang="de" data-id={useId()}>
        <head>
          <meta charSet="utf-8" />
          <meta name="theme" content={process.env.APPKIT_PUBLIC_THEME} />
        </head>
        <body className="own">
          <header>Around every page</header>
          {children}
        </body>
      </html>
    );
  }
`;
const blogNotFound = `export default function NotFound() { return <h1>No such post</h1>; }`;

beforeAll(async () => {
  const headers = {
    'content-security-policy':
      "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src 'self'",
  };
  const config = { web: { output: 'server' }, plugins: [['appkit-router', { headers }]] };
  const files = { 'app/+html.tsx': html, 'app/blog/+not-found.tsx': blogNotFound };
  [browser, site] = await Promise.all([startSiteBrowser(), serveSite({ config, files })]);
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await browser.close();
});

it.each(['/about', '/items/7', '/nowhere', '/blog/nowhere'])(
  'hydrates the document of +html around %s, under a policy that allows no inline code',
  async (pathname) => {
    const { page, problems } = await openPage(browser);
    await page.goto(site.url + pathname);
    await hydrated(page);
    expect(await page.getAttribute('html', 'lang')).toBe('de');
    expect(await page.textContent('.own header')).toBe('Around every page');
    expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
  },
);

it('shows the not-found page of the nearest folder', async () => {
  const answer = await fetch(`${site.url}/blog/nowhere`, { headers: { accept: 'text/html' } });
  expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining('<h1>No such post</h1>')]);
});

it('loads the code of a page when the pointer is on a link to it', async () => {
  const { page, requests } = await openPage(browser);
  await page.goto(`${site.url}/about`);
  await hydrated(page);
  const before = requests.length;
  await page.hover('text=Cart');
  await expect.poll(() => requests.slice(before).join()).toMatch(/\/_appkit\/assets\/cart-\w+\.js/);
  expect(await page.textContent('h1')).toBe('About');
});

it('leaves links that are not plain to the browser', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/about`);
  await hydrated(page);
  const [opened] = await Promise.all([
    page.context().waitForEvent('page'),
    page.click('text=Cart', { modifiers: ['ControlOrMeta'] }),
  ]);
  await opened.waitForSelector('h1:text("Cart")');
  expect(await page.textContent('h1')).toBe('About');
});
