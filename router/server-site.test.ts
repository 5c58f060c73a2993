import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { hydrated, openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { expectToHydrate, expectToStream } from './fixtures/site-tests.ts';
import { createDataReader } from './read-data.ts';
import { serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

let browser: Browser;
let site: ServedSite;

beforeAll(async () => {
  [browser, site] = await Promise.all([startSiteBrowser(), serveSite()]);
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await browser.close();
});

const asBrowser = { headers: { accept: 'text/html' } };

describe('over HTTP', () => {
  it('answers GET and HEAD of a page', async () => {
    const page = await fetch(`${site.url}/about`, asBrowser);
    expect([page.status, page.headers.get('content-type')]).toEqual([200, 'text/html; charset=utf-8']);
    expect(await page.text()).toContain('<h1>About</h1>');
    const head = await fetch(`${site.url}/about`, { method: 'HEAD' });
    expect([head.status, await head.text()]).toEqual([200, '']);
    const again = await fetch(`${site.url}/about`, { headers: { 'if-none-match': page.headers.get('etag') ?? '' } });
    expect(again.status).toBe(304);
  });

  it('leaves other methods to the API route of the same path', async () => {
    expect(await (await fetch(`${site.url}/cart`)).text()).toContain('<h1>Cart</h1>');
    expect(await (await fetch(`${site.url}/cart`, { method: 'POST', body: 'x' })).json()).toEqual({ posted: 'x' });
    const refused = await fetch(`${site.url}/about`, { method: 'POST' });
    expect([refused.status, refused.headers.get('allow')]).toEqual([405, 'GET, HEAD']);
  });

  it('renders pages that were not prerendered on request, with their loader', async () => {
    expect(await (await fetch(`${site.url}/items/1`)).text()).toContain('<h1>Item 1</h1>');
    const html = await (await fetch(`${site.url}/items/a%20b?x=1`)).text();
    expect(html).toContain('<h1>Item a b</h1>');
    expect(html).toContain('/items/a%20b?x=1');
  });

  it('serves only the data of a page at its own URL', async () => {
    const answer = await fetch(`${site.url}/items/9?x=1&_appkit_data`);
    expect(createDataReader().read(await answer.text())).toMatchObject({
      data: [undefined, { name: 'Item 9', asked: '/items/9?x=1' }],
    });
    const { status, headers } = await fetch(`${site.url}/private?_appkit_data`);
    expect([status, headers.get('appkit-redirect'), headers.get('location')]).toEqual([204, '/about', null]);
    expect((await fetch(`${site.url}/broken?_appkit_data`)).status).toBe(503);
  });

  it('streams: the first part does not wait for the last', () => expectToStream(site.url));

  it('answers a path without a page in the format that the client accepts', async () => {
    const page = await fetch(`${site.url}/nowhere`, asBrowser);
    expect([page.status, await page.text()]).toEqual([404, expect.stringContaining('<h1>Not found</h1>')]);
    const text = await fetch(`${site.url}/nowhere`, { headers: { accept: 'application/json' } });
    expect([text.status, await text.text()]).toEqual([404, 'Not found']);
  });
});

describe('in a browser', () => {
  it.each(['/', '/about', '/cart', '/items/1', '/items/3?tag=a&tag=b', '/slow', '/nowhere?x'])(
    'hydrates %s without a warning',
    (pathname) => expectToHydrate(browser, site.url + pathname),
  );

  it('goes to a page and its data without loading a document, and keeps the layout', async () => {
    const { page, problems, requests } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.click('#layout');
    await page.click('text=Three');
    await page.waitForSelector('h1:text("Item 3")');
    expect(await page.textContent('#params')).toBe('{"tag":["a","b"],"id":"3"}');
    expect(await page.textContent('#path')).toBe('/items/3');
    expect(await page.textContent('#layout')).toBe('Layout 1');
    await page.click('text=About');
    await page.waitForSelector('.about');
    const color = await page.evaluate(
      () => getComputedStyle(document.querySelector('.about') as Element).backgroundColor,
    );
    expect(color).toBe('rgb(4, 5, 6)');
    await page.goBack();
    await page.waitForSelector('h1:text("Item 3")');
    await page.goForward();
    await page.waitForSelector('.about');
    expect(await page.textContent('#layout')).toBe('Layout 1');
    expect(requests.filter((one) => one.startsWith('/items'))).toEqual([
      '/items/3?tag=a&tag=b&_appkit_data=',
      '/items/3?tag=a&tag=b&_appkit_data=',
    ]);
    expect(problems).toEqual([]);
  });

  it('goes to pages by the router', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.click('#push');
    await page.waitForSelector('.about');
    await page.click('#back');
    await page.waitForSelector('h1:text("Home")');
    await page.click('#replace');
    await page.waitForSelector('.about');
    expect(await page.evaluate(() => history.length)).toBe(3);
    expect(problems).toEqual([]);
  });

  it('loads a document when the server does not answer with a page', async () => {
    const { page } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await Promise.all([page.waitForNavigation(), page.click('text=API')]);
    expect(await page.textContent('body')).toContain('"world"');
    await page.goto(site.url);
    await hydrated(page);
    await page.click('text=Nowhere');
    await page.waitForSelector('h1:text("Not found")');
  });

  it('asks the server when a redirect or a rewrite comes before a page', async () => {
    const { page, problems, requests } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.click('text=Old');
    await page.waitForSelector('h1:text("Item 1")');
    expect(new URL(page.url()).pathname).toBe('/items/1');
    await hydrated(page);
    await page.click('text=First');
    await page.waitForFunction(() => location.pathname === '/items/first');
    await page.waitForSelector('h1:text("Item 1")');
    await hydrated(page);
    await page.click('text=About');
    await page.waitForSelector('.about');
    expect(requests).toEqual(expect.arrayContaining(['/items/old', '/items/first']));
    expect(requests).not.toContain('/about');
    expect(problems).toEqual([]);
  });

  it('follows a redirect of a loader, in the client and as a document', async () => {
    const { page, problems } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.click('text=Private');
    await page.waitForSelector('.about');
    expect(new URL(page.url()).pathname).toBe('/about');
    await page.goto(`${site.url}/private`);
    expect(new URL(page.url()).pathname).toBe('/about');
    expect(problems).toEqual([]);
  });

  it("shows a page's own boundary when its loader fails", async () => {
    const { page } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.click('text=Broken');
    await page.waitForSelector('#boundary');
    expect(await page.textContent('#boundary')).toBe('Out of order');
    expect(await page.textContent('#path')).toBe('/broken');
  });

  it('shows it as a document too, with the status of the error, and navigates on from there', async () => {
    const { page, problems } = await openPage(browser);
    const response = await page.goto(`${site.url}/broken`);
    expect([response?.status(), response?.headers()['content-type']]).toEqual([503, 'text/html; charset=utf-8']);
    await hydrated(page);
    expect(await page.textContent('#boundary')).toBe('Out of order');
    await page.click('text=About');
    await page.waitForSelector('.about');
    expect(problems.filter((problem) => !problem.includes('503'))).toEqual([]);
  });

  it("shows a page's own boundary when rendering fails, within its layout, and tries again", async () => {
    const { page } = await openPage(browser);
    await page.goto(`${site.url}/fragile`);
    await hydrated(page);
    await page.click('#layout');
    await page.click('#break');
    expect(await page.textContent('#boundary')).toBe('Broken while it was rendered');
    await page.click('#retry');
    await page.waitForSelector('#break');
    await page.click('#break');
    await page.click('text=About');
    await page.waitForSelector('.about');
    expect(await page.textContent('#layout')).toBe('Layout 1');
  });

  it('never runs code as a redirect target of a loader', async () => {
    const { page } = await openPage(browser);
    const dialogs: string[] = [];
    page.on('dialog', (dialog) => {
      dialogs.push(dialog.message());
      void dialog.dismiss();
    });
    await page.goto(site.url);
    await hydrated(page);
    await page.click('text=Code');
    await page.waitForSelector('h1:text("Something went wrong")');
    expect(dialogs).toEqual([]);
  });

  it('shows the boundary of a page whose data cannot be fetched, and loads the document when its code cannot', async () => {
    const { page, requests } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.route('**/broken?*', (route) => route.abort());
    await page.click('text=Broken');
    await page.waitForSelector('#boundary');
    await page.route('**/about-*.js', (route) => route.fulfill({ status: 404 }));
    const before = requests.length;
    await page.click('text=About');
    await page.waitForSelector('.about');
    expect(requests.slice(before)).toContain('/about');
  });

  it('scrolls to the top of the next page, and back to the position on the last one', async () => {
    const { page } = await openPage(browser);
    await page.goto(site.url);
    await hydrated(page);
    await page.evaluate(() => scrollTo(0, 1000));
    await page.evaluate(() => (document.querySelector('nav a[href="/about"]') as HTMLElement).click());
    await page.waitForSelector('.about');
    await page.waitForFunction(() => scrollY === 0);
    await page.goBack();
    await page.waitForSelector('h1:text("Home")');
    await page.waitForFunction(() => scrollY === 1000);
  });
});
