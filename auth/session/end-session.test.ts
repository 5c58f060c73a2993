import { expect, it } from 'vitest';
import { endSessionAsync, makeEndSessionUrl } from './end-session.ts';
import type { EndSessionConfig } from './end-session.ts';

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
  expect(() => makeEndSessionUrl({}, insecure)).toThrow(expect.objectContaining({ code: 'ERR_AUTH_ENDPOINT' }));
  expect(makeEndSessionUrl({ allowInsecureRequests: true }, insecure)).toBe('http://provider.example/logout');
});

it('refuses an empty state, by which the return could not be recognized', () => {
  const wrong = { postLogoutRedirectUri: 'https://app.example/signed-out', state: '' };
  const error = expect.objectContaining({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
  expect(() => makeEndSessionUrl(wrong, { endSessionEndpoint })).toThrow(error);
});

it('does not open a page without a way back', async () => {
  const call = endSessionAsync({ postLogoutRedirectUri: '' }, { endSessionEndpoint });
  await expect(call).rejects.toMatchObject({ name: 'TypeError', message: expect.stringMatching(/makeEndSessionUrl/) });
});
