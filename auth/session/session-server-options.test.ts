import { expect, it, vi } from 'vitest';
import { toSettings } from './session-server-options.ts';
import type { Settings } from './session-server-options.ts';

const right = {
  issuer: 'https://provider.example',
  clientId: 'client',
  secrets: ['a secret of the tests, long enough'],
};

function settingsOf(options: object = {}, url = 'https://app.example/'): Settings {
  return toSettings({ ...right, ...options }, new Request(url));
}

it.each([
  'https://app.example',
  'http://localhost',
  'http://localhost:8080',
  'http://127.0.0.1:8080',
  'http://127.10.200.30',
  'http://[::1]',
  'http://[::1]:8080',
])('serves an app at %s', (origin) => {
  expect(settingsOf({}, `${origin}/account`).origin).toBe(origin);
  expect(settingsOf({ origin }, 'http://internal/account').origin).toBe(origin);
});

it.each([
  'http://app.example',
  'http://localhost.evil.example',
  'http://127.0.0.1.evil.example',
  'http://127.a.b.c',
  'http://10.0.0.1',
  'http://[::2]',
])('does not serve an app at %s, where its cookies could be read on the way', (origin) => {
  const message = `The app is at ${origin}, where its cookies would be sent unencrypted.`;
  expect(() => settingsOf({}, origin)).toThrow(message);
  expect(() => settingsOf({ origin })).toThrow(message);
  expect(settingsOf({ allowInsecureRequests: true }, origin).origin).toBe(origin);
});

it.each(['app.example', 'ftp://app.example', 'data:,https://app.example', ''])('refuses the origin %j', (origin) => {
  const message = `origin is "${origin}". Write it with https:// or http://, such as https://app.example.`;
  expect(() => settingsOf({ origin })).toThrow(message);
});

it.each(['issuer', 'clientId', 'secrets'])('says that a session server has no %s', (name) => {
  expect(() => settingsOf({ [name]: undefined })).toThrow(`A session server has no ${name}, which is required.`);
});

const withoutIssuer = {
  issuer: undefined,
  discovery: {
    authorizationEndpoint: 'https://provider.example/authorize',
    tokenEndpoint: 'https://provider.example/token',
  },
  readUser: async () => ({ subject: '7' }),
};

it('identifies a provider without an issuer by its token endpoint, and asks it for no scopes by default', () => {
  const { issuer, scopes } = settingsOf(withoutIssuer);
  expect([issuer, scopes]).toEqual(['https://provider.example/token', []]);
});

// Types refuse these.
it.each<[string, object]>([
  ['A session server without an issuer has no readUser,', { ...withoutIssuer, readUser: undefined }],
  [
    'The discovery of a session server has no tokenEndpoint,',
    { ...withoutIssuer, discovery: { authorizationEndpoint: 'https://provider.example/authorize' } },
  ],
  [
    'The discovery of a session server has no authorizationEndpoint,',
    { ...withoutIssuer, discovery: { tokenEndpoint: 'https://provider.example/token' } },
  ],
  ['Remove them, or issuer.', { readUser: withoutIssuer.readUser }],
  ['Remove them, or issuer.', { discovery: withoutIssuer.discovery }],
])('says of the options of a provider without an issuer: %s', (message, options) => {
  expect(() => settingsOf(options)).toThrow(message);
});

// Types refuse these, too.
it.each<[string, object]>([
  ["scopes is not a list. Write it as ['openid', 'email'].", { scopes: 'openid email' }],
  ["claims is not a list. Write it as ['name', 'email'].", { claims: 'email' }],
  ['readUser is not a function. It says who has signed in.', { ...withoutIssuer, readUser: 'login' }],
])('says of an option of the wrong type: %s', (message, options) => {
  expect(() => settingsOf(options)).toThrow(expect.objectContaining({ message, code: 'ERR_AUTH_ARGUMENT' }));
});

it('takes a secret of 32 characters, and none that is shorter', () => {
  expect(settingsOf({ secrets: ['x'.repeat(32)] }).secrets).toEqual(['x'.repeat(32)]);
  expect(() => settingsOf({ secrets: ['x'.repeat(31)] })).toThrow('at least 32 characters');
});

it.each(['/auth', '/api/auth', '/a.b/c~d/e-f_1'])('takes the base path %s', (basePath) => {
  expect(settingsOf({ basePath }).basePath).toBe(basePath);
});

it.each(['', '/', 'auth', 'x/auth', '/auth/', '//auth', '/auth?', '/auth#', '/a b', '/ä'])(
  'refuses the base path %j',
  (basePath) => {
    expect(() => settingsOf({ basePath })).toThrow(`basePath is "${basePath}". Write it as /auth.`);
  },
);

it('takes a cookie name with a prefix of browsers in its middle only', () => {
  expect(settingsOf({ cookieName: 'my__Host-session' }).cookieName).toBe('my__Host-session');
  for (const cookieName of ['__Host-a', '__secure-a', '__HTTP-a']) {
    expect(() => settingsOf({ cookieName })).toThrow(`cookieName is "${cookieName}".`);
  }
});

it('keeps a session for 400 days at most, as browsers keep a cookie (RFC 6265bis section 5.5)', () => {
  expect(settingsOf({ sessionSeconds: 34_560_000 }).sessionSeconds).toBe(34_560_000);
  const message = 'sessionSeconds is not a number from 1 to 34560000.';
  for (const sessionSeconds of [0, 34_560_001]) expect(() => settingsOf({ sessionSeconds })).toThrow(message);
});

it('has defaults for whatever is not given', () => {
  const { onError, ...settings } = settingsOf();
  expect(settings).toEqual({
    ...right,
    basePath: '/auth',
    claims: ['name', 'email', 'email_verified', 'picture'],
    cookieName: 'auth-session',
    origin: 'https://app.example',
    prompt: undefined,
    scopes: ['openid'],
    sessionSeconds: 604_800,
    signedOutPath: '/',
  });
  const log = vi.spyOn(console, 'error').mockReturnValue();
  const error = new Error('of the provider');
  onError(error, new Request('https://app.example/'));
  expect(log.mock.calls).toEqual([[error]]);
  log.mockRestore();
});
