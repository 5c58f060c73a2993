import type { WebBrowserAuthSessionResult } from 'appkit-web-browser';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { PushedAuthRequest } from './par.ts';

// The browser, which a test answers for.
const browser = vi.hoisted(() => ({ openAuthSessionAsync: vi.fn(), getRedirectResult: vi.fn() }));
vi.mock('appkit-web-browser', () => browser);

type Browse = (url: string, redirectUri: string, options: object) => Promise<WebBrowserAuthSessionResult>;
const open = vi.mocked<Browse>(browser.openAuthSessionAsync);

beforeEach(() => void open.mockReset().mockResolvedValue({ type: 'cancel' }));
afterEach(() => void vi.unstubAllGlobals());

const config = { clientId: 'client', redirectUri: 'https://app.example/callback' };
const discovery = { authorizationEndpoint: 'https://provider.example/authorize' };

function requestOf(more: Partial<AuthRequestConfig> = {}): AuthRequest {
  return new AuthRequest({ ...config, ...more });
}

const paramsOf = (url = ''): Record<string, string> => Object.fromEntries(new URL(url).searchParams);
const openedUrls = (): string[] => open.mock.calls.map(([url]) => url);

it.each([
  ['that has its URL', {}],
  ['without PKCE', { usePKCE: false }],
  ['with the challenge of a server', { codeChallenge: 'of a server' }],
])('opens the browser at once for a request %s, since popups that open later are blocked', async (name, more) => {
  const request = requestOf(more);
  if (name === 'that has its URL') await request.makeAuthUrlAsync(discovery);
  const call = request.promptAsync(discovery);
  expect(openedUrls()).toEqual([request.url]);
  expect(open).toHaveBeenCalledWith(request.url, config.redirectUri, { state: request.state });
  await call;
});

it('makes a request that was prompted before again, and opens it at once', async () => {
  const request = requestOf({ scopes: ['openid'] });
  await request.makeAuthUrlAsync(discovery);
  expect(await request.promptAsync(discovery)).toEqual({ type: 'cancel' });
  const call = request.promptAsync(discovery);
  expect(open).toHaveBeenCalledTimes(2);
  const [first = {}, second = {}] = openedUrls().map(paramsOf);
  for (const name of ['state', 'nonce', 'code_challenge']) {
    expect(second[name]).toMatch(/^[\w-]{43}$/);
    expect(second[name]).not.toBe(first[name]);
  }
  await call;
});

it('lets the prompt in progress end when another finds the browser locked', async () => {
  const { promise, resolve } = Promise.withResolvers<WebBrowserAuthSessionResult>();
  const request = requestOf();
  const { state } = request;
  open.mockReturnValueOnce(promise).mockResolvedValue({ type: 'locked' });
  const inProgress = request.promptAsync(discovery);
  for (const _ of ['first', 'second']) expect(await request.promptAsync(discovery)).toEqual({ type: 'locked' });
  resolve({ type: 'success', url: `${config.redirectUri}?code=c&state=${state}` });
  expect(await inProgress).toMatchObject({ type: 'success', params: { code: 'c', state } });
});

/** A page that keeps what a tab keeps. */
function loadPage(href: string, kept: Map<string, string>): void {
  vi.stubGlobal('document', {});
  vi.stubGlobal('location', { href, origin: new URL(href).origin });
  vi.stubGlobal('sessionStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    removeItem: (key: string) => void kept.delete(key),
  });
}

it('resumes the request for which the page was left, with its values and its provider', async () => {
  const document = { ...discovery, discoveryDocument: { issuer: 'https://provider.example' } };
  const tab = new Map<string, string>();
  loadPage('https://app.example/', tab);
  // The page is gone while the browser shows another.
  const { promise: left, resolve: leave } = Promise.withResolvers<void>();
  open.mockImplementation(() => {
    leave();
    return new Promise(() => {});
  });
  const request = requestOf({ scopes: ['openid'], clientSecret: 'a secret' });
  void request.promptAsync(document, { mode: 'redirect' });
  await left;
  expect(JSON.stringify([...tab])).not.toContain('a secret');
  const { codeVerifier, nonce, state, url } = request;
  const returned = `${config.redirectUri}?code=c&state=${state}&iss=https://provider.example`;
  loadPage(returned, tab);
  browser.getRedirectResult.mockReturnValue({ type: 'success', url: returned });
  // An app with several providers asks for each.
  expect(await AuthRequest.resumeAsync({})).toBe(null);
  expect(await AuthRequest.resumeAsync({ discoveryDocument: { issuer: 'https://other.example' } })).toBe(null);
  const resumed = await AuthRequest.resumeAsync(document);
  expect(resumed?.result).toMatchObject({ type: 'success', params: { code: 'c', state }, url });
  expect(resumed?.request).toMatchObject({ ...config, codeVerifier, nonce, state, url });
  const given = {
    tokenEndpoint: 'https://other.example/token',
    discoveryDocument: { issuer: 'https://other.example' },
  };
  const mixedUp = resumed?.request.exchangeAsync(resumed.result, given);
  await expect(mixedUp).rejects.toThrow('This request was made for https://provider.example');
  // Values that the app has not set are generated again.
  await resumed?.request.makeAuthUrlAsync(document);
  expect(resumed?.request.state).not.toBe(state);
  expect(tab.size).toBe(0);
});

it('keeps a code verifier while the page shows a URL of the app, to which the request has added nothing', async () => {
  const tab = new Map<string, string>();
  loadPage('https://app.example/', tab);
  open.mockImplementation(async () => {
    expect(JSON.stringify([...tab])).toContain(request.codeVerifier);
    return { type: 'cancel' };
  });
  const request = requestOf();
  const { authorizationEndpoint: url } = discovery;
  expect(await request.promptAsync(discovery, { url, mode: 'redirect' })).toEqual({ type: 'cancel' });
  expect(request.codeVerifier).toMatch(/^[\w-]{43}$/);
  expect(openedUrls()).toEqual([url]);
  expect(tab.size).toBe(0);
});

it('pushes a request again before its URL expires, with five seconds left to open it', async () => {
  await using server = await startAnsweringServer();
  let pushed = 0;
  server.answer = (request, response) => {
    pushed += 1;
    json(201, { request_uri: `urn:request:${pushed}`, expires_in: 60 })(request, response);
  };
  const document = { ...discovery, discoveryDocument: { pushed_authorization_request_endpoint: server.origin } };
  vi.useFakeTimers({ toFake: ['Date'] });
  onTestFinished(() => void vi.useRealTimers());
  for (const [milliseconds, times] of [
    [55_000, 1],
    [55_001, 2],
  ] as const) {
    pushed = 0;
    const request = new PushedAuthRequest(config);
    await request.makeAuthUrlAsync(document);
    vi.setSystemTime(Date.now() + milliseconds);
    await request.promptAsync(document);
    expect(pushed).toBe(times);
    expect(openedUrls().at(-1)).toContain(`request_uri=${encodeURIComponent(`urn:request:${times}`)}`);
  }
});

it('pushes a request to http on another machine only when that is allowed', async () => {
  vi.stubGlobal('fetch', async () => Response.json({ request_uri: 'urn:request', expires_in: 60 }, { status: 201 }));
  const metadata = { pushed_authorization_request_endpoint: 'http://provider.example/par' };
  const document = { ...discovery, discoveryDocument: metadata };
  const refused = new PushedAuthRequest(config).makeAuthUrlAsync(document);
  await expect(refused).rejects.toMatchObject({ code: 'ERR_AUTH_ENDPOINT' });
  const allowed = new PushedAuthRequest({ ...config, allowInsecureRequests: true });
  expect(await allowed.makeAuthUrlAsync(document)).toContain('request_uri=urn%3Arequest');
});
