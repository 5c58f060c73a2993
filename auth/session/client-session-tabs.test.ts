import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { startApp } from './fixtures/app.ts';
import type { LocalApp } from './fixtures/app.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import type { SessionPage } from './fixtures/session-page.ts';
import { visit } from './fixtures/visit.ts';
import { refreshAsync } from './operations.ts';
import type { TokenResponseConfig } from './token-response.ts';

declare const window: Window & { page: SessionPage };

let browser: Browser;
let app: LocalApp;
let provider: LocalProvider;
let context: BrowserContext;

beforeAll(async () => {
  [browser, app] = await Promise.all([startBrowser(), startApp('session-page.ts')]);
  provider = await startProvider({}, app.origin);
});

afterAll(async () => {
  await browser.close();
  await app[Symbol.asyncDispose]();
  await provider[Symbol.asyncDispose]();
});

beforeEach(async () => {
  context = await browser.newContext();
  context.setDefaultTimeout(120_000);
});

afterEach(() => context.close());

/** Signs in at the provider, and returns the tokens with an expired lifetime. */
async function expiredTokens(): Promise<TokenResponseConfig> {
  const discovery = await fetchDiscoveryAsync(provider.issuer);
  const scopes = ['openid', 'offline_access'];
  const request = new AuthRequest({ ...clients.public, scopes, prompt: 'consent' });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  const tokens = await request.exchangeAsync(result, discovery);
  return { ...tokens.getRequestConfig(), issuedAt: tokens.issuedAt - 3600 };
}

async function openTab(isKept = true, page?: Page): Promise<Page> {
  page ??= await context.newPage();
  await page.goto(app.origin);
  await page.evaluate(([issuer, isKept]) => window.page.create(issuer, isKept), [provider.issuer, isKept] as const);
  return page;
}

async function start(page: Page, tokens: TokenResponseConfig): Promise<void> {
  await page.evaluate((tokens) => window.page.session().startAsync(new window.page.TokenResponse(tokens)), tokens);
}

async function waitForEvent(page: Page, name: string): Promise<void> {
  await page.waitForFunction((name) => window.page.events.includes(name), name);
}

const accessTokens = (page: Page, count: number): Promise<(string | null)[]> =>
  page.evaluate(
    (count) => Promise.all(Array.from({ length: count }, () => window.page.session().getAccessTokenAsync())),
    count,
  );

it('refreshes once for all callers of three tabs, each of which has the next tokens', async () => {
  const tabs = [await openTab(), await openTab(), await openTab()];
  const [first] = tabs as [Page];
  const tokens = await expiredTokens();
  await start(first, tokens);
  for (const tab of tabs) await waitForEvent(tab, 'signed-in');
  const asked: string[] = [];
  context.on('request', (request) => {
    if (request.method() === 'POST' && request.url() === `${provider.issuer}/token`) asked.push(request.url());
  });
  const given = await Promise.all(tabs.map((tab) => accessTokens(tab, 5)));
  const [next] = given.flat();
  expect(next).toMatch(/^[\w-]{20,}$/);
  expect(next).not.toBe(tokens.accessToken);
  expect(new Set(given.flat()).size).toBe(1);
  expect(asked.length).toBe(1);
  // Had a refresh token been used twice, the provider would have ended the grant.
  const kept = JSON.parse(
    (await first.evaluate(() => Object.values(localStorage)[0] as string)) ?? '{}',
  ) as TokenResponseConfig;
  const again = await refreshAsync(
    { clientId: 'public', refreshToken: kept.refreshToken },
    await fetchDiscoveryAsync(provider.issuer),
  );
  expect(again.accessToken).not.toBe(next);
});

it('gives other tabs the next tokens that the storage could not keep, also to refresh', async () => {
  const [first, second] = [await openTab(), await openTab()];
  await start(first, await expiredTokens());
  await waitForEvent(second, 'signed-in');
  await first.evaluate(() => {
    Storage.prototype.setItem = () => {
      throw new Error('full');
    };
  });
  const [token] = await accessTokens(first, 1);
  await waitForEvent(second, 'refreshed');
  expect(await accessTokens(second, 1)).toEqual([token]);
  const next = await second.evaluate((refused) => window.page.session().getAccessTokenAsync({ refused }), token ?? '');
  expect(next).toMatch(/^[\w-]{20,}$/);
  expect(next).not.toBe(token);
});

it('finds the session in a tab that is opened later, and when the page is loaded again', async () => {
  const first = await openTab();
  await start(first, await expiredTokens());
  const [token] = await accessTokens(first, 1);
  for (const tab of [await openTab(), await openTab(true, first)]) {
    expect(await accessTokens(tab, 1)).toEqual([token]);
    expect(await tab.evaluate(() => window.page.events)).toEqual(['loaded']);
    await tab.getByText('signed-in').waitFor();
  }
});

it('signs out in all tabs, and the provider revokes the tokens', async () => {
  const [first, second] = [await openTab(), await openTab()];
  await start(first, await expiredTokens());
  await waitForEvent(second, 'signed-in');
  await accessTokens(second, 1);
  await waitForEvent(first, 'refreshed');
  const kept = JSON.parse(await first.evaluate(() => Object.values(localStorage)[0] as string)) as TokenResponseConfig;
  await second.evaluate(() => window.page.session().signOutAsync());
  await waitForEvent(first, 'signed-out: asked');
  // Shown by useSession, in StrictMode.
  await first.getByText('signed-out').waitFor();
  for (const tab of [first, second]) {
    expect(await accessTokens(tab, 1)).toEqual([null]);
    expect(await tab.evaluate(() => [window.page.session().getState().status, localStorage.length])).toEqual([
      'signed-out',
      0,
    ]);
  }
  const refresh = refreshAsync(
    { clientId: 'public', refreshToken: kept.refreshToken },
    await fetchDiscoveryAsync(provider.issuer),
  );
  await expect(refresh).rejects.toMatchObject({ code: 'invalid_grant' });
});

it("without a storage, keeps each tab's tokens in the tab, and signs out in all", async () => {
  const [first, second] = [await openTab(false), await openTab(false)];
  await start(first, await expiredTokens());
  expect(await accessTokens(second, 1)).toEqual([null]);
  await start(second, await expiredTokens());
  const [[one], [two]] = await Promise.all([accessTokens(first, 1), accessTokens(second, 1)]);
  expect([typeof one, typeof two, one === two]).toEqual(['string', 'string', false]);
  expect(await first.evaluate(() => localStorage.length + sessionStorage.length)).toBe(0);
  const revoked: number[] = [];
  second.on('response', (response) => {
    if (response.url() === `${provider.issuer}/token/revocation`) revoked.push(response.status());
  });
  await first.evaluate(() => window.page.session().signOutAsync());
  await waitForEvent(second, 'signed-out: asked');
  // The other tab revokes its own tokens, which nothing awaits there.
  await expect.poll(() => revoked).toEqual([200]);
  expect(await accessTokens(second, 1)).toEqual([null]);
});

it('refreshes where the browser blocks locks with everything else that a site stores', async () => {
  const tab = await openTab(false);
  await tab.evaluate(() => {
    const request = async (): Promise<never> => {
      throw new DOMException('The request was denied.', 'SecurityError');
    };
    Object.defineProperty(navigator, 'locks', { value: { request } });
  });
  await start(tab, await expiredTokens());
  const [first, second] = await accessTokens(tab, 2);
  expect([typeof first, second]).toEqual(['string', first]);
});

it('calls an API with the token, and once more with a new one when that is refused', async () => {
  const tab = await openTab();
  const tokens = await expiredTokens();
  await start(tab, { ...tokens, accessToken: 'unknown-to-the-provider', issuedAt: (tokens.issuedAt ?? 0) + 3600 });
  const answer = await tab.evaluate(async (issuer) => {
    const response = await window.page.fetchWithSession(window.page.session(), `${issuer}/me`);
    return [response.status, await response.json()];
  }, provider.issuer);
  expect(answer).toEqual([200, { sub: 'ada' }]);
});
