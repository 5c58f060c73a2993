import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { startBrowser } from '../fixtures/browser.ts';
import { startSites, type Sites } from '../fixtures/sites.ts';
import type * as webBrowser from './index.ts';

declare const window: {
  browser: typeof webBrowser;
  open: () => null;
  result?: Promise<unknown>;
  completed?: webBrowser.WebBrowserCompleteAuthSessionResult;
};

const script = join(import.meta.dirname, 'fixtures/page.ts');

let browser: Browser;
let sites: Sites;
let context: BrowserContext;
let app: Page;

beforeAll(async () => {
  [browser, sites] = await Promise.all([startBrowser(), startSites({ script })]);
});

afterAll(async () => {
  await browser.close();
  await sites[Symbol.asyncDispose]();
});

beforeEach(async () => {
  await context?.close();
  context = await browser.newContext();
  app = await openApp();
});

async function openApp(query = ''): Promise<Page> {
  const page = await context.newPage();
  await page.goto(`${sites.app}/${query}`);
  return page;
}

function authUrl(params: Record<string, string> = {}): string {
  const redirect_uri = `${sites.app}/callback`;
  return `${sites.provider}/authorize?${new URLSearchParams({ redirect_uri, state: 'the state', ...params })}`;
}

/** Clicks the button of the app, which opens the session, and gives its popup. */
async function signIn(page = app, url = authUrl(), options: webBrowser.AuthSessionOpenOptions = {}): Promise<Page> {
  await page.evaluate(
    ([url, options]) => {
      const button = document.querySelector('button');
      button?.addEventListener(
        'click',
        () => {
          window.result = window.browser.openAuthSessionAsync(url, null, options);
          window.result.catch(() => {});
        },
        { once: true },
      );
    },
    [url, options] as const,
  );
  const [popup] = await Promise.all([context.waitForEvent('page'), page.click('button')]);
  // One that ends by itself may have done so already.
  if (options.timeoutMs === undefined) await popup.waitForLoadState();
  return popup;
}

function resultOf(page = app): Promise<unknown> {
  return page.evaluate(() => window.result);
}

function storageOf(page = app): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage));
}

it('gives the URL that the popup came back to, and leaves nothing', async () => {
  const popup = await signIn();
  await Promise.all([popup.waitForEvent('close'), popup.click('a')]);
  expect(await resultOf()).toEqual({
    type: 'success',
    url: `${sites.app}/callback?state=the+state&code=for+the+state`,
  });
  expect(await storageOf()).toEqual([]);
});

for (const coop of ['same-origin', 'same-origin-allow-popups', 'noopener-allow-popups']) {
  it(`works when the provider sends Cross-Origin-Opener-Policy: ${coop}`, async () => {
    const popup = await signIn(app, authUrl({ coop }));
    // Long enough for a poll of popup.closed to be misled.
    await popup.bringToFront();
    await popup.waitForTimeout(600);
    await Promise.all([popup.waitForEvent('close'), popup.click('a')]);
    expect(await resultOf()).toMatchObject({ type: 'success' });
  });

  it(`works when the app sends Cross-Origin-Opener-Policy: ${coop}`, async () => {
    const page = await openApp(`?app-coop=${coop}`);
    const popup = await signIn(page, authUrl({ 'app-coop': coop }));
    await popup.bringToFront();
    await Promise.all([popup.waitForEvent('close'), popup.click('a')]);
    expect(await resultOf(page)).toMatchObject({ type: 'success' });
  });
}

it('ends as cancel when the user closes the popup', async () => {
  const popup = await signIn();
  await popup.close();
  await app.bringToFront();
  expect(await resultOf()).toEqual({ type: 'cancel' });
  expect(await storageOf()).toEqual([]);
});

it('ends as cancel when the page that is returned to tells nobody, and the user closes it', async () => {
  const popup = await signIn(app, authUrl({ redirect_uri: `${sites.app}/page-without-the-call` }));
  await popup.click('a');
  await popup.waitForURL(/page-without-the-call\?.*code=/);
  await popup.close();
  await app.bringToFront();
  expect(await resultOf()).toEqual({ type: 'cancel' });
});

it('ends as dismiss when the app says so, and can begin anew', async () => {
  const popup = await signIn();
  const closed = popup.waitForEvent('close');
  await app.evaluate(() => window.browser.dismissAuthSession());
  expect(await resultOf()).toEqual({ type: 'dismiss' });
  await closed;
  const next = await signIn();
  await next.click('a');
  expect(await resultOf()).toMatchObject({ type: 'success' });
});

it('ends as dismiss after its time', async () => {
  await signIn(app, authUrl(), { timeoutMs: 50 });
  expect(await resultOf()).toEqual({ type: 'dismiss' });
});

it('is locked while a session is under way', async () => {
  const popup = await signIn();
  const second = await app.evaluate((url) => window.browser.openAuthSessionAsync(url), authUrl());
  expect(second).toEqual({ type: 'locked' });
  await popup.click('a');
  expect(await resultOf()).toMatchObject({ type: 'success' });
});

it('keeps two tabs apart', async () => {
  const other = await openApp();
  const [first, second] = [
    await signIn(app, authUrl({ state: 'first' })),
    await signIn(other, authUrl({ state: 'second' })),
  ];
  await second.click('a');
  expect(await resultOf(other)).toMatchObject({ url: expect.stringContaining('code=for+second') });
  expect(await storageOf()).toHaveLength(1);
  await first.click('a');
  expect(await resultOf()).toMatchObject({ url: expect.stringContaining('code=for+first') });
});

it('says that the popup was blocked', async () => {
  const error = await app.evaluate(async (url) => {
    window.open = () => null;
    return window.browser
      .openAuthSessionAsync(url)
      .catch((error: Error & { code?: string }) => [error.code, error.message]);
  }, authUrl());
  expect(error).toEqual(['ERR_WEB_BROWSER_BLOCKED', expect.stringContaining("mode: 'redirect'")]);
  expect(await storageOf()).toEqual([]);
});

it.each([['https://elsewhere.example/callback'], ['com.example.app:/callback'], ['not a URL']])(
  'refuses the redirect URL %s, which cannot tell this page',
  async (redirect) => {
    const error = await app.evaluate(
      ([url, redirect]) => {
        try {
          void window.browser.openAuthSessionAsync(url, redirect);
          return null;
        } catch (error) {
          return (error as { code?: string }).code;
        }
      },
      [authUrl(), redirect] as const,
    );
    expect(error).toBe('ERR_WEB_BROWSER_REDIRECT');
  },
);

it('takes no answer from another origin or with another handle', async () => {
  const popup = await signIn();
  const forged = `${sites.app}/callback?code=forged&state=the+state`;
  await popup.evaluate((url) => {
    const opener = (globalThis as unknown as { opener: Window }).opener;
    opener.postMessage({ type: 'answer', handle: 'guessed', url }, '*');
    opener.postMessage(null, '*');
    opener.postMessage({ type: 'answer', url }, '*');
  }, forged);
  await popup.click('a');
  expect(await resultOf()).toMatchObject({ url: expect.stringContaining('code=for+the+state') });
});

it('completes nothing where no session is under way', async () => {
  const page = await context.newPage();
  await page.goto(`${sites.app}/callback?code=c&state=s`);
  expect(await page.evaluate(() => window.completed)).toEqual({
    type: 'failed',
    message: 'No session of this origin is under way.',
  });
});

it('completes nothing with the state of no session', async () => {
  await signIn();
  const page = await context.newPage();
  await page.goto(`${sites.app}/callback?code=c&state=forged`);
  expect(await page.evaluate(() => window.completed)).toMatchObject({ type: 'failed' });
});

it('gives the result of a redirect to the page that it came back to, once', async () => {
  await app.evaluate((url) => void window.browser.openAuthSessionAsync(url, null, { mode: 'redirect' }), authUrl());
  await app.waitForURL(/authorize/);
  await app.click('a');
  await app.waitForURL(/callback/);
  const result = () => app.evaluate(() => window.browser.getRedirectResult());
  expect(await result()).toEqual({ type: 'success', url: `${sites.app}/callback?state=the+state&code=for+the+state` });
  expect(await result()).toBe(null);
  expect(await storageOf()).toEqual([]);
});

it('opens a page beside the app', async () => {
  const [page, result] = await Promise.all([
    context.waitForEvent('page'),
    app.evaluate((url) => window.browser.openBrowserAsync(url), authUrl()),
  ]);
  expect(result).toEqual({ type: 'opened' });
  expect(page.url()).toBe(authUrl());
});
