import path from 'node:path';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { startSites } from '../fixtures/sites.ts';
import type { Sites } from '../fixtures/sites.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import type { HookPage, Shown } from './fixtures/hook-page.tsx';

declare const window: { page: HookPage; open: unknown };

const script = path.join(import.meta.dirname, 'fixtures/hook-page.tsx');

let browser: Browser;
let sites: Sites;
let issuer: AnsweringServer;
let context: BrowserContext;
let app: Page;

beforeAll(async () => {
  [browser, sites, issuer] = await Promise.all([startBrowser(), startSites({ script }), startAnsweringServer()]);
});

afterAll(async () => {
  await browser.close();
  await Promise.all([sites[Symbol.asyncDispose](), issuer[Symbol.asyncDispose]()]);
});

beforeEach(async () => {
  context = await browser.newContext();
  app = await context.newPage();
  await app.goto(sites.app);
});

afterEach(async () => {
  const unhandled = await app.evaluate(() => window.page.unhandled);
  await context.close();
  expect(unhandled).toEqual([]);
});

/** Renders the app with the provider's endpoint. */
async function show(shown: Partial<Shown> = {}): Promise<void> {
  const whole = { clientId: 'first', endpoint: `${sites.provider}/authorize`, ...shown };
  await app.evaluate((shown) => window.page.show(shown), whole);
}

const ready = (): Promise<void> => app.getByText('Sign in').waitFor();
const told = (): Promise<string[]> => app.evaluate(() => window.page.told);

/** The result that the hook shows, once it is an error. */
async function shownError(): Promise<{ errorCode: string; error: { code: string }; params: object; event: object }> {
  const output = app.locator('output', { hasText: '"error"' });
  await output.waitFor();
  return JSON.parse((await output.textContent()) ?? '');
}

/** The message of the error that the prompt gave. */
const message = (): Promise<string | undefined> =>
  app.evaluate(async () => {
    const result = await window.page.prompted;
    return result?.type === 'error' ? result.error?.message : undefined;
  });

async function click(): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), app.click('button')]);
  await popup.waitForLoadState();
  return popup;
}

it('ends as an error that says what to do when the browser blocks the popup', async () => {
  await show();
  await ready();
  await app.evaluate(() => Object.assign(window, { open: () => null }));
  await app.click('button');
  expect(await shownError()).toMatchObject({ errorCode: 'ERR_WEB_BROWSER_BLOCKED', params: {} });
  expect(await message()).toContain(
    "Open it in the click itself, with nothing awaited before, or use mode: 'redirect'",
  );
});

it('ends as an error that says so when the page cannot keep anything', async () => {
  await show();
  await ready();
  await app.evaluate(() =>
    Object.defineProperty(Storage.prototype, 'setItem', {
      value: () => {
        throw new Error('full');
      },
    }),
  );
  await app.click('button');
  expect(await shownError()).toMatchObject({ errorCode: 'ERR_WEB_BROWSER_STORAGE' });
});

it('says that the device is offline when the user closes a popup that could not load', async () => {
  await app.clock.install();
  await app.goto(sites.app);
  await show();
  await ready();
  const popup = await click();
  // As a user does, who has seen it.
  await app.clock.runFor(300);
  await popup.close();
  await app.waitForFunction(() => window.page.popup?.closed);
  // Not before: Chromium forgets it for all pages of a process when one of them is closed.
  await context.setOffline(true);
  await app.bringToFront();
  await app.clock.runFor(1000);
  expect(await shownError()).toMatchObject({ errorCode: 'no_response' });
  expect(await message()).toBe('This device is offline, so the sign-in could not end. Try again when it is online.');
});

it('names a code that no standard knows', async () => {
  await show();
  await ready();
  const popup = await click();
  const state = new URL(popup.url()).searchParams.get('state') ?? '';
  const answer = new URLSearchParams({ error: 'tenant_is_asleep', error_description: 'Call 555-0100.', state });
  await popup.goto(`${sites.app}/callback?${answer}`).catch(() => {});
  expect(await shownError()).toMatchObject({ errorCode: 'tenant_is_asleep', error: { description: 'Call 555-0100.' } });
  expect(await message()).toBe('The authorization server answered with the error tenant_is_asleep.');
});

it('tells onError that the provider is down, or lacks CORS, and where', async () => {
  const gone = await startAnsweringServer();
  await gone[Symbol.asyncDispose]();
  await show({ issuer: gone.origin, withOnError: true });
  await expect
    .poll(told)
    .toEqual([`The issuer at ${gone.origin} has not answered: it is down, or lacks CORS for ${sites.app}.`]);
});

it('tells onError that a provider which answers may lack CORS', async () => {
  issuer.answer = json(200, { issuer: issuer.origin, authorization_endpoint: `${sites.provider}/authorize` });
  await show({ issuer: issuer.origin, withOnError: true });
  await expect.poll(told).toEqual([expect.stringContaining(`lacks CORS for ${sites.app}`)]);
});

it('tells onError that the device is offline', async () => {
  await context.setOffline(true);
  await show({ issuer: issuer.origin, withOnError: true });
  await expect.poll(told).toEqual([`The issuer at ${issuer.origin} has not answered: this device is offline.`]);
});

it('tries the discovery again with the retry that onError is given', async () => {
  issuer.answer = (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    json(503, { down: true })(request, response);
  };
  await show({ issuer: issuer.origin, withOnError: true });
  await expect.poll(told).toHaveLength(1);
  await app.evaluate(() => window.page.retry?.());
  await expect.poll(told).toHaveLength(2);
  issuer.answer = (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    json(200, { issuer: issuer.origin, authorization_endpoint: `${sites.provider}/authorize` })(request, response);
  };
  await app.evaluate(() => window.page.retry?.());
  await ready();
  expect(await told()).toHaveLength(2);
});
