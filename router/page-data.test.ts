import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { hydrated, openPage } from './fixtures/browser-page.ts';
import { serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

let browser: Browser;
let site: ServedSite;

const files = {
  'app/values.tsx': `import { useLoaderData } from 'appkit-router';
    export function loader() {
      const self: { name: string; self?: unknown } = { name: 'a ring' };
      self.self = self;
      return {
        date: new Date(0), map: new Map([['a', new Set([1, 2])]]), big: 12345678901234567890n,
        url: new URL('https://example.com/x'), nothing: undefined, self, script: '</script><!--',
      };
    }
    export default function Values() {
      const { date, map, big, url, nothing, self, script } = useLoaderData<typeof loader>();
      const seen = [date.getTime(), map.get('a')?.has(2), big + 1n, url.host, nothing, self.self === self, script];
      return <h1>{seen.map(String).join(' ')}</h1>;
    }`,
  'app/late.tsx': `import { useLoaderData } from 'appkit-router';
    import { Suspense, use } from 'react';
    export const waiting = new Map<string, () => void>();
    export function loader() {
      const inner = new Promise<Date>((resolve) => setTimeout(resolve, 20, new Date(0)));
      const late = new Promise<{ text: string; inner: Promise<Date> }>((resolve) => setTimeout(resolve, 20, { text: 'Later', inner }));
      const failing = new Promise<string>((_, reject) => setTimeout(() => reject(new Error('a secret')), 20));
      return { early: 'Early', late, failing };
    }
    function Late() {
      const { text, inner } = use(useLoaderData<typeof loader>().late);
      return <p id="late">{text}<Suspense><Inner inner={inner} /></Suspense></p>;
    }
    function Inner({ inner }: { inner: Promise<Date> }) {
      return <span> {use(inner).getTime()}</span>;
    }
    export default function Page() {
      return <><h1>{useLoaderData<typeof loader>().early}</h1><Suspense fallback="waiting"><Late /></Suspense></>;
    }`,
  'app/rejected.tsx': `import { useLoaderData } from 'appkit-router';
    import { Suspense, use } from 'react';
    export function loader() {
      return { failing: new Promise<string>((_, reject) => setTimeout(() => reject(new Error('a secret')), 20)) };
    }
    function Late() { return use(useLoaderData<typeof loader>().failing); }
    export default function Page() { return <Suspense fallback="waiting"><Late /></Suspense>; }
    export function ErrorBoundary({ error }: { error: unknown }) { return <h1 id="boundary">{String(error)}</h1>; }`,
  'app/unsendable.tsx': `import { useLoaderData } from 'appkit-router';
    class Money { constructor(readonly cents: number) {} }
    export const loader = () => ({ order: { total: new Money(5) } });
    export default function Page() { return <h1>{useLoaderData<typeof loader>().order.total.cents}</h1>; }
    export function ErrorBoundary({ error }: { error: unknown }) { return <h1 id="boundary">{String(error)}</h1>; }`,
  'app/answered.tsx': `import { useLoaderData } from 'appkit-router';
    export const loader = () => Response.json({ redirect: '/about' }, { status: 203, headers: { 'x-from': 'the loader' } });
    export default function Page() { return <h1>{JSON.stringify(useLoaderData())}</h1>; }`,
  'app/policy.tsx': `import { useLoaderData } from 'appkit-router';
    import { nonce, setResponseHeaders } from 'appkit-server';
    import { Suspense, use } from 'react';
    export function loader() {
      setResponseHeaders({ 'content-security-policy': "default-src 'none'; connect-src 'self'; style-src 'self'; script-src 'nonce-" + nonce() + "' 'strict-dynamic'" });
      return { late: new Promise<string>((resolve) => setTimeout(resolve, 50, 'Later')) };
    }
    function Late() { return <p id="late">{use(useLoaderData<typeof loader>().late)}</p>; }
    export default function Page() { return <Suspense fallback="waiting"><Late /></Suspense>; }`,
  'app/text.tsx': `export const loader = () => new Response('plain text');
    export default function Page() { return <h1>Text</h1>; }`,
  'app/gone.tsx': `import { notFound } from 'appkit-router';
    export const loader = (): never => notFound();
    export default function Page() { return <h1>Gone</h1>; }`,
  'app/thrown.tsx': `export const loader = (): never => { throw new Response('Only members', { status: 403, headers: { 'x-from': 'the loader' } }); };
    export default function Page() { return null; }
    export function ErrorBoundary({ error }: { error: unknown }) {
      return <h1 id="boundary">{(error as Error).message} {(error as { status: number }).status}</h1>;
    }`,
  'app/leaving.tsx': `export const loader = (): never => {
      throw new Response(null, { status: 303, headers: [['location', '/about'], ['set-cookie', 'a=1'], ['set-cookie', 'b=2']] });
    };
    export default function Page() { return null; }`,
  'app/guarded.tsx': `export const loader = () => 'seen';
    export default function Page() { return <h1>Guarded</h1>; }`,
  'app/+middleware.ts': `export default (request: Request) => {
      if (new URL(request.url).pathname !== '/guarded') return;
      return new Response(null, { status: 302, headers: { location: '/about?from=guarded' } });
    };`,
  'app/area/_layout.tsx': `import { Link, Slot, useLoaderData } from 'appkit-router';
    let count = 0;
    export async function loader(request: Request) {
      if (new URL(request.url).searchParams.has('fails')) throw new Error('a secret');
      return { count: ++count };
    }
    export default function Layout() {
      return <><p id="area">{useLoaderData<typeof loader>().count}</p><Link href="/area/one">to one</Link> <Link href="/area/two">to two</Link> <Link href="/area/two?fails">to failure</Link> <Link href="/area/throws">to throw</Link><Slot /></>;
    }
    export function ErrorBoundary({ error }: { error: unknown }) { return <h1 id="area-boundary">{String(error)}</h1>; }`,
  'app/area/one.tsx': `import { useLoaderData } from 'appkit-router';
    export const loader = () => 'one';
    export default function One() { return <h1>{useLoaderData<typeof loader>()}</h1>; }`,
  'app/area/two.tsx': `import { useLoaderData } from 'appkit-router';
    export const loader = () => 'two';
    export default function Two() { return <h1>{useLoaderData<typeof loader>()}</h1>; }`,
  'app/area/throws.tsx': `export const loader = () => 1;
    export default function Throws(): never { throw new Error('a secret'); }`,
  'app/caught.tsx': `export const loader = () => 1;
    export default function Caught(): never { throw new Error('a secret'); }
    export function ErrorBoundary({ error }: { error: unknown }) { return <h1 id="boundary">{String(error)}</h1>; }`,
  'app/books/[name].tsx': `import { useLocalSearchParams } from 'appkit-router';
    export default function Book() { return <h1>Book {JSON.stringify(useLocalSearchParams()['name'])}</h1>; }`,
  'app/links.tsx': `import { Link } from 'appkit-router';
    const paths = ['values', 'late', 'rejected', 'answered', 'gone', 'thrown', 'leaving', 'guarded', 'area/one', 'caught'];
    export default function Links() {
      return <><h1>Links</h1>{paths.map((path) => <p key={path}><Link href={'/' + path} prefetch="none">go {path}</Link></p>)}
        <p style={{ marginTop: 3000 }}><Link href="/area/one" prefetch="viewport">in view</Link></p></>;
    }`,
};

beforeAll(async () => {
  [browser, site] = await Promise.all([startBrowser(), serveSite({ files })]);
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await browser.close();
});

/** Opens a page as a document, and then by a link, and gives what stands in an element of each. */
async function seenBothWays(path: string, selector: string): Promise<(string | null)[]> {
  const direct = await openPage(browser);
  await direct.page.goto(`${site.url}/${path}`);
  await hydrated(direct.page);
  const seen = [await direct.page.textContent(selector)];
  const linked = await openPage(browser);
  await linked.page.goto(`${site.url}/links`);
  await hydrated(linked.page);
  await linked.page.click(`text="go ${path}"`);
  await linked.page.waitForSelector('h1:text("Links")', { state: 'detached' });
  seen.push(await linked.page.textContent(selector));
  expect(linked.requests.filter((one) => one === `/${path}`)).toEqual([]);
  return seen;
}

it('gives a page the values of its loader, on the server and in the client', async () => {
  const text = '0 true 12345678901234567891 example.com undefined true </script><!--';
  const { page, problems } = await openPage(browser);
  await page.goto(`${site.url}/values`);
  await hydrated(page);
  expect(problems).toEqual([]);
  expect(await seenBothWays('values', 'h1')).toEqual([text, text]);
});

it('gives a page promises, which settle later in the document and in the data', async () => {
  const { page, problems } = await openPage(browser);
  await page.goto(`${site.url}/late`);
  await page.waitForSelector('#late span');
  expect(problems).toEqual([]);
  expect(await seenBothWays('late', '#late:has(span)')).toEqual(['Later 0', 'Later 0']);
});

it('tells a boundary that a promise was rejected, and not why', async () => {
  const texts = await seenBothWays('rejected', '#boundary');
  expect(texts).toEqual(['Error: Internal server error', 'Error: Internal server error']);
  await expect.poll(() => site.process.errors()).toMatch(/GET \/rejected failed[.:]\s+Error: a secret/);
});

it('names what a loader returned that cannot be sent', async () => {
  const { page } = await openPage(browser);
  const response = await page.goto(`${site.url}/unsendable`);
  expect(response?.status()).toBe(500);
  await hydrated(page);
  expect(await page.textContent('#boundary')).toBe('Error: Internal server error');
  await expect
    .poll(() => site.process.errors())
    .toContain('The page /unsendable: order.total in what a loader returned is an instance of Money');
});

it('takes the data, the status and the headers of a Response with JSON', async () => {
  const answer = await fetch(`${site.url}/answered`);
  expect([answer.status, answer.headers.get('x-from'), answer.headers.get('content-type')]).toEqual([
    203,
    'the loader',
    'text/html; charset=utf-8',
  ]);
  expect(await seenBothWays('answered', 'h1')).toEqual(['{"redirect":"/about"}', '{"redirect":"/about"}']);
});

it('refuses a Response that is no data', async () => {
  expect((await fetch(`${site.url}/text`)).status).toBe(500);
  await expect.poll(() => site.process.errors()).toContain('A loader or an action returned a Response with text/plain');
});

it('shows a Response that is thrown by the boundary, with its status and headers', async () => {
  const answer = await fetch(`${site.url}/thrown`);
  expect([answer.status, answer.headers.get('x-from')]).toEqual([403, 'the loader']);
  expect(await seenBothWays('thrown', '#boundary')).toEqual(['Only members 403', 'Only members 403']);
});

it('shows +not-found for what a loader does not find', async () => {
  const answer = await fetch(`${site.url}/gone`, { headers: { accept: 'text/html' } });
  expect([answer.status, answer.headers.get('vary')]).toEqual([404, expect.stringMatching(/^Accept\b/)]);
  expect(await seenBothWays('gone', 'h1')).toEqual(['Not found', 'Not found']);
});

it('keeps the cookies of a redirect, as a document and as data', async () => {
  const answer = await fetch(`${site.url}/leaving?_appkit_data`);
  expect([answer.status, answer.headers.get('appkit-redirect'), answer.headers.getSetCookie()]).toEqual([
    204,
    '/about',
    ['a=1', 'b=2'],
  ]);
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/links`);
  await hydrated(page);
  await page.click('text="go leaving"');
  await page.waitForSelector('.about');
  expect(await page.evaluate(() => document.cookie)).toBe('a=1; b=2');
});

it('follows a redirect of middleware by one request for data', async () => {
  const { page, requests } = await openPage(browser);
  await page.goto(`${site.url}/links`);
  await hydrated(page);
  await page.click('text="go guarded"');
  await page.waitForSelector('.about');
  expect(new URL(page.url()).search).toBe('?from=guarded');
  expect(requests.filter((one) => /^\/(?:guarded|about)/.test(one))).toEqual(['/guarded?_appkit_data=']);
});

it('loads a layout with its page, and keeps its data while one goes to another page below', async () => {
  const { page, requests, problems } = await openPage(browser);
  await page.goto(`${site.url}/area/one`);
  await hydrated(page);
  const count = await page.textContent('#area');
  await page.click('text="to two"');
  await page.waitForSelector('h1:text("two")');
  expect(await page.textContent('#area')).toBe(count);
  expect(requests.filter((one) => one.startsWith('/area/two'))).toEqual(['/area/two?_appkit_data=2']);
  await page.evaluate(() => history.back());
  await page.waitForSelector('h1:text("one")');
  expect(await page.textContent('#area')).toBe(count);
  expect(problems).toEqual([]);
});

it('shows the boundary of a layout for its loader, and for a page without one', async () => {
  const direct = await openPage(browser);
  const response = await direct.page.goto(`${site.url}/area/throws`);
  expect(response?.status()).toBe(500);
  await hydrated(direct.page);
  await direct.page.click('#layout');
  expect(await direct.page.textContent('#area-boundary')).toBe('Error: Internal server error');
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/area/two?fails`);
  await page.waitForSelector('#area-boundary');
  await page.goto(`${site.url}/area/one`);
  await hydrated(page);
  await page.click('#layout');
  await page.click('text="to throw"');
  await page.waitForSelector('#area-boundary');
  expect(await page.textContent('#layout')).toBe('Layout 1');
});

it('shows the boundary of a page that throws while it is rendered, with status 500', async () => {
  expect((await fetch(`${site.url}/caught`)).status).toBe(500);
  expect(await seenBothWays('caught', '#boundary')).toEqual(['Error: Internal server error', 'Error: a secret']);
});

it('streams and comes to life under a policy that takes scripts by a nonce alone', async () => {
  const { page, problems } = await openPage(browser);
  const response = await page.goto(`${site.url}/policy`);
  await page.waitForSelector('#late:text("Later")');
  await hydrated(page);
  expect(await response?.text()).toMatch(/<script nonce="\w+">\$R/);
  expect(problems).toEqual([]);
});

it('gives a browser a document for an error that no boundary is for', async () => {
  const answer = await fetch(`${site.url}/text`, { headers: { accept: 'text/html' } });
  expect([answer.status, await answer.text()]).toEqual([
    500,
    expect.stringContaining('<h1>Internal server error</h1>'),
  ]);
  const other = await fetch(`${site.url}/text`, { headers: { accept: 'application/json' } });
  expect([other.status, await other.text()]).toEqual([500, 'Internal server error']);
});

it('loads a document of another release once, at the same address', async () => {
  const { page, requests } = await openPage(browser);
  // As a server answers that has been deployed since the document was loaded.
  await page.route('**/area/one?_appkit_data=', async (route) => {
    const response = await route.fetch();
    const body = (await response.text()).replace(/\/_appkit\/assets\/client-\w+/, '/_appkit/assets/client-0');
    await route.fulfill({ response, body });
  });
  await page.goto(`${site.url}/links`);
  await hydrated(page);
  await page.click('text="go area/one"');
  await page.waitForSelector('h1:text("one")');
  expect(requests.filter((one) => one.startsWith('/area/one'))).toEqual(['/area/one?_appkit_data=', '/area/one']);
  await hydrated(page);
  await page.click('text="to one"');
  await expect.poll(() => requests.filter((one) => one.startsWith('/area/one')).length).toBeGreaterThan(2);
  await page.waitForFunction(() => document.querySelector('#navigating')?.textContent === 'false');
  expect(requests.filter((one) => one === '/area/one')).toEqual(['/area/one']);
});

it.each(['%0A', '%E2%80%A8', '%E2%80%A9', '%0D'])('finds a page whose parameter is %s', async (name) => {
  const { page, problems } = await openPage(browser);
  const response = await page.goto(`${site.url}/books/${name}`);
  expect(response?.status()).toBe(200);
  await hydrated(page);
  expect(await page.textContent('h1')).toBe(`Book ${JSON.stringify(decodeURIComponent(name))}`);
  expect(problems).toEqual([]);
});

it('loads the data of a link in view, once, and uses them', async () => {
  const { page, requests } = await openPage(browser);
  await page.goto(`${site.url}/links`);
  await hydrated(page);
  await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
  await expect.poll(() => requests).toContain('/area/one?_appkit_data=');
  await page.click('text="in view"');
  await page.waitForSelector('h1:text("one")');
  expect(requests.filter((one) => one.startsWith('/area/one'))).toEqual(['/area/one?_appkit_data=']);
});

it('moves the focus and says the title after a navigation', async () => {
  const { page } = await openPage(browser);
  await page.goto(site.url);
  await hydrated(page);
  await page.focus('nav a[href="/about"]');
  await page.keyboard.press('Enter');
  await page.waitForSelector('.about');
  await expect.poll(() => page.textContent('[aria-live]')).toBe('About');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BODY');
});

it('asks for all data again, past the caches, by a link to the same page', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/area/one`);
  await hydrated(page);
  const count = Number(await page.textContent('#area'));
  const asked = page.waitForRequest((request) => request.url().endsWith('/area/one?_appkit_data='));
  await page.click('text="to one"');
  expect((await (await asked).allHeaders())['cache-control']).toBe('max-age=0');
  await page.waitForFunction((before) => document.querySelector('#area')?.textContent === String(before + 1), count);
});
