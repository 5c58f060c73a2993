import path from 'node:path';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { startBrowser } from '../fixtures/browser.ts';
import { startSites } from '../fixtures/sites.ts';
import type { Sites } from '../fixtures/sites.ts';
import type { CompletedAuthSessionResult } from './auth-session-result.ts';
import { toFacebookRequest } from './provider-facebook.ts';
import { toGoogleRequest } from './provider-google.ts';

const GOOGLE_SCOPES = [
  'openid',
  'https://www.googleapis.com/auth/userinfo.profile',
  'https://www.googleapis.com/auth/userinfo.email',
];
const redirectUri = 'https://app.example/back';

describe('what is asked for', () => {
  it('is the client of the platform, else the one for all, else an error that names it', () => {
    const clients = { androidClientId: 'a', iosClientId: 'i', webClientId: 'w', redirectUri };
    const clientFor = (on: 'android' | 'ios' | 'web' | 'node'): string => toGoogleRequest(clients, { on }).clientId;
    expect([clientFor('android'), clientFor('ios'), clientFor('web'), clientFor('node')]).toEqual(['a', 'i', 'w', 'w']);
    expect(toFacebookRequest({ clientId: 'all', iosClientId: 'i', redirectUri }, { on: 'android' }).clientId).toBe(
      'all',
    );
    const missing = { iosClientId: 'i', redirectUri };
    expect(() => toGoogleRequest(missing, { on: 'android' })).toThrow('Google has no androidClientId, and no clientId');
    expect(() => toFacebookRequest(missing, { on: 'web' })).toThrow('Facebook has no webClientId');
  });

  it('is a token on a page, and a code in an installed app or with a secret, with a verifier for a code only', () => {
    const ask = (on: 'ios' | 'web', more: object = {}): unknown[] => {
      const { responseType, usePKCE } = toGoogleRequest({ clientId: 'c', redirectUri, ...more }, { on });
      return [responseType, usePKCE];
    };
    expect(ask('web')).toEqual(['token', false]);
    expect(ask('ios')).toEqual(['code', true]);
    expect(ask('web', { clientSecret: 's' })).toEqual(['code', true]);
    expect(ask('web', { responseType: 'code id_token' })).toEqual(['code id_token', true]);
    expect(ask('ios', { responseType: 'id_token' })).toEqual(['id_token', false]);
    expect(toFacebookRequest({ clientId: 'c', redirectUri }).responseType).toBe('token');
  });

  it('has the parameters and scopes of the provider, once each, and lets extra ones win', () => {
    const config = { clientId: 'c', redirectUri, language: 'de', scopes: ['calendar', 'openid', 'email'] };
    const google = toGoogleRequest({
      ...config,
      loginHint: 'ada@example.test',
      selectAccount: true,
      prompt: 'consent',
      extraParams: { hl: 'fr', access_type: 'offline' },
    });
    expect(google).toMatchObject({
      extraParams: { hl: 'fr', login_hint: 'ada@example.test', access_type: 'offline' },
      prompt: ['consent', 'select_account'],
      scopes: ['calendar', 'openid', 'email', ...GOOGLE_SCOPES.slice(1)],
    });
    expect(toFacebookRequest(config)).toMatchObject({
      extraParams: { display: 'popup', locale: 'de' },
      scopes: ['calendar', 'openid', 'email', 'public_profile'],
    });
  });
});

describe('in Chromium, with the addresses of the providers answered here', () => {
  let browser: Browser;
  let sites: Sites;

  beforeAll(async () => {
    const script = path.join(import.meta.dirname, 'fixtures/provider-page.tsx');
    [browser, sites] = await Promise.all([startBrowser(), startSites({ script })]);
  });

  afterAll(async () => {
    await Promise.all([browser.close(), sites[Symbol.asyncDispose]()]);
  });

  type Answer = (asked: URLSearchParams) => Promise<Record<string, string>> | Record<string, string>;

  /** Signs in, and gives what was asked of the provider and what came of it. */
  async function signIn(
    hook: string,
    { config = {}, answer, token }: { config?: object; answer: Answer; token?: { status: number; body: unknown } },
  ): Promise<{ asked: URL; exchanged: URLSearchParams[]; result: CompletedAuthSessionResult; page: Page }> {
    const context = await browser.newContext();
    onTestFinished(() => context.close());
    const { publicKey } = await keys;
    const jwk = { ...(await exportJWK(publicKey)), kid: 'k', alg: 'RS256', use: 'sig' };
    let asked = new URL('about:blank');
    const exchanged: URLSearchParams[] = [];
    const headers = { 'access-control-allow-origin': '*' };
    await context.route(/^https:/, async (route) => {
      const url = new URL(route.request().url());
      if (/^\/(?:o\/oauth2\/v2\/auth|dialog\/oauth)$/.test(url.pathname)) {
        asked = url;
        const params = new URLSearchParams(await answer(url.searchParams));
        params.set('state', url.searchParams.get('state') ?? '');
        await route.fulfill({
          status: 302,
          headers: { location: `${url.searchParams.get('redirect_uri')}#${params}` },
        });
      } else if (url.href === 'https://oauth2.googleapis.com/token') {
        exchanged.push(new URLSearchParams(route.request().postData() ?? ''));
        await route.fulfill({ status: token?.status ?? 500, headers, json: token?.body });
      } else if (url.href === 'https://www.googleapis.com/oauth2/v3/certs') {
        await route.fulfill({ headers, json: { keys: [jwk] } });
      } else {
        await route.abort();
      }
    });
    const page = await context.newPage();
    await page.goto(`${sites.app}/?${new URLSearchParams({ hook, config: JSON.stringify(config) })}`);
    await page.click('button:enabled');
    const result = JSON.parse((await page.locator('output:not(:empty)').textContent()) ?? '');
    expect(await page.evaluate(() => JSON.stringify((window as unknown as { prompted: unknown }).prompted))).toEqual(
      JSON.stringify(result),
    );
    return { asked, exchanged, result, page };
  }

  const keys = generateKeyPair('RS256', { extractable: true });

  async function idToken(claims: Record<string, unknown>): Promise<string> {
    const { privateKey } = await keys;
    const jwt = new SignJWT({ iss: 'https://accounts.google.com', aud: 'web-client', sub: 'ada', ...claims });
    return jwt.setProtectedHeader({ alg: 'RS256', kid: 'k' }).setIssuedAt().setExpirationTime('1m').sign(privateKey);
  }

  it('signs in to Google with a token in the answer', async () => {
    const { asked, result } = await signIn('google', {
      config: { webClientId: 'web-client', selectAccount: true },
      answer: () => ({ access_token: 'at', token_type: 'bearer', expires_in: '3600' }),
    });
    expect(asked.origin + asked.pathname).toBe('https://accounts.google.com/o/oauth2/v2/auth');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: 'web-client',
      redirect_uri: `${sites.app}/back`,
      response_type: 'token',
      scope: GOOGLE_SCOPES.join(' '),
      prompt: 'select_account',
    });
    expect(asked.searchParams.has('code_challenge')).toBe(false);
    expect(result).toMatchObject({ type: 'success', authentication: { accessToken: 'at', expiresIn: 3600 } });
  });

  it('exchanges a code when it is asked to, once, and shows no result before', async () => {
    const token = { status: 200, body: { access_token: 'at', token_type: 'bearer', id_token: '' } };
    const { asked, exchanged, result, page } = await signIn('google', {
      config: { clientId: 'web-client', responseType: 'code', shouldAutoExchangeCode: true },
      async answer(request) {
        token.body.id_token = await idToken({ nonce: request.get('nonce') });
        return { code: 'c0de' };
      },
      token,
    });
    expect(result).toMatchObject({
      type: 'success',
      authentication: { accessToken: 'at' },
      params: { code: 'c0de', access_token: 'at' },
    });
    expect(exchanged.map(Object.fromEntries)).toEqual([
      expect.objectContaining({ code: 'c0de', client_id: 'web-client', redirect_uri: `${sites.app}/back` }),
    ]);
    expect(exchanged[0]?.get('code_verifier')).toMatch(/^[\w-]{43}$/);
    expect(asked.searchParams.get('code_challenge_method')).toBe('S256');
    const shown = await page.evaluate(() => (window as unknown as { results: unknown[] }).results);
    expect(new Set(shown)).toEqual(new Set([null, 'tokens']));
  });

  it('leaves a code on a page to the app unless it is asked', async () => {
    const { exchanged, result } = await signIn('google', {
      config: { clientId: 'web-client', responseType: 'code' },
      answer: () => ({ code: 'c0de' }),
    });
    expect(result).toMatchObject({ type: 'success', authentication: null, params: { code: 'c0de' } });
    expect(exchanged).toEqual([]);
  });

  it.each([
    [{ status: 400, body: { error: 'invalid_grant' } }, 'invalid_grant'],
    [{ status: 500, body: 'down' }, 'exchange_failed'],
  ])('gives an error when the exchange fails: %j', async (token, code) => {
    const { result } = await signIn('google', {
      config: { clientId: 'web-client', responseType: 'code', shouldAutoExchangeCode: true },
      answer: () => ({ code: 'c0de' }),
      token,
    });
    expect(result).toMatchObject({ type: 'error', authentication: null, errorCode: code, error: { code } });
  });

  it('signs in to Google with an id_token in the answer, and checks it with the keys of Google', async () => {
    const right = await signIn('googleIdToken', {
      config: { clientId: 'web-client' },
      answer: async (asked) => ({ id_token: await idToken({ nonce: asked.get('nonce') }) }),
    });
    expect(right.asked.searchParams.get('response_type')).toBe('id_token');
    expect(right.result).toMatchObject({ type: 'success', params: { id_token: expect.stringMatching(/^ey/) } });
    const wrong = await signIn('googleIdToken', {
      config: { clientId: 'web-client' },
      answer: async () => ({ id_token: await idToken({ nonce: 'of another request' }) }),
    });
    expect(wrong.result).toMatchObject({ type: 'error', errorCode: 'invalid_id_token' });
  });

  it('signs in to Facebook with a token in the answer', async () => {
    const { asked, result } = await signIn('facebook', {
      config: { webClientId: '123', language: 'de_DE' },
      answer: () => ({ access_token: 'at', expires_in: '5184000' }),
    });
    expect(asked.origin + asked.pathname).toBe('https://www.facebook.com/dialog/oauth');
    expect(Object.fromEntries(asked.searchParams)).toMatchObject({
      client_id: '123',
      display: 'popup',
      locale: 'de_DE',
      response_type: 'token',
      scope: 'public_profile email',
    });
    expect(result).toMatchObject({ type: 'success', authentication: { accessToken: 'at' } });
  });
});
