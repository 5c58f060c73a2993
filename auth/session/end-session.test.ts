import { expect, it, vi } from 'vitest';
import { endSessionAsync, makeEndSessionUrl } from './end-session.ts';
import type { EndSessionConfig } from './end-session.ts';

// The browser, which a test answers for.
const browser = vi.hoisted(() => ({ openAuthSessionAsync: vi.fn() }));
vi.mock('appkit-web-browser', () => browser);

const endSessionEndpoint = 'https://provider.example/logout?tenant=7';

function paramsOf(config: EndSessionConfig): Record<string, string> {
  return Object.fromEntries(new URL(makeEndSessionUrl(config, { endSessionEndpoint })).searchParams);
}

it('names who is signed out and where to go afterwards', () => {
  const config = { idToken: 'a.b.c', clientId: 'client', postLogoutRedirectUri: 'https://app.example/signed-out' };
  expect(paramsOf({ ...config, state: 'the state', extraParams: { ui_locales: 'de', state: 'forged' } })).toEqual({
    tenant: '7',
    id_token_hint: 'a.b.c',
    client_id: 'client',
    post_logout_redirect_uri: 'https://app.example/signed-out',
    state: 'the state',
    ui_locales: 'de',
  });
});

it('creates a state of 256 random bits if the user comes back', () => {
  const config = { postLogoutRedirectUri: 'https://app.example/signed-out' };
  const [first, second] = [paramsOf(config)['state'], paramsOf(config)['state']];
  expect(first).toMatch(/^[\w-]{43}$/);
  expect(first).not.toBe(second);
});

it('omits unknown values', () => {
  expect(paramsOf({})).toEqual({ tenant: '7' });
});

it('refuses a document without an endSessionEndpoint', () => {
  expect(() => makeEndSessionUrl({}, {})).toThrow(/endSessionEndpoint/);
});

it('makes a URL of http on another machine only when that is allowed', () => {
  const insecure = { endSessionEndpoint: 'http://provider.example/logout' };
  const message = expect.stringMatching(/^endSessionEndpoint must be/);
  expect(() => makeEndSessionUrl({}, insecure)).toThrow(
    expect.objectContaining({ code: 'ERR_AUTH_ENDPOINT', message }),
  );
  expect(makeEndSessionUrl({ allowInsecureRequests: true }, insecure)).toBe('http://provider.example/logout');
});

it('refuses an empty state, by which the return could not be recognized', () => {
  const wrong = { postLogoutRedirectUri: 'https://app.example/signed-out', state: '' };
  const message = 'Signing out has no state, which is required.';
  const error = expect.objectContaining({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT', message });
  expect(() => makeEndSessionUrl(wrong, { endSessionEndpoint })).toThrow(error);
});

it('does not open a page without a way back', async () => {
  const call = endSessionAsync({ postLogoutRedirectUri: '' }, { endSessionEndpoint });
  await expect(call).rejects.toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ARGUMENT',
    message: expect.stringMatching(/makeEndSessionUrl/),
  });
});

it.each([
  ['the state', 'state=own', undefined],
  ['another state', 'state=forged', 'state_mismatch'],
  ['an error', 'state=own&error=server_error', 'server_error'],
])('treats a user who comes back with %s as signed out, or not', async (_, query, code) => {
  const postLogoutRedirectUri = 'https://app.example/signed-out';
  browser.openAuthSessionAsync.mockResolvedValueOnce({ type: 'success', url: `${postLogoutRedirectUri}?${query}` });
  const call = endSessionAsync({ postLogoutRedirectUri, state: 'own' }, { endSessionEndpoint });
  if (code === undefined) expect(await call).toEqual({ type: 'success' });
  else await expect(call).rejects.toMatchObject({ name: 'AuthError', code });
});

it('says that the user has closed the page', async () => {
  browser.openAuthSessionAsync.mockResolvedValueOnce({ type: 'cancel' });
  const call = endSessionAsync({ postLogoutRedirectUri: 'https://app.example/' }, { endSessionEndpoint });
  expect(await call).toEqual({ type: 'cancel' });
});
