import { expect, it } from 'vitest';
import { AccessTokenRequest, RefreshTokenRequest, RevokeTokenRequest } from './token-requests.ts';

const absent = { clientSecret: undefined, extraParams: undefined, scopes: undefined };

it('says what an AccessTokenRequest was made of', () => {
  const config = { clientId: 'client', code: 'c', redirectUri: 'https://app.example/callback' };
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
