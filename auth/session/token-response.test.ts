import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { TokenResponse } from './token-response.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';

// Only the clock is fake: requests take real time.
beforeEach(() => void vi.useFakeTimers({ toFake: ['Date'], now: 1_000_000_000_000 }));
afterEach(() => void vi.useRealTimers());

function pass(seconds: number): void {
  vi.setSystemTime(Date.now() + seconds * 1000);
}

it('must refresh a token when its time is over, with the margin before it', () => {
  const tokens = new TokenResponse({ accessToken: 'a', expiresIn: 3600, refreshToken: 'r' });
  expect(tokens.issuedAt).toBe(getCurrentTimeInSeconds());
  pass(2999);
  expect([TokenResponse.isTokenFresh(tokens), tokens.shouldRefresh()]).toEqual([true, false]);
  pass(1);
  expect([TokenResponse.isTokenFresh(tokens), tokens.shouldRefresh()]).toEqual([false, true]);
});

it('takes the margin that it is given, of which the sign does not count', () => {
  const tokens = new TokenResponse({ accessToken: 'a', expiresIn: 3600 });
  pass(3599);
  expect(TokenResponse.isTokenFresh(tokens, 0)).toBe(true);
  expect(TokenResponse.isTokenFresh(tokens, 1)).toBe(false);
  expect(TokenResponse.isTokenFresh(tokens, -1)).toBe(false);
  pass(1);
  expect(TokenResponse.isTokenFresh(tokens, 0)).toBe(false);
});

it('takes no more than half the lifetime for the margin', () => {
  const tokens = new TokenResponse({ accessToken: 'a', expiresIn: 60 });
  pass(29);
  expect(TokenResponse.isTokenFresh(tokens)).toBe(true);
  pass(1);
  expect(TokenResponse.isTokenFresh(tokens)).toBe(false);
});

it('takes a token without expires_in for one that does not expire', () => {
  const tokens = TokenResponse.fromQueryParams({ access_token: 'a', refresh_token: 'r' });
  pass(100 * 365 * 24 * 3600);
  expect([TokenResponse.isTokenFresh(tokens), tokens.shouldRefresh()]).toEqual([true, false]);
});

it('takes a token that expires at once for one that is not fresh', () => {
  const tokens = TokenResponse.fromQueryParams({ access_token: 'a', expires_in: '0' });
  expect(TokenResponse.isTokenFresh(tokens)).toBe(false);
  // Also when the clock of the device was ahead when they were stored.
  pass(-60);
  expect(TokenResponse.isTokenFresh(tokens)).toBe(false);
});

it('takes no token for one that is not fresh, and a return URL without a token for an empty one', () => {
  expect(TokenResponse.isTokenFresh(undefined as never)).toBe(false);
  expect(TokenResponse.fromQueryParams({ code: 'c' }).accessToken).toBe('');
});

it('has nothing to refresh a token with that came without a refresh token', () => {
  const tokens = new TokenResponse({ accessToken: 'a', expiresIn: 60 });
  pass(60);
  expect([TokenResponse.isTokenFresh(tokens), tokens.shouldRefresh()]).toEqual([false, false]);
});

it('takes an empty refresh token for none (RFC 6749 appendix A.17)', async () => {
  await using server = await startAnsweringServer();
  const empty = { access_token: 'a', expires_in: '0', refresh_token: '' };
  expect(TokenResponse.fromQueryParams(empty).shouldRefresh()).toBe(false);
  const stored = { accessToken: 'a', expiresIn: 1, issuedAt: 1, refreshToken: '' };
  expect(new TokenResponse(stored).shouldRefresh()).toBe(false);
  const tokens = new TokenResponse({ accessToken: 'a', refreshToken: 'r' });
  server.answer = json(200, { access_token: 'b', refresh_token: '' });
  await tokens.refreshAsync({ clientId: 'client' }, { tokenEndpoint: server.origin });
  expect(tokens).toMatchObject({ accessToken: 'b', refreshToken: 'r' });
});

it('is fresh again after a refresh, and keeps what the answer leaves out', async () => {
  await using server = await startAnsweringServer();
  const tokens = new TokenResponse({
    accessToken: 'first',
    expiresIn: 60,
    refreshToken: 'r',
    scope: 'email',
    state: 's',
  });
  pass(60);
  expect(tokens.shouldRefresh()).toBe(true);
  const answer = { access_token: 'second', token_type: 'Bearer', expires_in: 60 };
  server.answer = json(200, answer);
  expect(await tokens.refreshAsync({ clientId: 'client' }, { tokenEndpoint: `${server.origin}/token` })).toBe(tokens);
  expect([TokenResponse.isTokenFresh(tokens), tokens.shouldRefresh()]).toEqual([true, false]);
  const kept = { refreshToken: 'r', scope: 'email', state: 's' };
  expect(tokens).toMatchObject({ accessToken: 'second', issuedAt: getCurrentTimeInSeconds(), ...kept });
  expect(tokens.rawResponse).toEqual(answer);
  server.answer = json(200, { access_token: 'third' });
  await tokens.refreshAsync({ clientId: 'client' }, { tokenEndpoint: `${server.origin}/token` });
  // The lifetime of the previous token does not apply to this one.
  expect(tokens).toMatchObject({ accessToken: 'third', expiresIn: undefined });
});
