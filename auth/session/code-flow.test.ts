import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { visit } from './fixtures/visit.ts';
import { exchangeCodeAsync, refreshAsync, revokeAsync } from './operations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { TokenResponse } from './token-response.ts';
import { fetchUserInfoAsync } from './user-info.ts';

let provider: LocalProvider;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  provider = await startProvider();
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(() => provider[Symbol.asyncDispose]());

const scopes = ['openid', 'email', 'offline_access'];

async function signIn(client: {
  clientId: string;
  redirectUri: string;
  clientSecret?: string;
}): Promise<TokenResponse> {
  const request = new AuthRequest({ ...client, scopes, prompt: 'consent' });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  expect(result).toMatchObject({ type: 'success', error: null });
  return request.exchangeAsync(result, discovery);
}

it('signs in with a code and PKCE', async () => {
  const tokens = await signIn(clients.public);
  expect(tokens).toMatchObject({ tokenType: 'bearer', expiresIn: 3600, scope: scopes.join(' ') });
  expect([TokenResponse.isTokenFresh(tokens), tokens.shouldRefresh()]).toEqual([true, false]);
  // With an id_token, to compare the user.
  expect(tokens.idToken).toBeDefined();
  expect(await fetchUserInfoAsync(tokens, discovery)).toEqual({ sub: 'ada', email: 'ada@example.test' });
});

it('signs in a client with a secret, whatever characters are in it', async () => {
  const tokens = await signIn(clients.confidential);
  expect((await fetchUserInfoAsync(tokens, discovery))['sub']).toBe('ada');
});

it('refreshes, and the provider accepts each refresh token once', async () => {
  const tokens = await signIn(clients.public);
  const { refreshToken: first, accessToken } = tokens;
  const config = { clientId: clients.public.clientId };
  await Promise.all([tokens.refreshAsync(config, discovery), tokens.refreshAsync(config, discovery)]);
  expect(tokens.accessToken).not.toBe(accessToken);
  expect(tokens.refreshToken).not.toBe(first);
  await expect(refreshAsync({ ...config, refreshToken: first }, discovery)).rejects.toMatchObject({
    name: 'TokenError',
    code: 'invalid_grant',
  });
});

it.each([
  ['without a secret', clients.public, {}],
  ['with a secret in the header', clients.confidential, {}],
  ['with a secret in the body', clients.post, { clientAuthMethod: 'client_secret_post' as const }],
])('revokes a token of a client %s, which is then invalid', async (_, client, auth) => {
  const request = new AuthRequest({ ...client, scopes, prompt: 'consent' });
  const { params } = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  const { codeVerifier, nonce } = request;
  const tokens = await exchangeCodeAsync(
    { ...client, ...auth, code: params['code'] ?? '', codeVerifier, nonce },
    discovery,
  );
  const { refreshToken } = tokens;
  expect(await revokeAsync({ ...client, ...auth, token: refreshToken ?? '' }, discovery)).toBe(true);
  await expect(refreshAsync({ ...client, ...auth, refreshToken }, discovery)).rejects.toMatchObject({
    code: 'invalid_grant',
  });
  await expect(fetchUserInfoAsync(tokens, discovery)).rejects.toMatchObject({ code: 'invalid_token' });
});

it('says that a revocation has failed', async () => {
  const config = { ...clients.confidential, clientSecret: 'another', token: 'any' };
  await expect(revokeAsync(config, discovery)).rejects.toMatchObject({ name: 'TokenError', code: 'invalid_client' });
});

it('says that a token cannot be revoked without a revocationEndpoint', async () => {
  const call = revokeAsync({ clientId: 'public', token: 'any' }, { ...discovery, revocationEndpoint: undefined });
  await expect(call).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
});

it('says that a revocation has not reached the provider', async () => {
  const revocationEndpoint = 'http://127.0.0.1:1/revoke';
  const call = revokeAsync({ clientId: 'public', token: 'any' }, { revocationEndpoint });
  await expect(call).rejects.toMatchObject({ name: 'ResponseError', code: 'no_response' });
});

it('gets no answer at a redirect URI that the provider does not know', async () => {
  const request = new AuthRequest({ ...clients.public, redirectUri: 'https://elsewhere.example/callback', scopes });
  const opened = await request.makeAuthUrlAsync(discovery);
  expect(await visit(opened)).toBe(opened);
  expect((await fetch(opened, { redirect: 'manual' })).status).toBe(400);
});

it('cannot refresh tokens that came without a refresh token', async () => {
  const request = new AuthRequest({ ...clients.public, scopes: ['openid'] });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  const tokens = await request.exchangeAsync(result, discovery);
  expect(tokens.refreshToken).toBeUndefined();
  const call = tokens.refreshAsync({ clientId: clients.public.clientId }, discovery);
  await expect(call).rejects.toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ARGUMENT',
    message: expect.stringMatching(/no refreshToken.*sign in again/),
  });
});

it('says that the user has refused', async () => {
  const request = new AuthRequest({ ...clients.public, scopes });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery), 'cancel'));
  expect(result).toMatchObject({ type: 'error', authentication: null, errorCode: 'access_denied' });
});

it('says that the user would have to sign in, with prompt none', async () => {
  const request = new AuthRequest({ ...clients.public, scopes, prompt: 'none' });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  expect(result).toMatchObject({
    type: 'error',
    error: { name: 'AuthError', code: 'login_required', state: request.state },
  });
});

it('checks an id_token in the URL with the keys of the provider', async () => {
  const request = new AuthRequest({
    ...clients.implicit,
    scopes: ['openid'],
    responseType: 'id_token',
    usePKCE: false,
  });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  expect(result).toMatchObject({ type: 'success', error: null });
  const other = new AuthRequest({ ...clients.implicit, scopes: ['openid'], responseType: 'id_token', usePKCE: false });
  const url = await visit(await other.makeAuthUrlAsync(discovery));
  const forged = url.replace(/(id_token=[\w-]+\.[\w-]+\.)[\w-]{10}/, '$1AAAAAAAAAA');
  expect(await other.parseReturnUrlAsync(forged)).toMatchObject({ type: 'error', errorCode: 'invalid_id_token' });
});
