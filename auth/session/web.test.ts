import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import type * as core from './core.ts';
import type * as dpop from './dpop.ts';
import { startApp } from './fixtures/app.ts';
import type { LocalApp } from './fixtures/app.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import type * as par from './par.ts';

declare const window: Window & {
  auth: typeof core;
  createDPoPAsync: typeof dpop.createDPoPAsync;
  pushAuthRequestAsync: typeof par.pushAuthRequestAsync;
  discovery: core.DiscoveryDocument;
  request: core.AuthRequest;
  tokens: core.TokenResponse;
  result: Promise<core.AuthSessionResult>;
  /** How many popups the latest prompt opened before it gave its promise. */
  openedAtOnce: number;
  ended: Promise<core.EndSessionResult>;
};

let browser: Browser;
let app: LocalApp;
let provider: LocalProvider;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  [browser, app] = await Promise.all([startBrowser(), startApp()]);
  const dPoP = { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true };
  const pushedAuthorizationRequests = { enabled: true };
  const jwtResponseModes = { enabled: true };
  provider = await startProvider({ dPoP, jwtResponseModes, pushedAuthorizationRequests }, app.origin);
  context = await browser.newContext();
  context.setDefaultTimeout(120_000);
  // It goes as usual, but can be put forward.
  await context.clock.install();
  await context.newPage();
});

afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

// As a context and a window of its own, which take a second.
beforeEach(async () => {
  const [first, ...others] = context.pages();
  for (const other of others) await other.close();
  page = first ?? (await context.newPage());
  await context.clearCookies();
  await page.goto(app.origin);
  await page.evaluate(() => {
    localStorage.clear();
    sessionStorage.clear();
  });
});

/** Shows the app with a request that is ready, whose button prompts with it. */
async function openApp(
  config: Partial<core.AuthRequestConfig> = {},
  options: core.AuthRequestPromptOptions = {},
): Promise<void> {
  await page.goto(app.origin);
  const { clientId } = clients.public;
  const scopes = ['openid', 'email', 'offline_access'];
  const redirectUri = `${app.origin}/callback`;
  await page.evaluate(
    async ([issuer, config, options]) => {
      window.discovery = await window.auth.fetchDiscoveryAsync(issuer);
      window.request = await window.auth.loadAsync(config, window.discovery);
      document.querySelector('button')?.addEventListener('click', () => {
        window.result = window.request.promptAsync(window.discovery, options);
      });
    },
    [provider.issuer, { clientId, redirectUri, scopes, ...config }, options] as const,
  );
}

/** Clicks the button of the app and gives the popup. */
async function click(): Promise<Page> {
  const [popup] = await Promise.all([context.waitForEvent('page'), page.click('button')]);
  await popup.waitForLoadState();
  return popup;
}

/** Closes a popup as a user does, who has looked at it. */
async function closeByUser(popup: Page): Promise<void> {
  await context.clock.runFor(600);
  await popup.close();
  await page.bringToFront();
  await context.clock.runFor(2500);
}

/** Does what a user does at the provider: signs in and consents. */
async function signInAt(popup: Page): Promise<void> {
  await popup.fill('[name=login]', 'ada');
  await popup.fill('[name=password]', 'any');
  await popup.click('button[type=submit]');
  await popup.waitForSelector('[name=prompt][value=consent]', { state: 'attached' });
  // The last page closes itself.
  await popup.click('button[type=submit]', { noWaitAfter: true });
}

/** Signs in by a popup and exchanges the code in the page. */
async function signIn(): Promise<void> {
  await signInAt(await click());
  const result = await page.evaluate(() => window.result);
  const { state, url } = await page.evaluate(() => ({ state: window.request.state, url: window.request.url }));
  const event = { type: 'redirect', url: expect.stringContaining(`${app.origin}/callback?`) };
  expect(result).toMatchObject({ type: 'success', error: null, event, params: { state }, url });
  await page.evaluate(async () => {
    const result = await window.result;
    if (result.type !== 'success') throw new Error(result.type);
    window.tokens = await window.request.exchangeAsync(result, window.discovery);
  });
}

/** What the app has stored. */
async function storage(): Promise<string> {
  return page.evaluate(() => JSON.stringify([{ ...localStorage }, { ...sessionStorage }]));
}

const nothing = '[{},{}]';

it('signs in by a popup, and gets tokens and user information from the page', async () => {
  await openApp({ prompt: 'consent' });
  await signIn();
  const { scope, claims } = await page.evaluate(async () => ({
    scope: window.tokens.scope,
    claims: await window.auth.fetchUserInfoAsync(window.tokens, window.discovery),
  }));
  expect({ scope, claims }).toEqual({
    scope: 'openid email offline_access',
    claims: { sub: 'ada', email: 'ada@example.test' },
  });
  expect(await storage()).toBe(nothing);
});

it('refreshes and revokes from the page', async () => {
  await openApp({ prompt: 'consent' });
  await signIn();
  const codes = await page.evaluate(async () => {
    const { auth, discovery, request, tokens } = window;
    const { clientId } = request;
    const codeOf = (call: Promise<unknown>): Promise<unknown> => call.catch((error: { code?: string }) => error.code);
    const { accessToken, refreshToken: first } = tokens;
    await tokens.refreshAsync({ clientId }, discovery);
    const hasRotated = tokens.accessToken !== accessToken && tokens.refreshToken !== first;
    const isRevoked = await auth.revokeAsync({ clientId, token: tokens.accessToken }, discovery);
    return {
      hasRotated,
      isRevoked,
      userInfo: await codeOf(auth.fetchUserInfoAsync(tokens, discovery)),
      // The provider takes the second use of a refresh token for theft, and ends them all.
      secondUse: await codeOf(auth.refreshAsync({ clientId, refreshToken: first }, discovery)),
      afterwards: await codeOf(auth.refreshAsync({ clientId, refreshToken: tokens.refreshToken }, discovery)),
    };
  });
  expect(codes).toEqual({
    hasRotated: true,
    isRevoked: true,
    userInfo: 'invalid_token',
    secondUse: 'invalid_grant',
    afterwards: 'invalid_grant',
  });
});

it('binds the tokens of a page to its key, with the nonce that the provider wants', async () => {
  await openApp({ prompt: 'consent' });
  await signInAt(await click());
  const outcome = await page.evaluate(async () => {
    const { auth, createDPoPAsync, discovery, request } = window;
    const dpop = await createDPoPAsync();
    const result = await window.result;
    if (result.type !== 'success') throw new Error(result.type);
    const tokens = await request.exchangeAsync(result, discovery, { dpop });
    const { sub } = await auth.fetchUserInfoAsync(tokens, discovery, { dpop });
    const without = await auth.fetchUserInfoAsync(tokens, discovery).catch((error: Error) => error.name);
    return { tokenType: tokens.tokenType, sub: String(sub), without };
  });
  expect(outcome).toEqual({ tokenType: 'dpop', sub: 'ada', without: 'ResponseError' });
});

it('says that the user has refused, with params, error and event', async () => {
  await openApp();
  const popup = await click();
  await popup.click('a[href$="/abort"]', { noWaitAfter: true });
  const { result, state, url } = await page.evaluate(async () => {
    const result = await window.result;
    const { state, url } = window.request;
    const code = 'error' in result ? result.error?.code : null;
    return { result: { ...result, error: code }, state, url };
  });
  expect(result).toMatchObject({
    type: 'error',
    authentication: null,
    error: 'access_denied',
    errorCode: 'access_denied',
    event: { type: 'redirect', url: expect.stringContaining(`${app.origin}/callback?`), timestamp: expect.any(Number) },
    params: { error: 'access_denied', state },
    url,
  });
});

it('opens the popup in the click itself, also for the next prompts, each of which is a new request', async () => {
  await openApp({ prompt: 'none' });
  await page.evaluate(() => {
    const open = window.open.bind(window);
    let opened = 0;
    window.open = (...features) => {
      opened += 1;
      return open(...features);
    };
    const prompt = window.request.promptAsync.bind(window.request);
    window.request.promptAsync = (...given) => {
      const before = opened;
      const result = prompt(...given);
      // Nothing has run since the call but what it ran itself.
      window.openedAtOnce = opened - before;
      return result;
    };
  });
  const prompt = async (): Promise<unknown[]> => {
    await page.click('button');
    return page.evaluate(async () => {
      const { openedAtOnce } = window;
      const result = await window.result;
      const { state, codeVerifier, nonce, url } = window.request;
      return ['errorCode' in result ? result.errorCode : result.type, openedAtOnce, state, codeVerifier, nonce, url];
    });
  };
  const prompts = [await prompt(), await prompt(), await prompt()];
  for (const [errorCode, openedAtOnce] of prompts) expect([errorCode, openedAtOnce]).toEqual(['login_required', 1]);
  for (const at of [2, 3, 4, 5]) expect(new Set(prompts.map((seen) => seen[at])).size).toBe(3);
});

it('ends as cancel when the user closes the popup', async () => {
  await openApp();
  await closeByUser(await click());
  expect(await page.evaluate(() => window.result)).toEqual({ type: 'cancel' });
  expect(await storage()).not.toContain('codeVerifier');
});

it('prompts with a new request after one that ended without an answer, at once', async () => {
  await openApp();
  const see = (): Promise<unknown[]> =>
    page.evaluate(() => {
      const { codeVerifier, nonce, state, url } = window.request;
      return [codeVerifier, nonce, state, url];
    });
  const seen: unknown[][] = [];
  for (let count = 0; count < 3; count++) {
    await click();
    seen.push(await see());
    await page.evaluate(() => window.auth.dismiss());
    expect(await page.evaluate(() => window.result)).toEqual({ type: 'dismiss' });
  }
  for (const at of [0, 1, 2, 3]) expect(new Set(seen.map((values) => values[at])).size).toBe(3);
  // Nothing was awaited before it was opened.
  await page.evaluate(() => {
    const { open } = window;
    window.open = (...given) => {
      window.openedAtOnce += 1;
      return open.apply(window, given);
    };
    window.openedAtOnce = 0;
    window.result = window.request.promptAsync(window.discovery);
    if (window.openedAtOnce !== 1) throw new Error('late');
    window.auth.dismiss();
  });
});

it('keeps its request while another prompt is locked', async () => {
  await openApp();
  const popup = await click();
  const state = await page.evaluate(() => window.request.state);
  expect(await page.evaluate(() => window.request.promptAsync(window.discovery))).toEqual({ type: 'locked' });
  expect(await page.evaluate(() => window.request.state)).toBe(state);
  await popup.goto(`${app.origin}/callback?error=login_required&state=${state}&iss=${provider.issuer}`).catch(() => {});
  expect(await page.evaluate(() => window.result)).toMatchObject({ errorCode: 'login_required' });
});

it('is locked while another prompt is under way', async () => {
  await openApp();
  const popup = await click();
  expect(await page.evaluate(() => window.request.promptAsync(window.discovery))).toEqual({ type: 'locked' });
  await closeByUser(popup);
  expect(await page.evaluate(() => window.result)).toEqual({ type: 'cancel' });
});

it('ends as dismiss when the app says so', async () => {
  await openApp();
  const popup = await click();
  const closed = popup.waitForEvent('close');
  await page.evaluate(() => window.auth.dismiss());
  expect(await page.evaluate(() => window.result)).toEqual({ type: 'dismiss' });
  await closed;
  expect(await storage()).toBe(nothing);
});

/** Gives what the page that is returned to resumes, exchanged for tokens. */
async function resume(issuer = provider.issuer): Promise<{ type: string; sub?: string; url: boolean } | null> {
  return page.evaluate(async (issuer) => {
    const { auth } = window;
    const discovery = await auth.fetchDiscoveryAsync(issuer);
    const resumed = await auth.AuthRequest.resumeAsync(discovery);
    if (resumed === null) return null;
    const { request, result } = resumed;
    const url = result.url === request.url && request.url?.includes(request.state) === true;
    if (result.type === 'error') return { type: String(result.errorCode), url };
    const tokens = await request.exchangeAsync(result, discovery);
    const { sub } = await auth.fetchUserInfoAsync(tokens, discovery);
    return { type: result.type, sub: String(sub), url };
  }, issuer);
}

it('leaves the page with mode redirect, and resumes after it', async () => {
  await openApp({ prompt: 'consent', clientSecret: 'never to be stored' }, { mode: 'redirect' });
  // As a class of the app's own may have it.
  await page.evaluate(() => void Object.assign(window.request, { key: 'nor is this to be stored' }));
  await page.click('button');
  await page.waitForURL(/interaction/);
  await signInAt(page);
  await page.waitForURL(`${app.origin}/callback?*`);
  const kept = await storage();
  expect(kept).toContain('codeVerifier');
  expect(kept).not.toContain('to be stored');
  expect(await resume()).toEqual({ type: 'success', sub: 'ada', url: true });
  expect(await storage()).toBe(nothing);
  await page.reload();
  expect(await resume()).toBe(null);
});

it('resumes with one result for every call of one page load, whose code is exchanged once', async () => {
  await openApp({ prompt: 'consent' }, { mode: 'redirect' });
  await page.click('button');
  await page.waitForURL(/interaction/);
  await signInAt(page);
  await page.waitForURL(`${app.origin}/callback?*`);
  const outcome = await page.evaluate(async (issuer) => {
    const { auth } = window;
    const discovery = await auth.fetchDiscoveryAsync(issuer);
    // As React does it to an effect in StrictMode: once, cleaned up, and again.
    const gone = new AbortController();
    const effect = async (signal?: AbortSignal): Promise<[unknown, core.TokenResponse | string]> => {
      const resumed = await auth.AuthRequest.resumeAsync(discovery);
      if (resumed === null) return [null, 'nothing'];
      const options = signal ? { signal } : {};
      const exchanged = resumed.request.exchangeAsync(resumed.result, discovery, options);
      return [resumed, await exchanged.catch((error: Error) => error.name)];
    };
    const first = effect(gone.signal);
    gone.abort();
    const [[a, none], [b, tokens]] = await Promise.all([first, effect()]);
    const [c, again] = await effect();
    return { none, same: [a === b, b === c, tokens === again], token: typeof Object(tokens).accessToken };
  }, provider.issuer);
  expect(outcome).toEqual({ none: 'AbortError', same: [true, true, true], token: 'string' });
  expect(await storage()).toBe(nothing);
});

/** Pushes the request of the app, so that the next prompt opens what the provider has given for it. */
async function push(): Promise<void> {
  const names = await page.evaluate(async () => {
    const { url } = await window.pushAuthRequestAsync(window.request, window.discovery);
    return [...new URL(url).searchParams.keys()];
  });
  expect(names).toEqual(['client_id', 'request_uri']);
}

it('signs in by a popup with a pushed request, and once more with one that is pushed again', async () => {
  await openApp({ prompt: 'consent' });
  await push();
  await signIn();
  const { state } = await page.evaluate(() => window.request);
  await push();
  const popup = await click();
  await popup.click('button[type=submit]', { noWaitAfter: true });
  const result = await page.evaluate(() => window.result);
  expect(result).toMatchObject({ type: 'success', error: null, url: expect.stringContaining('request_uri=') });
  expect('params' in result && result.params['state']).not.toBe(state);
  expect(await storage()).toBe(nothing);
});

it('takes no forged answer to a pushed request, whose URL does not show the state', async () => {
  await openApp({ prompt: 'consent' });
  await push();
  const popup = await click();
  await popup.goto(`${app.origin}/callback?code=forged&state=guessed`);
  const kept = await page.evaluate(() => Promise.race([window.result, new Promise((resolve) => setTimeout(resolve))]));
  expect(kept).toBe(undefined);
  await popup.goBack();
  await signInAt(popup);
  expect(await page.evaluate(() => window.result)).toMatchObject({ type: 'success', error: null });
});

it('leaves the page with a pushed request, and resumes after it', async () => {
  await openApp({ prompt: 'consent' }, { mode: 'redirect' });
  await push();
  await page.click('button');
  await page.waitForURL(/interaction/);
  await signInAt(page);
  await page.waitForURL(`${app.origin}/callback?*`);
  const resumed = await resume();
  // The URL that was opened does not show the state.
  expect(resumed).toEqual({ type: 'success', sub: 'ada', url: false });
  expect(await storage()).toBe(nothing);
});

const signed = { extraParams: { response_mode: 'jwt' }, prompt: 'consent' as const };

it('signs in by a popup with a signed answer, whose URL does not show the state (JARM)', async () => {
  await openApp(signed);
  await signInAt(await click());
  const [result, state] = await page.evaluate(async () => [await window.result, window.request.state] as const);
  expect(result).toMatchObject({ type: 'success', error: null, params: { state } });
  expect(await storage()).toBe(nothing);
});

it('leaves the page for a signed answer, and resumes after it', async () => {
  await openApp(signed, { mode: 'redirect' });
  await page.click('button');
  await page.waitForURL(/interaction/);
  await signInAt(page);
  await page.waitForURL(`${app.origin}/callback?*`);
  expect(await resume()).toMatchObject({ type: 'success', sub: 'ada' });
  expect(await storage()).toBe(nothing);
});

it('resumes with the error of the provider', async () => {
  await openApp({ prompt: 'none' }, { mode: 'redirect' });
  await page.click('button');
  await page.waitForURL(`${app.origin}/callback?*`);
  expect(await resume()).toEqual({ type: 'login_required', url: true });
  expect(await storage()).toBe(nothing);
});

it('resumes nothing where no request has come back, and keeps the one that may', async () => {
  await openApp({ prompt: 'none' }, { mode: 'redirect' });
  await page.click('button');
  await page.waitForURL(`${app.origin}/callback?*`);
  const back = page.url();
  await page.goto(app.origin);
  expect(await resume()).toBe(null);
  await page.goto(`${app.origin}/callback?code=forged&state=guessed`);
  expect(await resume()).toBe(null);
  await page.goto(back);
  await using other = await startProvider({}, app.origin);
  expect(await resume(other.issuer)).toBe(null);
  // Another tab has the answer, but not the verifier.
  const tab = page;
  page = await context.newPage();
  await page.goto(back);
  expect(await resume()).toBe(null);
  page = tab;
  expect(await resume()).toMatchObject({ type: 'login_required' });
});

it('says so when nothing can be kept while the page is away, and stays', async () => {
  await openApp();
  const outcome = await page.evaluate(() => {
    const { auth, discovery, request } = window;
    const { setItem } = Storage.prototype;
    Storage.prototype.setItem = function set(key, value) {
      if (this === sessionStorage) throw new DOMException('full', 'QuotaExceededError');
      setItem.call(this, key, value);
    };
    const full = request.promptAsync(discovery, { mode: 'redirect' }).catch(({ code, message }) => [code, message]);
    return Promise.all([full, auth.AuthRequest.resumeAsync(discovery)]);
  });
  expect(outcome).toEqual([['ERR_WEB_BROWSER_STORAGE', expect.stringContaining('sessionStorage')], null]);
  expect(await storage()).toBe(nothing);
});

it('says so when the browser keeps a page from its storage', async () => {
  const url = `${app.origin}/sandbox`;
  await page.route(url, async (route) => {
    const response = await route.fetch();
    // A page in a sandbox is of no origin.
    await route.fulfill({ response, headers: { 'content-security-policy': 'sandbox allow-scripts' } });
  });
  await page.goto(url);
  const code = await page.evaluate(() => window.auth.AuthRequest.resumeAsync({}).catch((error) => error.code));
  expect(code).toBe('ERR_WEB_BROWSER_STORAGE');
  await page.unroute(url);
});

it('keeps nothing of a redirect that did not begin', async () => {
  await openApp();
  const outcome = await page.evaluate(async () => {
    const { auth, discovery, request } = window;
    const elsewhere = new auth.AuthRequest({ clientId: request.clientId, redirectUri: 'https://elsewhere.example/' });
    return elsewhere.promptAsync(discovery, { mode: 'redirect' }).catch((error: { code?: string }) => error.code);
  });
  expect(outcome).toBe('ERR_WEB_BROWSER_REDIRECT');
  expect(await storage()).toBe(nothing);
});

/** Signs out at the provider. */
async function signOut(): Promise<Page> {
  await page.evaluate((postLogoutRedirectUri) => {
    const button = document.querySelector('button')?.cloneNode() as HTMLButtonElement;
    document.querySelector('button')?.replaceWith(button);
    button.append('Sign out');
    button.addEventListener('click', () => {
      const { idToken } = window.tokens;
      window.ended = window.auth.endSessionAsync({ idToken, postLogoutRedirectUri }, window.discovery);
      window.ended.catch(() => {});
    });
  }, `${app.origin}/signed-out`);
  return click();
}

it('signs out at the provider', async () => {
  await openApp({ prompt: 'consent' });
  await signIn();
  const popup = await signOut();
  await popup.click('button[value=yes]', { noWaitAfter: true });
  expect(await page.evaluate(() => window.ended)).toEqual({ type: 'success' });
  expect(await storage()).toBe(nothing);
  await openApp({ prompt: 'none' });
  await page.click('button');
  expect(await page.evaluate(() => window.result)).toMatchObject({ errorCode: 'login_required' });
});

it('is still signed in when the user closes the page of the provider', async () => {
  await openApp({ prompt: 'consent' });
  await signIn();
  await closeByUser(await signOut());
  expect(await page.evaluate(() => window.ended)).toEqual({ type: 'cancel' });
  await openApp({ prompt: 'none' });
  await page.click('button');
  // The provider knows the user, and asks a native client for consent each time.
  expect(await page.evaluate(() => window.result)).toMatchObject({ errorCode: 'interaction_required' });
});

it('takes nobody for signed out who comes back without the state', async () => {
  await openApp({ prompt: 'consent' });
  await signIn();
  const popup = await signOut();
  await popup.goto(`${app.origin}/signed-out`);
  await popup.goto(`${app.origin}/signed-out?error=server_error`);
  await closeByUser(popup);
  expect(await page.evaluate(() => window.ended)).toEqual({ type: 'cancel' });
});

it('takes nobody for signed out who comes back with an error', async () => {
  await openApp({ prompt: 'consent' });
  await signIn();
  const popup = await signOut();
  const [record] = await page.evaluate(() => Object.values<string>(localStorage));
  const { state } = JSON.parse(record ?? '') as { state: string };
  await popup.goto(`${app.origin}/signed-out?error=server_error&state=${state}`).catch(() => {});
  const ended = await page.evaluate(() => window.ended.catch((error: { code?: string }) => error.code));
  expect(ended).toBe('server_error');
});
