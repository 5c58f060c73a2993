import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { hydrated, openPage } from './fixtures/browser-page.ts';
import { serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

let browser: Browser;
let site: ServedSite;

const files = {
  'app/tasks.tsx': `import { Form, useActionData, useIsSubmitting, useLoaderData } from 'appkit-router';
    import { StatusError } from 'appkit-server';
    const tasks = ['first'];
    export const loader = () => ({ tasks });
    export async function action(request: Request) {
      const fields = await request.formData();
      const text = String(fields.get('text'));
      if (text === '') return Response.json({ problem: 'Write something' }, { status: 422 });
      if (text === 'fail') throw new StatusError(409, 'There is one');
      if (text === 'away') return new Response(null, { status: 303, headers: { location: '/about', 'set-cookie': 'sent=1' } });
      if (text === 'unsendable') return { saved: { when: () => new Date() } };
      tasks.push(text);
      return { added: text + ' by ' + String(fields.get('by')), search: new URL(request.url).search };
    }
    export default function Tasks() {
      const said = useActionData<typeof action>();
      return <>
        <h1>Tasks</h1>
        <ul>{useLoaderData<typeof loader>().tasks.map((task) => <li key={task}>{task}</li>)}</ul>
        <output id="said">{JSON.stringify(said ?? null)}</output>
        <output id="submitting">{String(useIsSubmitting())}</output>
        <Form><input name="text" /><button name="by" value="button">Add</button></Form>
      </>;
    }
    export function ErrorBoundary({ error }: { error: unknown }) { return <h1 id="boundary">{(error as Error).message}</h1>; }`,
  'app/search.tsx': `import { Form, useLocalSearchParams } from 'appkit-router';
    export default function Search() {
      return <><h1>Found {String(useLocalSearchParams()['q'])}</h1><Form method="get"><input name="q" /><button>Search</button></Form></>;
    }`,
};

beforeAll(async () => {
  [browser, site] = await Promise.all([startBrowser(), serveSite({ files })]);
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await browser.close();
});

const send = (text: string, headers: Record<string, string> = {}): Promise<Response> =>
  fetch(`${site.url}/tasks`, { method: 'POST', body: new URLSearchParams({ text }), headers, redirect: 'manual' });

it('sends a form without loading a document, and loads the data again', async () => {
  const { page, requests, problems } = await openPage(browser);
  await page.goto(`${site.url}/tasks?list=1`);
  await hydrated(page);
  await page.click('#layout');
  await page.fill('input', 'from the client');
  await page.click('button:text("Add")');
  await page.waitForSelector('li:text("from the client")');
  expect(await page.textContent('#said')).toBe('{"added":"from the client by button","search":"?list=1"}');
  expect(await page.textContent('#layout')).toBe('Layout 1');
  expect(await page.evaluate(() => document.activeElement?.tagName)).toBe('BUTTON');
  expect(await page.textContent('#submitting')).toBe('false');
  expect(requests.filter((one) => one.startsWith('/tasks'))).toEqual(['/tasks?list=1', '/tasks?list=1&_appkit_data=']);
  expect(await page.evaluate(() => history.length)).toBe(2);
  expect(problems).toEqual([]);
});

it('shows what an action refuses, with its status', async () => {
  const { page, problems } = await openPage(browser);
  await page.goto(`${site.url}/tasks`);
  await hydrated(page);
  await page.click('button:text("Add")');
  await page.waitForSelector('#said:text("Write something")');
  expect(problems.filter((problem) => !problem.includes('422'))).toEqual([]);
  expect((await send('')).status).toBe(422);
});

it('shows the boundary for an action that throws', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/tasks`);
  await hydrated(page);
  await page.fill('input', 'fail');
  await page.click('button:text("Add")');
  await page.waitForSelector('#boundary');
  expect(await page.textContent('#boundary')).toBe('There is one');
  const answer = await send('fail');
  expect([answer.status, await answer.text()]).toEqual([409, expect.stringContaining('There is one')]);
});

it('shows the boundary for what an action returns that cannot be sent, and names it', async () => {
  const document = await send('unsendable');
  expect([document.status, await document.text()]).toEqual([500, expect.stringContaining('id="boundary"')]);
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/tasks`);
  await hydrated(page);
  await page.fill('input', 'unsendable');
  await page.click('button:text("Add")');
  expect(await page.textContent('#boundary')).toBe('Internal server error');
  await expect
    .poll(() => site.process.errors())
    .toContain('The page /tasks: saved.when in what its action returned is a function');
});

it('goes where an action redirects, with its cookies, as another entry of the history', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/tasks`);
  await hydrated(page);
  await page.fill('input', 'away');
  await page.click('button:text("Add")');
  await page.waitForSelector('.about');
  expect(await page.evaluate(() => document.cookie)).toBe('sent=1');
  await page.goBack();
  await page.waitForSelector('h1:text("Tasks")');
});

it('works without JavaScript', async () => {
  const context = await browser.newContext({ javaScriptEnabled: false });
  const page = await context.newPage();
  await page.goto(`${site.url}/tasks`);
  await page.fill('input', 'without');
  await page.click('button:text("Add")');
  await page.waitForSelector('li:text("without")');
  expect(await page.textContent('#said')).toContain('without by button');
  await page.fill('input', 'away');
  await page.click('button:text("Add")');
  await page.waitForURL('**/about');
  await context.close();
});

it('hydrates the answer to a form that was sent before the page came to life', async () => {
  const { page, problems } = await openPage(browser);
  await page.route('**/client-*.js', (route) => route.abort());
  await page.goto(`${site.url}/tasks`);
  await page.unroute('**/client-*.js');
  await page.fill('input', 'early');
  problems.length = 0;
  await page.click('button:text("Add")');
  await page.waitForSelector('li:text("early")');
  await hydrated(page);
  expect(await page.textContent('#said')).toContain('early by button');
  expect(problems).toEqual([]);
});

it('refuses a form of another origin', async () => {
  const refused: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { origin: 'https://evil.example' },
    { origin: 'null' },
  ];
  for (const headers of refused) expect([headers, (await send('x', headers)).status]).toEqual([headers, 403]);
  const taken: Record<string, string>[] = [{}, { 'sec-fetch-site': 'same-origin' }, { origin: site.url }];
  for (const headers of taken) expect([headers, (await send('y', headers)).status]).toEqual([headers, 200]);
});

it('answers only the methods it has', async () => {
  const answer = await fetch(`${site.url}/tasks`, { method: 'PUT' });
  expect([answer.status, answer.headers.get('allow')]).toEqual([405, 'GET, POST, HEAD']);
});

it('goes to the query of a form of the method get', async () => {
  const { page, requests } = await openPage(browser);
  await page.goto(`${site.url}/search`);
  await hydrated(page);
  await page.fill('input', 'a b');
  await page.click('button:text("Search")');
  await page.waitForSelector('h1:text("Found a b")');
  expect(new URL(page.url()).search).toBe('?q=a+b');
  expect(requests.filter((one) => one.startsWith('/search'))).toEqual(['/search']);
});
