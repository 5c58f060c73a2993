import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { startSessionSite } from './fixtures/session-site.ts';
import type { SessionSite } from './fixtures/session-site.ts';
import { createSessionServer } from './server.ts';

let browser: Browser;
let site: SessionSite;
let provider: LocalProvider;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, site] = await Promise.all([startBrowser(), startSessionSite()]);
  provider = await startProvider({}, site.origin);
  const { clientId, clientSecret } = clients.server;
  site.sessions = createSessionServer({
    issuer: provider.issuer,
    clientId,
    clientSecret,
    secrets: ['a secret of the tests, long enough'],
    scopes: ['openid', 'offline_access'],
  });
});

afterAll(async () => {
  await browser.close();
  await site[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(60_000);
  page = await context.newPage();
});

afterEach(() => context.close());

/** At the pages of the provider, which ask for a name and for consent. */
async function signIn(): Promise<void> {
  await page.locator('[name=login]').fill('ada');
  await page.locator('[name=password]').fill('any');
  await page.locator('button[type=submit]').click();
  await page.getByRole('button', { name: 'Continue' }).click();
  await page.getByRole('heading', { name: 'ada' }).waitFor();
}

it('signs in by a link and out by a form, in a browser without scripts on the page', async () => {
  await page.goto(site.origin);
  await page.getByRole('link', { name: 'Sign in' }).click();
  await signIn();
  expect(page.url()).toBe(`${site.origin}/account`);
  const cookies = await context.cookies(site.origin);
  expect(cookies).toMatchObject([
    { name: 'auth-session', httpOnly: true, sameSite: 'Lax', path: '/', domain: 'localhost' },
  ]);
  expect(await page.evaluate(() => [document.cookie, localStorage.length, sessionStorage.length])).toEqual(['', 0, 0]);
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('button', { name: 'Yes, sign me out' }).click();
  await page.getByRole('heading', { name: 'Home' }).waitFor();
  expect([page.url(), await context.cookies(site.origin)]).toEqual([`${site.origin}/`, []]);
});

it('signs in with a provider on another site that posts its answer', async () => {
  const { sessions } = site;
  const { clientId, clientSecret } = clients.server;
  site.sessions = createSessionServer({
    issuer: provider.issuer,
    clientId,
    clientSecret,
    secrets: ['a secret of the tests, long enough'],
    extraParams: { response_mode: 'form_post' },
  });
  onTestFinished(() => {
    site.sessions = sessions;
  });
  const posted = page.waitForRequest((request) => request.method() === 'POST' && request.url().startsWith(site.origin));
  await page.goto(`${site.origin}/account`);
  await signIn();
  // The browser has kept the cookie of the sign-in back from the form, and sent it with the redirect.
  expect((await (await posted).allHeaders())['cookie']).toBeUndefined();
  expect(page.url()).toBe(`${site.origin}/account`);
});

it('leads a stranger from a guarded page to the sign-in and back, and another tab is signed in as well', async () => {
  await page.goto(`${site.origin}/account?tab=2`);
  await signIn();
  expect(page.url()).toBe(`${site.origin}/account?tab=2`);
  const other = await context.newPage();
  await other.goto(`${site.origin}/account`);
  await other.getByRole('heading', { name: 'ada' }).waitFor();
  expect(await other.evaluate(async () => (await fetch('/me')).json())).toEqual({ subject: 'ada' });
});

it('lets another site neither sign out nor change anything, with the cookies of the user', async () => {
  await page.goto(`${site.origin}/account`);
  await signIn();
  const evil = await context.newPage();
  // A page of another site: 127.0.0.1 is not localhost.
  await evil.goto(`${provider.issuer}/.well-known/openid-configuration`);
  const statuses: number[] = [];
  evil.on('response', (response) => {
    if (response.url().startsWith(site.origin)) statuses.push(response.status());
  });
  for (const path of ['/auth/sign-out', '/me']) {
    const answered = evil.waitForResponse((response) => response.url() === site.origin + path);
    await evil.evaluate((action) => {
      const form = document.createElement('form');
      Object.assign(form, { method: 'post', action, target: 'other' });
      document.body.append(form, Object.assign(document.createElement('iframe'), { name: 'other' }));
      form.submit();
    }, site.origin + path);
    expect([path, (await answered).status()]).toEqual([path, 403]);
  }
  await page.reload();
  await page.getByRole('heading', { name: 'ada' }).waitFor();
});

it('says so when the user has cancelled, with a way to try again', async () => {
  await page.goto(`${site.origin}/account`);
  await page.getByRole('link', { name: 'Cancel' }).click();
  await page.getByText('You have not been signed in.').waitFor();
  await page.getByRole('link', { name: 'Sign in again' }).click();
  await signIn();
});
