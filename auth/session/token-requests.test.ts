import { expect, it } from 'vitest';
import { GrantType } from './enumerations.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { Headers } from './request.ts';
import { AccessTokenRequest, RefreshTokenRequest, RevokeTokenRequest, TokenRequest } from './token-requests.ts';

const redirectUri = 'https://app.example/callback';
const absent = { clientSecret: undefined, extraParams: undefined, scopes: undefined };

it('sends the headers of a form, with the secret of a client in one of them', () => {
  const config = { clientId: 'client', code: 'c', redirectUri };
  const headers = { 'Content-Type': 'application/x-www-form-urlencoded', Accept: 'application/json' };
  expect(new AccessTokenRequest(config).getHeaders()).toEqual(headers);
  const Authorization = `Basic ${btoa('client:secret')}`;
  const withSecret = new AccessTokenRequest({ ...config, clientSecret: 'secret' });
  expect(withSecret.getHeaders()).toEqual({ ...headers, Authorization });
  expect(withSecret.getQueryBody()).not.toHaveProperty('client_id');
});

it('sends a public client as what it is: its id in the body, and nothing that shows who it is', () => {
  const request = new AccessTokenRequest({ clientId: 'client', code: 'c', redirectUri });
  expect(request.getQueryBody()).toMatchObject({ client_id: 'client' });
  expect(request.getHeaders()).not.toHaveProperty('Authorization');
});

it('revokes a token with no more than the token, and with all that may be said', () => {
  expect(new RevokeTokenRequest({ token: 't' }).getQueryBody()).toStrictEqual({ token: 't' });
  const config = { token: 't', clientId: 'client', clientSecret: 'secret', tokenTypeHint: 'refresh_token' as const };
  expect(new RevokeTokenRequest(config).getQueryBody()).toEqual({ token: 't', token_type_hint: 'refresh_token' });
  expect(new RevokeTokenRequest(config).getHeaders()['Authorization']).toBe(`Basic ${btoa('client:secret')}`);
});

it.each([undefined, []])('asks for no scopes with %j', (scopes) => {
  const body = new RefreshTokenRequest({ clientId: 'client', refreshToken: 'r', scopes }).getQueryBody();
  expect(body).toEqual({ grant_type: 'refresh_token', client_id: 'client', refresh_token: 'r' });
});

it('adds extra parameters and headers, which replace none of its own', () => {
  const own = { grant_type: 'refresh_token', scope: 'email profile', refresh_token: 'r' };
  const forged = { grant_type: 'x', client_id: 'x', client_secret: 'x', scope: 'x', refresh_token: 'x' };
  const request = new RefreshTokenRequest({
    clientId: 'client',
    clientSecret: 'secret',
    refreshToken: 'r',
    scopes: ['email', 'profile'],
    extraParams: { ...forged, audience: 'api' },
    extraHeaders: { 'content-type': 'text/plain', authorization: 'x', 'X-Tenant': '7' },
  });
  expect(request.getQueryBody()).toEqual({ ...own, audience: 'api' });
  expect(request.getHeaders()).toEqual({
    'Content-Type': 'application/x-www-form-urlencoded',
    Accept: 'application/json',
    'X-Tenant': '7',
    Authorization: `Basic ${btoa('client:secret')}`,
  });
});

it('adds extra parameters to a revocation, which replace none of its own', () => {
  const forged = { token: 'x', token_type_hint: 'x', client_id: 'x', client_secret: 'x' };
  const config = { token: 't', clientId: 'client', extraParams: { ...forged, tenant: '7' } };
  const own = { token: 't', client_id: 'client' };
  expect(new RevokeTokenRequest(config).getQueryBody()).toStrictEqual({ ...own, tenant: '7' });
});

it('sends a code without a verifier for a provider without PKCE', () => {
  const request = new AccessTokenRequest({ clientId: 'client', code: 'c', redirectUri });
  const own = { grant_type: 'authorization_code', client_id: 'client', redirect_uri: redirectUri, code: 'c' };
  expect(request.getQueryBody()).toStrictEqual(own);
});

it('sends no parameters of a grant that has none (RFC 6749 section 4.4.2)', () => {
  const request = new TokenRequest({ clientId: 'client', clientSecret: 'secret' }, GrantType.ClientCredentials);
  expect(request.getQueryBody()).toStrictEqual({ grant_type: 'client_credentials' });
});

it.each([
  ['AccessTokenRequest has no code,', () => new AccessTokenRequest({ clientId: 'client', code: '', redirectUri })],
  [
    'AccessTokenRequest has no redirectUri,',
    () => new AccessTokenRequest({ clientId: 'client', code: 'c', redirectUri: '' }),
  ],
  ['RefreshTokenRequest has no refreshToken,', () => new RefreshTokenRequest({ clientId: 'client' })],
  ['RevokeTokenRequest has no token,', () => new RevokeTokenRequest({ clientId: 'client', token: '' })],
])('says that a new %s which is required', (message, create) => {
  expect(create).toThrow(message);
  expect(create).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' }));
});

it.each([
  ['in the header by default', undefined, { client_id: undefined, client_secret: undefined }],
  ['in the body', 'client_secret_post' as const, { client_id: 'client', client_secret: 'secret' }],
])('sends the secret %s', (_, clientAuthMethod, expected) => {
  const config = { clientId: 'client', clientSecret: 'secret', refreshToken: 'r', clientAuthMethod };
  const { client_id, client_secret } = new RefreshTokenRequest(config).getQueryBody();
  expect({ client_id, client_secret }).toEqual(expected);
});

it('sends the id of a client whose secret is empty in the body too', () => {
  const request = new RefreshTokenRequest({ clientId: 'client', clientSecret: '', refreshToken: 'r' });
  expect(request.getQueryBody()).toMatchObject({ client_id: 'client' });
  expect(request.getHeaders()['Authorization']).toBe(`Basic ${btoa('client:')}`);
});

it('sends an empty id with the secret of a client that does not say its id', () => {
  const request = new RevokeTokenRequest({ token: 't', clientSecret: 'secret' });
  expect(request.getHeaders()['Authorization']).toBe(`Basic ${btoa(':secret')}`);
});

it('says what an AccessTokenRequest was made of', () => {
  const config = { clientId: 'client', code: 'c', redirectUri };
  const request = new AccessTokenRequest(config);
  expect(request.getRequestConfig()).toStrictEqual({ ...absent, ...config, grantType: 'authorization_code' });
});

it('says what a RefreshTokenRequest was made of', () => {
  const config = { clientId: 'client', refreshToken: 'r', scopes: ['email'] };
  const request = new RefreshTokenRequest(config);
  expect(request.getRequestConfig()).toStrictEqual({ ...absent, ...config, grantType: 'refresh_token' });
});

it('says what a RevokeTokenRequest was made of', () => {
  const config = { clientId: 'client', token: 't' };
  const request = new RevokeTokenRequest(config);
  expect(request.getRequestConfig()).toStrictEqual({ ...config, clientSecret: undefined, tokenTypeHint: undefined });
});

it('sends the headers and parameters that a subclass has added', async () => {
  await using server = await startAnsweringServer();
  const sent: string[] = [];
  server.answer = async (request, response) => {
    sent.push(`${request.headers['x-own']} ${await new Response(request as unknown as ReadableStream).text()}`);
    json(400, { error: 'invalid_grant' })(request, response);
  };
  class Refresh extends RefreshTokenRequest {
    override getHeaders(): Headers {
      return { ...super.getHeaders(), 'x-own': 'yes' };
    }
    override getQueryBody(): Record<string, string> {
      return { ...super.getQueryBody(), resource: 'https://api.example' };
    }
  }
  class Revoke extends RevokeTokenRequest {
    override getQueryBody(): Record<string, string> {
      return { ...super.getQueryBody(), resource: 'https://api.example' };
    }
  }
  const discoveryDocument = { token_endpoint_auth_methods_supported: ['client_secret_post' as const] };
  const client = { clientId: 'client', clientSecret: 'secret' };
  const refresh = new Refresh({ ...client, refreshToken: 'r' });
  const endpoint = `${server.origin}/any`;
  await expect(refresh.performAsync({ tokenEndpoint: endpoint, discoveryDocument })).rejects.toThrow();
  const revoke = new Revoke({ ...client, token: 't' });
  await expect(revoke.performAsync({ revocationEndpoint: endpoint, discoveryDocument })).rejects.toThrow();
  const [first = '', second = ''] = sent;
  expect(first).toMatch(/^yes grant_type=refresh_token&client_id=client&client_secret=secret&/);
  for (const each of [first, second]) expect(each).toContain('resource=https%3A%2F%2Fapi.example');
  expect(second).toContain('client_secret=secret');
});
