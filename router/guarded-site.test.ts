import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, expect, it, onTestFinished } from 'vitest';
import { startHostileProvider } from '../auth/session/fixtures/hostile/provider.ts';
import type { HostileProvider } from '../auth/session/fixtures/hostile/provider.ts';
import { hydrated, openPage, startSiteBrowser } from './fixtures/browser-page.ts';
import { serveSite } from './fixtures/serve-site.ts';
import type { ServedSite } from './fixtures/serve-site.ts';

let browser: Browser;
let provider: HostileProvider;
let site: ServedSite;

beforeAll(async () => {
  // It signs a user in at once, without a page, and tells no lies here.
  [browser, provider] = await Promise.all([startSiteBrowser(), startHostileProvider()]);
  const plugins = [['appkit-router', { formOrigins: [provider.issuer] }]];
  site = await serveSite({ files: filesFor(provider.issuer), config: { web: { output: 'server' }, plugins } });
});

afterAll(async () => {
  await site[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
  await browser.close();
});

/** A page that only signed-in users may see, as the guide to sign-in guards it. */
function filesFor(issuer: string): Record<string, string> {
  return {
    'server/sessions.ts': `
      import { createSessionServer } from 'appkit-auth-session/server';
      import { runTask, setResponseHeaders } from 'appkit-server';
      const secrets = ['a secret of the tests, long enough'];
      export const sessions = createSessionServer({ issuer: '${issuer}', clientId: 'client', secrets, runTask, setResponseHeaders });`,
    'app/auth/[...auth]+api.ts': `
      import { sessions } from '../../server/sessions.ts';
      export const { GET, POST } = sessions;`,
    'app/+middleware.ts': `
      import { sessions } from '../server/sessions.ts';
      export const config = { matcher: { patterns: ['/account'] } };
      export default (request: Request): Promise<Response | undefined> => sessions.guard(request);`,
    'app/account.tsx': `
      import { Form, useLoaderData } from 'appkit-router';
      import { sessions } from '../server/sessions.ts';
      export const loader = async (request: Request) => ({ subject: (await sessions.read(request))?.subject ?? null });
      export const action = () => ({});
      export default function Account() {
        return <><h1>Account of {useLoaderData<typeof loader>().subject}</h1><Form><button>Save</button></Form></>;
      }`,
    'app/visits+api.ts': `
      import { createSession } from 'appkit-server/session';
      const session = createSession<{ count: number }>({ secrets: ['a secret of the tests, long enough'] });
      export const GET = async (): Promise<Response> =>
        Response.json(await session.update((data) => ({ count: (data?.count ?? 0) + 1 })));`,
    'app/counter+api.ts': `
      const headers = { 'set-cookie': 'visits=7; Path=/; SameSite=None; Secure' };
      export const GET = (): Response => new Response('counted', { headers });`,
    'app/start.tsx': `
      import { Link } from 'appkit-router';
      export default () => <Link href="/account?tab=2">Account</Link>;`,
  };
}

it('leads a stranger who follows a link to a guarded page to the sign-in, and back to that page', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/start`);
  await hydrated(page);
  await page.click('text=Account');
  await page.waitForSelector('h1');
  expect(await page.textContent('h1')).toBe('Account of ada');
  expect(page.url()).toBe(`${site.url}/account?tab=2`);
});

it('leads a visitor to the sign-in and back whose session has ended when they send a form', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/account?tab=2`);
  await hydrated(page);
  await page.context().clearCookies();
  const back = page.waitForRequest((request) => request.url().includes('/auth/callback?'));
  await page.click('text=Save');
  await back;
  await page.waitForURL(`${site.url}/account?tab=2`);
  expect(await page.textContent('h1')).toBe('Account of ada');
});

it('keeps the user signed in next to a session of appkit-server, both with their default names', async () => {
  const { page } = await openPage(browser);
  await page.goto(`${site.url}/account`);
  const visit = (): Promise<string> => page.evaluate(async () => (await fetch('/visits')).text());
  expect([await visit(), await visit()]).toEqual(['{"count":1}', '{"count":2}']);
  await page.reload();
  // Otherwise the provider signs the user in again, which nobody sees here.
  const names = (await page.context().cookies()).map(({ name }) => name);
  expect(names.toSorted()).toEqual(['auth-session', 'session']);
  expect(await page.textContent('h1')).toBe('Account of ada');
  expect(await visit()).toBe('{"count":3}');
});

it('signs in by a form that the provider posts with another cookie of the app', async () => {
  const { page } = await openPage(browser);
  // As of a counter of visitors. Browsers keep back those of the sign-in, which are Lax.
  await page.goto(`${site.url}/counter`);
  postAnswers(provider, `${site.url}/auth/callback`);
  onTestFinished(() => provider.begin({}));
  const posting = page.waitForRequest((request) => request.method() === 'POST');
  await page.goto(`${site.url}/account?tab=2`);
  const posted = await posting;
  expect([posted.url(), (await posted.allHeaders())['cookie']]).toEqual([`${site.url}/auth/callback`, 'visits=7']);
  expect((await posted.response())?.status()).toBe(303);
  await page.waitForURL(`${site.url}/account?tab=2`);
  expect(await page.textContent('h1')).toBe('Account of ada');
});

/** Lets the provider answer with a page that posts a form, as Apple does. */
function postAnswers(provider: HostileProvider, action: string): void {
  let inputs = '';
  provider.begin({
    answer(honest) {
      const fields = Object.entries({ ...honest, user: '{"name":{"firstName":"Ada"}}' });
      inputs = fields.map(([name, value]) => `<input name="${name}" value='${value}'>`).join('');
      return `${provider.issuer}/device`;
    },
    reply: {
      device: () => ({
        status: 200,
        headers: { 'content-type': 'text/html' },
        body: `<body onload="document.forms[0].submit()"><form method="post" action="${action}">${inputs}</form>`,
      }),
    },
  });
}
