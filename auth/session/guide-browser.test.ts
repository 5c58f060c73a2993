import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it, onTestFinished } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import type { AuthRequest, DiscoveryDocument, TokenResponse } from './core.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import type { Session } from './session.ts';
import { bundleSamples, filesIn } from '../../tools/guide-samples.ts';

/** What the page has: the samples, and what they have given. */
interface SamplePage {
  show(name: 'Account' | 'PushedSignIn' | 'SignIn'): void;
  /** What was given to `onTokens`. */
  tokens: TokenResponse[];
  session: Session;
  orders(): Promise<unknown>;
  leave(request: AuthRequest, discovery: DiscoveryDocument): Promise<void>;
  comeBack(): Promise<TokenResponse | null>;
  signOut(tokens: TokenResponse, discovery: DiscoveryDocument): Promise<boolean>;
  load(): Promise<[AuthRequest, DiscoveryDocument]>;
  signedOut?: Promise<boolean>;
  unhandled: string[];
}

declare const window: { samples: SamplePage; open: unknown };

const entry = `
  import { createElement, StrictMode } from 'react';
  import { createRoot } from 'react-dom/client';
  import { fetchDiscoveryAsync, loadAsync } from 'appkit-auth-session/core';
  import { Account } from './account.tsx';
  import './callback.ts';
  import { PushedSignIn } from './pushed-sign-in.tsx';
  import { comeBack, leave } from './redirect.ts';
  import { orders, session } from './session.ts';
  import { SignIn } from './sign-in.tsx';
  import { signOut } from './sign-out.ts';

  const components = { Account, PushedSignIn, SignIn };
  const [tokens, unhandled] = [[], []];
  addEventListener('unhandledrejection', ({ reason }) => unhandled.push(String(reason)));
  function show(name) {
    const shown = createElement(components[name], { onTokens: (given) => tokens.push(given) });
    createRoot(document.querySelector('main')).render(createElement(StrictMode, null, shown));
  }
  async function load() {
    const discovery = await fetchDiscoveryAsync('https://accounts.example');
    const config = { clientId: 'my-app', redirectUri: 'https://app.example/callback', scopes: ['openid'] };
    return [await loadAsync(config, discovery), discovery];
  }
  window.samples = { show, tokens, unhandled, session, orders, leave, comeBack, signOut, load };`;

const files = new Map([...filesIn('docs/guide/sign-in.md'), ['all.ts', entry]]);
let script = '';
let browser: Browser;
let provider: LocalProvider;
let api: AnsweringServer;
let context: BrowserContext;
let page: Page;

const server = createServer((_, response) => {
  response.setHeader('content-type', 'text/html; charset=utf-8');
  response.end(`<!doctype html><meta charset=utf-8><title>App</title><main></main><script>${script}</script>`);
});
let app = '';

beforeAll(async () => {
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  app = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  [browser, provider, api] = await Promise.all([
    startBrowser(),
    startProvider({ pushedAuthorizationRequests: { enabled: true }, rpInitiatedLogout: { enabled: true } }, app),
    startAnsweringServer(),
  ]);
});

afterAll(async () => {
  await browser.close();
  server.closeAllConnections();
  server.close();
  await Promise.all([provider[Symbol.asyncDispose](), api[Symbol.asyncDispose]()]);
});

/** Opens the app, whose provider is this one. */
async function openApp(issuer = provider.issuer): Promise<void> {
  const code = await bundleSamples(files, 'all.ts', {
    platform: 'browser',
    replace: {
      'https://accounts.example': issuer,
      'https://api.example': api.origin,
      'https://app.example': app,
      "'my-app'": "'public'",
    },
  });
  script = code.replaceAll('</script', '<\\/script');
  await page.goto(app);
}

beforeEach(async () => {
  context = await browser.newContext();
  page = await context.newPage();
});

afterEach(async () => {
  const unhandled = await page.evaluate(() => window.samples.unhandled);
  await context.close();
  expect(unhandled).toEqual([]);
});

/** Clicks a button of the app and gives the popup. */
async function click(name = 'Sign in'): Promise<Page> {
  const button = page.getByRole('button', { name, exact: true });
  const [popup] = await Promise.all([context.waitForEvent('page'), button.click()]);
  await popup.waitForLoadState();
  return popup;
}

/** Does what a user does at the provider: signs in and consents. */
async function signInAt(shown: Page): Promise<void> {
  await shown.fill('[name=login]', 'ada');
  await shown.fill('[name=password]', 'any');
  await shown.click('button[type=submit]');
  await shown.waitForSelector('[name=prompt][value=consent]', { state: 'attached' });
  await shown.click('button[type=submit]', { noWaitAfter: true });
}

/** Signs in by the component of the guide, which gives the tokens to the page. */
async function signIn(): Promise<void> {
  await page.evaluate(() => window.samples.show('SignIn'));
  await signInAt(await click());
  await page.waitForFunction(() => window.samples.tokens.length > 0);
}

it('sign-in.tsx and callback.ts: sign in by a popup', async () => {
  await openApp();
  await signIn();
  expect(await page.evaluate(() => window.samples.tokens.map(({ scope }) => scope))).toEqual(['openid']);
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('sign-in.tsx: says that the popup is blocked', async () => {
  await openApp();
  await page.evaluate(() => {
    window.open = () => null;
    window.samples.show('SignIn');
  });
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('alert').filter({ hasText: 'has blocked the popup' }).waitFor();
});

it('sign-in.tsx: says that the provider is down, and tries again', async () => {
  const down = await startAnsweringServer();
  onTestFinished(() => down[Symbol.asyncDispose]());
  await openApp(down.origin);
  await page.evaluate(() => window.samples.show('SignIn'));
  await page.getByRole('alert').filter({ hasText: 'it is down, or lacks CORS' }).waitFor();
  down.answer = (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    const endpoints = { authorization_endpoint: `${provider.issuer}/auth`, token_endpoint: `${provider.issuer}/token` };
    json(200, { issuer: down.origin, ...endpoints })(request, response);
  };
  await page.getByRole('button', { name: 'Try again' }).click();
  await page.locator('button:enabled', { hasText: 'Sign in' }).waitFor();
  expect(await page.getByRole('alert').count()).toBe(0);
});

it('sign-in.tsx: says that the tokens cannot be got', async () => {
  await openApp();
  await page.route('**/token', (route) => route.abort());
  await page.evaluate(() => window.samples.show('SignIn'));
  await signInAt(await click());
  await page.getByRole('alert').filter({ hasText: 'The tokenEndpoint at' }).waitFor();
  expect(await page.evaluate(() => window.samples.tokens.length)).toBe(0);
});

it('sign-in.tsx: signs in with a browser without AbortSignal.any, as Safari before 17.4', async () => {
  await context.addInitScript(() => void Reflect.deleteProperty(AbortSignal, 'any'));
  await openApp();
  await signIn();
  expect(await page.evaluate(() => window.samples.tokens.length)).toBe(1);
});

it('session.ts and account.tsx: keep the tokens, call an API, and sign out', async () => {
  await openApp();
  await signIn();
  await page.evaluate(() => {
    const [tokens] = window.samples.tokens;
    return tokens && window.samples.session.startAsync(tokens);
  });
  const asked: unknown[] = [];
  api.answer = (request, response) => {
    response.setHeader('access-control-allow-origin', '*');
    response.setHeader('access-control-allow-headers', 'authorization');
    if (request.method !== 'OPTIONS') asked.push([request.url, request.headers.authorization]);
    json(200, ['an order'])(request, response);
  };
  expect(await page.evaluate(() => window.samples.orders())).toEqual(['an order']);
  expect(asked).toEqual([['/orders', await page.evaluate(() => `Bearer ${window.samples.tokens[0]?.accessToken}`)]]);
  await page.reload();
  await page.evaluate(() => window.samples.show('Account'));
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
  expect(await page.evaluate(() => JSON.stringify({ ...localStorage }))).toBe('{}');
});

it('session.ts: keeps the tokens in memory where the browser blocks the storage', async () => {
  await context.addInitScript(() => {
    const get = (): never => {
      throw new DOMException('Access is denied for this document.', 'SecurityError');
    };
    Object.defineProperty(window, 'localStorage', { get });
  });
  await openApp();
  await page.evaluate(() => window.samples.show('Account'));
  await page.getByRole('link', { name: 'Sign in' }).waitFor();
});

it('redirect.ts: leaves the page and comes back with tokens, once', async () => {
  await openApp();
  const left = page.waitForURL(/\/interaction\//);
  // The page ends in it.
  page.evaluate(async () => window.samples.leave(...(await window.samples.load()))).catch(() => {});
  await left;
  await signInAt(page);
  await page.waitForURL(/\/callback/);
  const scope = await page.evaluate(async () => (await window.samples.comeBack())?.scope);
  expect([scope, page.url()]).toEqual(['openid', `${app}/callback`]);
  await page.reload();
  expect(await page.evaluate(() => window.samples.comeBack())).toBe(null);
});

it('sign-out.ts: signs out at the provider', async () => {
  await openApp();
  await signIn();
  // In a click, as in an app.
  await page.evaluate(async () => {
    const [, discovery] = await window.samples.load();
    const [tokens] = window.samples.tokens;
    const button = document.body.appendChild(document.createElement('button'));
    button.textContent = 'Leave';
    button.addEventListener('click', () => {
      if (tokens) window.samples.signedOut = window.samples.signOut(tokens, discovery);
    });
  });
  const popup = await click('Leave');
  await popup.click('[name=logout]', { noWaitAfter: true });
  expect(await page.evaluate(() => window.samples.signedOut)).toBe(true);
});

it('pushed-sign-in.tsx: opens a URL that tells nothing, and signs in', async () => {
  await openApp();
  const asked = new Promise<string>((resolve) => {
    context.on('request', (request) => {
      if (request.url().startsWith(`${provider.issuer}/auth?`)) resolve(request.url());
    });
  });
  await page.evaluate(() => window.samples.show('PushedSignIn'));
  const popup = await click();
  expect([...new URL(await asked).searchParams.keys()]).toEqual(['client_id', 'request_uri']);
  await signInAt(popup);
  await page.getByRole('button', { name: 'Signed in' }).waitFor();
});
