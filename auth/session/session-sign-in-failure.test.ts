import { expect, it } from 'vitest';
import { AuthError, ResponseError } from './errors.ts';
import { failedSignIn } from './session-sign-in-failure.ts';
import { toSettings } from './session-server-options.ts';
import { TokenError } from './token-error.ts';

const APP = 'https://app.example';
const request = new Request(`${APP}/auth/callback`);
const secrets = ['a secret of the tests, long enough'];

function fail(error: unknown, errorPath?: string): { logged: unknown[]; response: Response } {
  const logged: unknown[] = [];
  const onError = (given: unknown): void => void logged.push(given);
  const options = { issuer: 'https://provider.example', clientId: 'client', secrets, onError, errorPath };
  const settings = toSettings(options, request);
  const response = failedSignIn(error, { request, returnTo: `${APP}/account?a=1&b="2"#top`, settings });
  return { logged, response };
}

const wrongEndpoint = Object.assign(new TypeError('wrong'), { code: 'ERR_AUTH_ENDPOINT' });

it.each([
  [new AuthError({ error: 'access_denied' }), 400, 'You have not been signed in.'],
  [new AuthError({ error: 'state_mismatch' }), 400, 'The sign-in took too long, or was started in another browser.'],
  [new TokenError({ error: 'invalid_grant' }), 400, 'The sign-in took too long.'],
  [new TokenError({ error: 'bad_verification_code' }), 400, 'The sign-in took too long.'],
  [new ResponseError({ error: 'no_response' }), 502, 'The sign-in service cannot be reached just now.'],
  [new ResponseError({ error: 'server_error' }), 502, 'The sign-in has failed.'],
  [new TokenError({ error: 'constructor' }), 502, 'The sign-in has failed.'],
  [wrongEndpoint, 500, 'The sign-in has failed.'],
])('answers %s with %i, and says: %s', async (error, status, sentence) => {
  const { response } = fail(error);
  expect(response.status).toBe(status);
  const page = await response.text();
  expect(page).toContain(`<p>${sentence}</p>`);
  expect(page).toContain(
    '<a href="/auth/sign-in?returnTo=%2Faccount%3Fa%3D1%26b%3D%25222%2522%23top">Sign in again</a>',
  );
});

it('shows a page that runs no script, and whose URL, with its code, goes nowhere', () => {
  const { headers } = fail(new AuthError({ error: 'access_denied' })).response;
  expect(Object.fromEntries(headers)).toEqual({
    'cache-control': 'no-store',
    'content-security-policy': "default-src 'none'",
    'content-type': 'text/html; charset=utf-8',
    'referrer-policy': 'no-referrer',
  });
});

it.each([
  ['of the standard', new AuthError({ error: 'access_denied' }), 'access_denied'],
  ['of 64 characters', new ResponseError({ error: 'x'.repeat(64) }), 'x'.repeat(64)],
  ['of 65 characters', new ResponseError({ error: 'x'.repeat(65) }), 'invalid_response'],
  ['that ends with markup', new AuthError({ error: 'access_denied<b>' }), 'invalid_response'],
  ['that begins with markup', new AuthError({ error: '<b>access_denied' }), 'invalid_response'],
  ['of this library', wrongEndpoint, 'server_error'],
])('gives the page of the app a code %s', (_, error, code) => {
  const { response } = fail(error, '/sorry');
  expect([response.status, response.headers.get('location')]).toEqual([303, `${APP}/sorry?error=${code}`]);
});

it('logs what the provider or the app has done wrong, and nothing that came through the browser', () => {
  for (const error of [new ResponseError({ error: 'no_response' }), wrongEndpoint]) {
    expect(fail(error).logged).toEqual([error]);
  }
  expect(fail(new AuthError({ error: 'access_denied' })).logged).toEqual([]);
});
