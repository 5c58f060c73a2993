import { afterEach, expect, it, vi } from 'vitest';
import { getDefaultReturnUrl, getRedirectUrl, makeRedirectUri } from './redirect-uri.ts';

const origin = 'https://app.example:8443';

afterEach(() => vi.unstubAllGlobals());

function showPage(): void {
  vi.stubGlobal('window', { location: { origin } });
}

it.each([
  [{}, origin],
  [{ path: 'callback' }, `${origin}/callback`],
  [{ path: '/callback' }, `${origin}/callback`],
  [{ path: 'callback/' }, `${origin}/callback/`],
  [{ path: 'callback', preferLocalhost: true }, `${origin}/callback`],
  [{ path: 'callback', queryParams: { q: 'a b&c', none: undefined } }, `${origin}/callback?q=a+b%26c`],
  [{ path: 'callback', scheme: 'app', native: 'app://callback', isTripleSlashed: true }, `${origin}/callback`],
])('makes the redirect URI of a page from %j', (options, expected) => {
  showPage();
  expect(makeRedirectUri(options)).toBe(expected);
});

it('carries the marker in the default return URL', () => {
  showPage();
  expect(getDefaultReturnUrl()).toBe(`${origin}/+appkit-auth-session`);
  expect(getDefaultReturnUrl('/after/sign-in')).toBe(`${origin}/+appkit-auth-session/after/sign-in`);
  expect(getDefaultReturnUrl('', { scheme: 'app', queryParams: { q: '1' } })).toBe(
    `${origin}/+appkit-auth-session?q=1`,
  );
});

it('gives the redirect URL of a page', () => {
  showPage();
  expect(getRedirectUrl()).toBe(origin);
  expect(getRedirectUrl('callback')).toBe(`${origin}/callback`);
});

it('gives nothing while a page is rendered on a server', () => {
  expect([makeRedirectUri({ path: 'callback' }), getDefaultReturnUrl(), getRedirectUrl('callback')]).toEqual([
    '',
    '',
    '',
  ]);
});

it.each([
  ['makeRedirectUri', () => makeRedirectUri()],
  ['getDefaultReturnUrl', () => getDefaultReturnUrl()],
  ['getRedirectUrl', () => getRedirectUrl()],
])('%s says that React Native is not supported yet', (_, call) => {
  // What React Native has for both.
  vi.stubGlobal('window', globalThis);
  vi.stubGlobal('navigator', { product: 'ReactNative' });
  expect(call).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_AUTH_PLATFORM' }));
});
