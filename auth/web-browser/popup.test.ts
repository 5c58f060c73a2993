import path from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { movesFocus, startBrowser } from '../fixtures/browser.ts';
import { startSites } from '../fixtures/sites.ts';
import type { Sites } from '../fixtures/sites.ts';
import type * as webBrowser from './index.ts';

declare const window: {
  browser: typeof webBrowser;
  open: (...given: unknown[]) => Window | null;
  popup?: Window | null;
  abort: AbortController;
  result?: Promise<unknown>;
  first?: Promise<unknown> | undefined;
  completed?: webBrowser.WebBrowserCompleteAuthSessionResult;
};

const script = path.join(import.meta.dirname, 'fixtures/page.ts');

let browser: Browser;
let sites: Sites;
/** Of most tests. */
let shared: BrowserContext;
let context: BrowserContext;
let app: Page;

beforeAll(async () => {
  [browser, sites] = await Promise.all([startBrowser(), startSites({ script })]);
  shared = await newContext();
});

afterAll(async () => {
  await browser.close();
  await sites[Symbol.asyncDispose]();
});

// As a context and a window of its own, which take a second.
beforeEach(async () => {
  context = shared;
  const [first, ...others] = context.pages();
  for (const other of others) await other.close();
  app = first ?? (await context.newPage());
  await app.goto(sites.app);
  await app.evaluate(() => localStorage.clear());
  await app.bringToFront();
});

async function newContext(of = browser): Promise<BrowserContext> {
  const made = await of.newContext();
  made.setDefaultTimeout(120_000);
  // Time stands still in every page, but for what a test lets pass.
  await made.clock.install({ time: 0 });
  await made.clock.pauseAt(1);
  return made;
}

/** Gives the test a context that it may spoil, for the pages that it opens from now on. */
async function ownContext(of = browser): Promise<void> {
  const own = await newContext(of);
  onTestFinished(() => own.close());
  context = own;
}

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
          const { open } = window;
          window.open = (...given) => (window.popup = open.apply(window, given));
          window.result = window.browser.openAuthSessionAsync(url, null, options);
          window.open = open;
          window.result.catch(() => {});
        },
        { once: true },
      );
    },
    [url, options] as const,
  );
  const [popup] = await Promise.all([context.waitForEvent('page'), page.click('button')]);
  await popup.waitForLoadState();
  return popup;
}

/** Lets the time pass, in every page. */
function pass(ms: number): Promise<void> {
  return context.clock.runFor(ms);
}

/** Waits until the popup looks closed to the page that opened it: it is, or its page has cut it off. */
function looksClosed(page = app): Promise<unknown> {
  return page.waitForFunction(() => window.popup?.closed);
}

/** Closes a popup as a user does, who has looked at it. */
async function closeByUser(popup: Page): Promise<void> {
  await pass(600);
  await popup.close();
  await looksClosed();
  await app.bringToFront();
  await pass(1000);
}

/** What the session has come to, if what has happened in its page so far has ended it. */
function settled(page = app): Promise<unknown> {
  return page.evaluate(() => {
    const { port1, port2 } = new MessageChannel();
    const turn = new Promise<void>((resolve) => {
      port1.addEventListener('message', () => resolve());
      port1.start();
    });
    port2.postMessage(null);
    return Promise.race([window.result, turn]);
  });
}

function resultOf(page = app): Promise<unknown> {
  return page.evaluate(() => window.result);
}

function storageOf(page = app): Promise<string[]> {
  return page.evaluate(() => Object.keys(localStorage));
}

it('runs without what the oldest supported browsers lack', async () => {
  const present = await app.evaluate(() =>
    [
      [URL, 'canParse'],
      [Response, 'json'],
      [AbortSignal, 'any'],
      [Promise, 'withResolvers'],
      [Object.getPrototypeOf(Object.getPrototypeOf([][Symbol.iterator]())), 'map'],
    ].filter(([holder, name]) => name in holder),
  );
  expect(present).toEqual([]);
});

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
    await looksClosed();
    await popup.bringToFront();
    // Long enough for a poll of popup.closed to be misled.
    await pass(600);
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

it('ends as cancel within a second when the user closes the popup', async () => {
  const popup = await signIn();
  await closeByUser(popup);
  expect(await resultOf()).toEqual({ type: 'cancel' });
  // In case that it was only cut off.
  expect(await storageOf()).toEqual([expect.stringMatching(/:record:/)]);
});

it('is not misled by a provider that cuts off its popup, which the user looks away from', async () => {
  const popup = await signIn(app, authUrl({ coop: 'same-origin' }));
  await looksClosed();
  await app.bringToFront();
  await pass(2500);
  expect(await settled()).toBe(undefined);
  await Promise.all([popup.waitForEvent('close'), popup.click('a')]);
  expect(await resultOf()).toMatchObject({ type: 'success' });
  expect(await storageOf()).toEqual([]);
});

/**
 * Opens the app with a focus of its own, which Playwright lets every page have at once. Only tabs take it from each other
 * where nothing is shown, so popups are opened as such.
 */
async function openWatched(): Promise<Page> {
  const watched = await startBrowser({ focus: true });
  onTestFinished(() => watched.close());
  await ownContext(watched);
  const page = await openApp();
  const session = await context.newCDPSession(page);
  await session.send('Emulation.setFocusEmulationEnabled', { enabled: false });
  return page;
}
const asTab = { windowFeatures: '' };
if (!movesFocus) console.warn('Not run: what a session knows by the focus. No Chromium with windows is installed.');

it.skipIf(!movesFocus)(
  'ends as cancel within a second when the user closes the popup before the page of the provider has come',
  async () => {
    app = await openWatched();
    const redirect_uri = `${sites.app}/callback`;
    await app.evaluate(
      ([url, options]) => {
        const { open } = window;
        window.open = (...given) => (window.popup = open.apply(window, given));
        window.result = window.browser.openAuthSessionAsync(url, null, options);
      },
      [`${sites.provider}/silent?${new URLSearchParams({ redirect_uri })}`, asTab] as const,
    );
    await pass(60_000);
    expect(await settled()).toBe(undefined);
    await app.evaluate(() => window.popup?.close());
    await app.waitForFunction(() => window.popup?.closed && document.hasFocus());
    await pass(1000);
    expect(await settled()).toEqual({ type: 'cancel' });
  },
);

it.skipIf(!movesFocus)('lets the user take all their time at a provider that cuts off its popup', async () => {
  app = await openWatched();
  const popup = await signIn(app, authUrl({ coop: 'same-origin' }), asTab);
  await looksClosed();
  await app.waitForFunction(() => !document.hasFocus());
  await pass(600_000);
  expect(await settled()).toBe(undefined);
  await Promise.all([popup.waitForEvent('close'), popup.click('a')]);
  expect(await resultOf()).toMatchObject({ type: 'success' });
  expect(await storageOf()).toEqual([]);
});

it.skipIf(!movesFocus)(
  'ends as cancel within a second when the user is back from a popup that was cut off, and drops its late answer',
  async () => {
    app = await openWatched();
    // No page closes itself, or it could not be read what it says.
    await context.addInitScript(() => Object.assign(window, { close: () => {} }));
    const popup = await signIn(app, authUrl({ coop: 'same-origin' }), asTab);
    await looksClosed();
    for (let looks = 0; looks < 2; looks++) {
      await popup.bringToFront();
      await app.waitForFunction(() => !document.hasFocus());
      await pass(500);
      await app.bringToFront();
      await app.waitForFunction(() => document.hasFocus());
      // A glance.
      await pass(500);
      expect(await settled()).toBe(undefined);
    }
    await pass(500);
    expect(await settled()).toEqual({ type: 'cancel' });
    await popup.click('a');
    await popup.waitForURL(/callback/);
    expect(await popup.evaluate(() => window.completed)).toEqual({
      type: 'failed',
      message: expect.stringContaining('is over'),
    });
    expect(await resultOf()).toEqual({ type: 'cancel' });
    expect(await storageOf()).toEqual([]);
  },
);

it('closes a popup that comes back when its session is over, and says so', async () => {
  const popup = await signIn(app, authUrl({ coop: 'same-origin' }));
  await looksClosed();
  await app.evaluate(() => window.browser.dismissAuthSession());
  expect(await resultOf()).toEqual({ type: 'dismiss' });
  const next = await signIn(app, authUrl({ state: 'next' }));
  // The same page, where it can be read what it says.
  const tab = await context.newPage();
  const [kept] = await app.evaluate(() => Object.entries(localStorage).filter(([, text]) => text.includes('isOver')));
  await Promise.all([popup.waitForEvent('close'), popup.click('a')]);
  await tab.goto(`${sites.app}/`);
  await tab.evaluate(([key, text]) => localStorage.setItem(key, text), kept as [string, string]);
  await tab.goto(`${sites.app}/callback?code=late&state=the+state`);
  expect(await tab.evaluate(() => window.completed)).toEqual({
    type: 'failed',
    message: expect.stringContaining('is over'),
  });
  await next.click('a');
  expect(await resultOf()).toMatchObject({ url: expect.stringContaining('code=for+next') });
  expect(await storageOf()).toEqual([]);
});

it.each([[''], ['?error=x&error_description=text'], ['?code=forged'], ['?state=forged&code=forged']])(
  'ends no session by a page of the redirect URL with %j',
  async (query) => {
    const other = await openApp();
    const popup = await signIn(app);
    await signIn(other, authUrl({ state: 'other' }));
    const page = await context.newPage();
    await page.goto(`${sites.app}/callback${query}`);
    expect(await page.evaluate(() => window.completed)).toMatchObject({ type: 'failed' });
    expect([await settled(), await settled(other)]).toEqual([undefined, undefined]);
    await popup.click('a');
    expect(await resultOf()).toMatchObject({ url: expect.stringContaining('code=for+the+state') });
  },
);

it('completes a session without a state by a page without one, when there is one such session only', async () => {
  const url = `${sites.provider}/leave?${new URLSearchParams({ redirect_uri: `${sites.app}/callback` })}`;
  const other = await openApp();
  const popup = await signIn(app, url);
  await signIn(other, url);
  await popup.goto(`${sites.app}/callback`);
  expect(await popup.evaluate(() => window.completed)).toMatchObject({ type: 'failed' });
  await other.evaluate(() => window.browser.dismissAuthSession());
  await popup.goto(`${sites.app}/callback`).catch(() => {});
  expect(await resultOf()).toEqual({ type: 'success', url: `${sites.app}/callback` });
});

it('keeps no answer when the page that opened the popup is gone', async () => {
  const popup = await signIn();
  await app.reload();
  await popup.click('a');
  await popup.waitForURL(/callback/);
  // Time in which nobody takes it.
  await Promise.all([popup.waitForEvent('close'), pass(3000)]);
  expect(await storageOf()).toEqual([]);
});

it('keeps no answer when the user closes the page that nobody takes it from', async () => {
  const popup = await signIn();
  await app.reload();
  await popup.click('a');
  await popup.waitForURL(/callback/);
  await popup.close({ runBeforeUnload: true });
  // Not what it does three seconds later: no time passes.
  await expect.poll(() => storageOf()).toEqual([]);
});

it('opens no popup where nothing can be kept, and says so', async () => {
  await app.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
  });
  const error = await app.evaluate(
    (url) => window.browser.openAuthSessionAsync(url).catch(({ code, cause }) => [code, cause.name]),
    authUrl(),
  );
  expect(error).toEqual(['ERR_WEB_BROWSER_STORAGE', 'QuotaExceededError']);
  expect(context.pages()).toEqual([app]);
});

const scripts = [
  'javascript:window.hacked=1',
  ' JavaScript:window.hacked=1',
  'data:text/html,x',
  'blob:x',
  'intent://x',
];

it.each(['popup', 'redirect', 'beside the app'] as const)(
  'runs no script that is given for a page, in %s',
  async (mode) => {
    for (const url of scripts) {
      const error = await app.evaluate(
        async ([url, mode, redirectUrl]) => {
          const { openAuthSessionAsync, openBrowserAsync } = window.browser;
          const isBeside = mode === 'beside the app';
          const call = isBeside ? openBrowserAsync(url) : openAuthSessionAsync(url, redirectUrl, { mode });
          return call.then(String, ({ code }) => code);
        },
        [url, mode, `${sites.app}/callback`] as const,
      );
      expect([url, error]).toEqual([url, 'ERR_WEB_BROWSER_OPEN']);
    }
    expect(await app.evaluate(() => 'hacked' in window)).toBe(false);
    expect(context.pages()).toEqual([app]);
    expect(await storageOf()).toEqual([]);
  },
);

it.each([
  ['timeoutMs', -1],
  ['timeoutMs', 0],
  ['timeoutMs', Number.NaN],
  ['timeoutMs', 2 ** 31],
  ['timeoutMs', '1000'],
  ['state', ''],
])('opens nothing with a %s of %j', async (name, value) => {
  const error = await app.evaluate(
    ([url, options]) =>
      window.browser.openAuthSessionAsync(url, null, options).catch((error) => [error.name, error.code, error.message]),
    [authUrl(), { [name]: value }] as const,
  );
  expect(error).toEqual(['TypeError', 'ERR_WEB_BROWSER_ARGUMENT', expect.stringContaining(name)]);
  expect(context.pages()).toEqual([app]);
  expect(await storageOf()).toEqual([]);
});

it('ends at the redirect URL with a slash more, to which a host of files redirects', async () => {
  const popup = await signIn();
  await popup.goto(`${sites.app}/callback/?code=c&state=the+state`);
  await popup.evaluate(() => void window.browser.maybeCompleteAuthSession()).catch(() => {});
  expect(await resultOf()).toEqual({ type: 'success', url: `${sites.app}/callback/?code=c&state=the+state` });
});

it('says so where the browser keeps a page from its storage, and never throws on the page that is returned to', async () => {
  await ownContext();
  // A page in a sandbox is of no origin, and has no storage.
  await context.route(`${sites.app}/**`, async (route) => {
    const response = await route.fetch();
    const headers = { ...response.headers(), 'content-security-policy': 'sandbox allow-scripts allow-popups' };
    await route.fulfill({ response, headers });
  });
  const page = await openApp('callback?code=c&state=the+state');
  expect(await page.evaluate(() => window.completed)).toEqual({
    type: 'failed',
    message: expect.stringContaining('localStorage'),
  });
  const outcome = await page.evaluate(async (url) => {
    const { getRedirectResult, openAuthSessionAsync } = window.browser;
    let read: unknown;
    try {
      read = getRedirectResult();
    } catch (error) {
      read = (error as { code: string }).code;
    }
    return [read, await openAuthSessionAsync(url).catch(({ code, cause }) => [code, cause.name])];
  }, authUrl());
  expect(outcome).toEqual(['ERR_WEB_BROWSER_STORAGE', ['ERR_WEB_BROWSER_STORAGE', 'SecurityError']]);
});

it('gives the result also when its storage is full by then', async () => {
  const popup = await signIn(app, authUrl({ coop: 'same-origin' }));
  await looksClosed();
  await app.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new DOMException('full', 'QuotaExceededError');
    };
    window.browser.dismissAuthSession();
  });
  expect(await resultOf()).toEqual({ type: 'dismiss' });
  await popup.close();
});

it('ends as dismiss when its signal is aborted', async () => {
  await app.evaluate((url) => {
    window.abort = new AbortController();
    window.result = window.browser.openAuthSessionAsync(url, null, { signal: window.abort.signal });
  }, authUrl());
  expect(await settled()).toBe(undefined);
  await app.evaluate(() => window.abort.abort());
  expect(await resultOf()).toEqual({ type: 'dismiss' });
});

/** Switches off the ways of an answer but one. */
async function leaveOnly(way: 'channel' | 'storage' | 'opener'): Promise<void> {
  await ownContext();
  await context.addInitScript((way) => {
    if (way !== 'channel') BroadcastChannel.prototype.postMessage = () => {};
    if (way !== 'opener') Object.defineProperty(window, 'opener', { value: null });
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(key, value) {
      if (way === 'storage' || !key.includes(':answer:')) setItem.call(this, key, value);
    };
  }, way);
}

for (const way of ['channel', 'storage', 'opener'] as const) {
  it(`is answered by ${way} alone`, async () => {
    await leaveOnly(way);
    app = await openApp();
    const popup = await signIn();
    await popup.click('a');
    expect(await resultOf()).toMatchObject({ type: 'success' });
  });
}

it('tells a popup that it cannot close that the answer has come', async () => {
  await leaveOnly('channel');
  app = await openApp();
  const popup = await signIn(app, authUrl({ coop: 'same-origin' }));
  // Not because it gives up after three seconds: no time passes.
  await Promise.all([popup.waitForEvent('close'), popup.click('a')]);
  expect(await resultOf()).toMatchObject({ type: 'success' });
});

it('takes any page of its origin for the redirect URL when it is asked to', async () => {
  const popup = await signIn();
  await popup.goto(`${sites.app}/elsewhere?code=c&state=the+state`);
  expect(await popup.evaluate(() => window.browser.maybeCompleteAuthSession())).toMatchObject({ type: 'failed' });
  await popup.evaluate(() => void window.browser.maybeCompleteAuthSession({ skipRedirectCheck: true }));
  expect(await resultOf()).toEqual({ type: 'success', url: `${sites.app}/elsewhere?code=c&state=the+state` });
});

it('ends as cancel when the page that is returned to tells nobody, and the user closes it', async () => {
  const popup = await signIn(app, authUrl({ redirect_uri: `${sites.app}/page-without-the-call` }));
  await popup.click('a');
  await popup.waitForURL(/page-without-the-call\?.*code=/);
  await closeByUser(popup);
  expect(await resultOf()).toEqual({ type: 'cancel' });
});

it('ends as dismiss when the app says so, and can begin again', async () => {
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
  await pass(49);
  expect(await settled()).toBe(undefined);
  await pass(1);
  expect(await resultOf()).toEqual({ type: 'dismiss' });
});

it('is locked while a session is under way', async () => {
  const popup = await signIn();
  const second = await app.evaluate((url) => window.browser.openAuthSessionAsync(url), authUrl());
  expect(second).toEqual({ type: 'locked' });
  await popup.click('a');
  expect(await resultOf()).toMatchObject({ type: 'success' });
});

it('ends as cancel when the user begins again after a popup that was cut off', async () => {
  const popup = await signIn(app, authUrl({ coop: 'same-origin' }));
  await popup.close();
  await app.evaluate(() => {
    window.first = window.result;
  });
  const second = await signIn(app, authUrl({ state: 'next' }));
  expect(await app.evaluate(() => window.first)).toEqual({ type: 'cancel' });
  await Promise.all([second.waitForEvent('close'), second.click('a')]);
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
  await expect.poll(() => storageOf()).toHaveLength(1);
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
      ([url, redirect]) => window.browser.openAuthSessionAsync(url, redirect).catch(({ code }) => code as unknown),
      [authUrl(), redirect] as const,
    );
    expect(error).toBe('ERR_WEB_BROWSER_REDIRECT');
  },
);

/** Sends a message to the app that is an answer but for what is given, from one of its own pages or from the popup. */
async function forge(from: Page, but: { handle?: string; url?: string } = {}): Promise<void> {
  const [key] = await storageOf();
  const handle = key?.split(':').at(-1);
  const message = { type: 'answer', handle, url: `${sites.app}/callback?code=forged&state=the+state`, ...but };
  await from.evaluate((message) => {
    const { opener } = globalThis as unknown as { opener: Window | null };
    (opener ?? (globalThis as unknown as Window)).postMessage(message, '*');
  }, message);
}

it('takes a message of its own origin with its handle for the answer', async () => {
  await signIn();
  await forge(app);
  expect(await resultOf()).toMatchObject({ url: expect.stringContaining('code=forged') });
});

it('takes no answer from another origin, whatever it knows', async () => {
  const popup = await signIn();
  await forge(popup);
  expect(await settled()).toBe(undefined);
  await popup.click('a');
  expect(await resultOf()).toMatchObject({ url: expect.stringContaining('code=for+the+state') });
});

it.each([
  ['another handle', { handle: 'guessed' }],
  ['a URL of another origin', { url: 'https://elsewhere.example/callback?code=forged&state=the+state' }],
  ['no URL', { url: 'forged' }],
])('takes no answer with %s', async (_, but) => {
  const popup = await signIn();
  await forge(app, but);
  expect(await settled()).toBe(undefined);
  await popup.click('a');
  expect(await resultOf()).toMatchObject({ url: expect.stringContaining('code=for+the+state') });
});

it('completes nothing where no session is under way', async () => {
  const page = await context.newPage();
  await page.goto(`${sites.app}/callback?code=c&state=s`);
  expect(await page.evaluate(() => window.completed)).toEqual({
    type: 'failed',
    message: 'No session of this origin is in progress.',
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
  const back = app.url();
  for (const query of ['', '?error=x']) {
    await app.goto(`${sites.app}/callback${query}`);
    expect(await result()).toBe(null);
  }
  await app.goto(back);
  expect(await result()).toEqual({ type: 'success', url: `${sites.app}/callback?state=the+state&code=for+the+state` });
  expect(await result()).toBe(null);
  expect(await storageOf()).toEqual([]);
});

it('opens a page next to the app', async () => {
  const [page, result] = await Promise.all([
    context.waitForEvent('page'),
    app.evaluate((url) => window.browser.openBrowserAsync(url), authUrl()),
  ]);
  expect(result).toEqual({ type: 'opened' });
  expect(page.url()).toBe(authUrl());
});
