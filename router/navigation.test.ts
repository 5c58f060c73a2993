import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { hydrated, openPage } from './fixtures/browser-page.ts';
import { serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

let browser: Browser;
let site: ServedSite;

const files = {
  'app/_layout.tsx': `import { Link, router, Slot, useIsNavigating, useIsSubmitting, useLoaderData } from 'appkit-router';
    let count = 0;
    export const loader = () => ({ count: ++count });
    export default function Layout() {
      return <>
        <output id="count">{useLoaderData<typeof loader>().count}</output>
        <output id="pending">{String(useIsNavigating()) + String(useIsSubmitting())}</output>
        {['one', 'two', 'lost', 'file', 'away', 'two#part', '#here'].map((path) => (
          <Link key={path} prefetch="none" href={path.startsWith('#') ? path : '/' + path}>{'to ' + path}</Link>
        ))}
        <Link href="/two" ref={(link) => { if (link) link.dataset['attached'] = 'yes'; }}>hovered</Link>
        <button id="refresh" onClick={() => router.refresh()}>refresh</button>
        <p id="here">here <a id="inner" href="/">inner</a></p>
        <Slot />
      </>;
    }`,
  'app/+not-found.tsx': 'export default function NotFound() { return <h1>No such page</h1>; }',
  'app/one.tsx': 'export const loader = () => 1;\nexport default function One() { return <h1>One</h1>; }',
  'app/two.tsx': `export const loader = () => 2;
    export default function Two() { return <><h1>Two</h1><div style={{ height: 3000 }} /><section id="part"><a id="within" href="/one">within</a></section></>; }`,
  'app/lost.tsx':
    "import { notFound } from 'appkit-router';\nexport const loader = () => notFound();\nexport default function Lost() { return <h1>Lost</h1>; }",
  'app/away.tsx': `import { useLoaderData } from 'appkit-router';
    export const loader = () => { throw new Response(null, { status: 303, headers: { location: 'http://127.0.0.1:9/' } }); };
    export default function Away() { return <h1>Away</h1>; }`,
  'app/file+api.ts': `export const GET = () =>
    new Response('content', { headers: { 'content-disposition': 'attachment; filename="file.txt"' } });`,
  'app/form.tsx': `import { Form, useActionData } from 'appkit-router';
    export const action = async (request: Request) => (await request.formData()).get('text');
    export default function Page() {
      return <Form><h1>Form</h1><input name="text" /><input name="target" /><button>Send</button><output id="said">{String(useActionData<typeof action>())}</output></Form>;
    }`,
  'app/none/_layout.tsx': `import { Link, Slot, useLoaderData } from 'appkit-router';
    export const loader = () => null;
    export default function Layout() {
      return <><output id="none">{String(useLoaderData<typeof loader>())}</output><Link href="/none/b">to b</Link><Slot /></>;
    }`,
  'app/none/a.tsx': "export const loader = () => 'a';\nexport default function A() { return <h1>A</h1>; }",
  'app/none/b.tsx': "export const loader = () => 'b';\nexport default function B() { return <h1>B</h1>; }",
  'app/drop/_layout.tsx': `import { Slot } from 'appkit-router';
    export const loader = async () => {
      await new Promise((resolve) => setTimeout(resolve, 50));
      throw new Response(null, { status: 303, headers: { location: '/one' } });
    };
    export default Slot;`,
  'app/drop/page.tsx': `const fail = (ms: number) => new Promise((_, reject) => setTimeout(() => reject(new Error('nobody listens')), ms));
    export const loader = () => ({ early: fail(5), list: [new Map([['late', fail(80)]])], nested: Promise.resolve({ inner: fail(90) }) });
    export default function Page() { return null; }`,
};

beforeAll(async () => {
  [browser, site] = await Promise.all([startBrowser(), serveSite({ files })]);
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await browser.close();
});

async function open(path: string): Promise<{ page: Page; problems: string[]; requests: string[] }> {
  const watched = await openPage(browser);
  await watched.page.goto(site.url + path);
  await hydrated(watched.page);
  return watched;
}

/** Has the data of a page wait until the returned function is called. */
async function holdData(page: Page, path: string): Promise<() => void> {
  const held = Promise.withResolvers<void>();
  await page.route(`**${path}?_appkit_data=*`, async (route) => {
    await held.promise;
    await route.continue();
  });
  return () => held.resolve();
}

const settled = (page: Page): Promise<unknown> =>
  page.waitForFunction(() => document.querySelector('#pending')?.textContent === 'falsefalse');

it('goes on when promises in data that nobody is sent are rejected', async () => {
  for (let times = 0; times < 2; times++) {
    const answer = await fetch(`${site.url}/drop/page`, { redirect: 'manual' });
    expect([answer.status, answer.headers.get('location')]).toEqual([303, '/one']);
    await new Promise((resolve) => setTimeout(resolve, 150));
  }
  expect((await fetch(`${site.url}/one`)).status).toBe(200);
});

it('shows +not-found by a link with the data of its layouts, and goes on from there', async () => {
  const { page, problems } = await open('/one');
  await page.click('text="to lost"');
  await page.waitForSelector('h1:text("No such page")');
  const count = await page.textContent('#count');
  await page.click('text="to two"');
  await page.waitForSelector('h1:text("Two")');
  expect(await page.textContent('#count')).toBe(count);
  expect(problems.filter((problem) => !problem.includes('404'))).toEqual([]);
});

it('keeps the data of a layout that are null', async () => {
  const { page } = await open('/none/a');
  expect(await page.textContent('#none')).toBe('null');
  await page.click('text="to b"');
  await page.waitForSelector('h1:text("B")');
  expect(await page.textContent('#none')).toBe('null');
});

it('is not navigating any more when a link leads to a file', async () => {
  const { page } = await open('/one');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('text="to file"')]);
  expect(download.suggestedFilename()).toBe('file.txt');
  await settled(page);
});

it('loads the page that it is going to when data are refreshed meanwhile', async () => {
  const { page } = await open('/one');
  const release = await holdData(page, '/two');
  await page.click('text="to two"');
  await page.click('#refresh');
  release();
  await page.waitForSelector('h1:text("Two")');
  expect(new URL(page.url()).pathname).toBe('/two');
});

it('shows the answer to a form when data are refreshed meanwhile', async () => {
  const { page } = await open('/form');
  await page.fill('input[name="text"]', 'sent');
  const release = await holdData(page, '/form');
  await page.click('button:text("Send")');
  await page.click('#refresh');
  release();
  await page.waitForSelector('#said:text("sent")');
});

it('loads layouts again after a form whose answer was not waited for', async () => {
  const { page } = await open('/form');
  const count = Number(await page.textContent('#count'));
  await holdData(page, '/form');
  await page.click('button:text("Send")');
  await page.click('text="to one"');
  await page.waitForSelector('h1:text("One")');
  expect(Number(await page.textContent('#count'))).toBeGreaterThan(count);
});

it('sends a form without a document whatever its fields are called', async () => {
  const { page, requests } = await open('/form');
  await page.fill('input[name="text"]', 'named');
  await page.click('button:text("Send")');
  await page.waitForSelector('#said:text("named")');
  expect(requests.filter((one) => one === '/form')).toEqual(['/form']);
});

it('asks again for data that could not be fetched beforehand', async () => {
  const { page, requests } = await open('/one');
  await page.route('**/two?_appkit_data=*', (route) => route.abort());
  await page.hover('text="hovered"');
  await expect.poll(() => requests.some((one) => one.startsWith('/two?'))).toBe(true);
  await page.unroute('**/two?_appkit_data=*');
  await page.click('text="hovered"');
  await page.waitForSelector('h1:text("Two")');
});

it('moves the focus to the part of a page that a link names', async () => {
  const { page } = await open('/one');
  await page.click('text="to two#part"');
  await page.waitForSelector('h1:text("Two")');
  await page.waitForFunction(() => scrollY > 1000);
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('within');
});

it('leaves links to a part of the page to the browser', async () => {
  const { page } = await open('/one');
  await page.click('text="to #here"');
  await page.waitForFunction(() => document.querySelector(':target')?.id === 'here');
  await page.keyboard.press('Tab');
  expect(await page.evaluate(() => document.activeElement?.id)).toBe('inner');
});

it('gives the element of a link to its ref', async () => {
  const { page } = await open('/one');
  expect(await page.getAttribute('text="hovered"', 'data-attached')).toBe('yes');
});

it('shows the page to a browser that comes by the address of its data', async () => {
  const { page } = await openPage(browser);
  const response = await page.goto(`${site.url}/two?a=1&_appkit_data=1`);
  expect([response?.status(), new URL(page.url()).search]).toEqual([200, '?a=1']);
  await page.waitForSelector('h1:text("Two")');
});
