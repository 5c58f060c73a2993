import { UnsecuredJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { failureOf } from './fixtures/failure.ts';
import { TokenResponse } from './token-response.ts';
import { fetchUserInfoAsync } from './user-info.ts';

let server: AnsweringServer;

beforeAll(async () => {
  server = await startAnsweringServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const accessToken = 'a-token-that-was-issued-to-this-client';
// A name that no path in a stack holds.
const sub = 'ada-of-the-sign-in';
const idToken = new UnsecuredJWT({ sub }).encode();

/** Requests the claims of the user with tokens, and gets these. */
async function ask(claims: unknown, tokens: Pick<TokenResponse, 'accessToken' | 'idToken'>): Promise<unknown> {
  server.answer = json(200, claims);
  return fetchUserInfoAsync(tokens, { userInfoEndpoint: `${server.origin}/me` });
}

it.each([undefined, null, '', 42])('asks nobody with the access token %s', async (wrong) => {
  const call = ask({ sub }, { accessToken: wrong as never });
  expect(await failureOf(call, [])).toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ARGUMENT',
    message: 'fetchUserInfoAsync has no accessToken, which is required.',
  });
});

it('takes user information of the user of the id_token', async () => {
  const claims = { sub, email: 'ada@example.test' };
  expect(await ask(claims, { accessToken, idToken })).toEqual(claims);
  expect(await ask(claims, new TokenResponse({ accessToken, idToken }))).toEqual(claims);
});

it.each([
  ['another sub', { sub: 'eve-of-elsewhere' }],
  ['a sub in another case', { sub: 'Ada-of-the-sign-in' }],
  ['no sub', { email: 'eve-of-elsewhere@example.test' }],
  ['a sub of null', { sub: null }],
  ['a list with the sub', { sub: [sub] }],
])('refuses user information with %s (OpenID Connect Core section 5.3.2)', async (_, claims) => {
  for (const tokens of [{ accessToken, idToken }, new TokenResponse({ accessToken, idToken })]) {
    const failure = await failureOf(ask(claims, tokens), [accessToken, idToken, sub, 'eve-of-elsewhere']);
    expect(failure).toMatchObject({
      name: 'ResponseError',
      code: 'invalid_response',
      message: 'The answer lacks the sub of the id_token (HTTP status 200, application/json).',
      info: { status: 200 },
    });
  }
});

it('repeats no token in an error, however short it is', async () => {
  server.answer = text(502, 'text/plain', 'no user has sh0rt');
  const call = fetchUserInfoAsync({ accessToken: 'sh0rt' }, { userInfoEndpoint: `${server.origin}/me` });
  expect(await failureOf(call, ['sh0rt'])).toMatchObject({ info: { excerpt: 'no user has …' } });
});

it('reads no claims from a token that is not of its media type', async () => {
  server.answer = text(200, 'text/plain', new UnsecuredJWT({ sub }).encode());
  const call = fetchUserInfoAsync({ accessToken }, { userInfoEndpoint: `${server.origin}/me` });
  await expect(call).rejects.toMatchObject({ code: 'invalid_response' });
});

it.each([
  ['a list', ['ada']],
  ['a text', 'ada'],
])('says that %s is not user information', async (_, wrong) => {
  await expect(ask(wrong, { accessToken })).rejects.toMatchObject({
    code: 'invalid_response',
    message: 'The answer is not a JSON object (HTTP status 200, application/json).',
  });
});

it('takes nobody for the user of an id_token without a sub', async () => {
  const nobody = new UnsecuredJWT({}).encode();
  await expect(ask({}, { accessToken, idToken: nobody })).rejects.toMatchObject({ code: 'invalid_response' });
});

it.each(['not a token', 'a.b.c', ''])('refuses to compare with an id_token %j', async (unreadable) => {
  const call = ask({ sub }, { accessToken, idToken: unreadable });
  await expect(call).rejects.toMatchObject({ name: 'ResponseError', code: 'invalid_id_token' });
});

it('takes what a provider of OAuth alone tells, which gives no id_token', async () => {
  const claims = { id: 1, login: 'ada' };
  expect(await ask(claims, { accessToken })).toEqual(claims);
  expect(await ask(claims, new TokenResponse({ accessToken }))).toEqual(claims);
});

it('reads signed user information, which a client can be registered for', async () => {
  const claims = { sub, email: 'ada@example.test', aud: 'client' };
  const answerWith = (body: string, status = 200): void => {
    server.answer = text(status, 'application/jwt;charset=utf-8', body);
  };
  const discovery = { userInfoEndpoint: `${server.origin}/me` };
  answerWith(new UnsecuredJWT(claims).encode());
  expect(await fetchUserInfoAsync({ accessToken, idToken }, discovery)).toEqual(claims);
  const other = new UnsecuredJWT({ sub: 'eve-of-elsewhere' }).encode();
  for (const [body, status] of [
    [other],
    ['a.b.c'],
    ['a.b.c.d.e'],
    [''],
    [new UnsecuredJWT(claims).encode(), 401],
  ] as const) {
    answerWith(body, status);
    const failure = await failureOf(fetchUserInfoAsync({ accessToken, idToken }, discovery), [
      accessToken,
      idToken,
      sub,
    ]);
    expect(failure).toMatchObject({ name: 'ResponseError', code: 'invalid_response', info: { status: status ?? 200 } });
  }
});
