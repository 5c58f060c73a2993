import { afterAll, beforeAll, expect, it } from 'vitest';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { expectNothingLogged, failureOf } from './fixtures/failure.ts';
import { exchangeCodeAsync, refreshAsync, revokeAsync } from './operations.ts';
import { requestAsync } from './request-async.ts';
import type { SendOptions } from './send.ts';
import type { TokenResponse } from './token-response.ts';
import { fetchUserInfoAsync } from './user-info.ts';

let server: AnsweringServer;

beforeAll(async () => {
  server = await startAnsweringServer();
});

afterAll(() => server[Symbol.asyncDispose]());

const secrets = {
  code: 'the-code-of-the-answer',
  codeVerifier: 'the-verifier-of-the-request-is-of-43-characters',
  clientSecret: 'the-secret-of-the-client',
};
const issued = 'an-access-token-that-was-issued';

function exchange(options?: SendOptions): Promise<TokenResponse> {
  const config = { clientId: 'client', redirectUri: 'https://app.example/callback', ...secrets };
  return exchangeCodeAsync(config, { tokenEndpoint: `${server.origin}/token` }, options);
}

const failure = (call: Promise<unknown>): ReturnType<typeof failureOf> =>
  failureOf(call, [...Object.values(secrets), issued]);

expectNothingLogged();

it.each([
  ['a page of HTML', text(200, 'text/html', '<!doctype html><title>Sign in</title>')],
  ['a page of HTML that repeats the code', text(200, 'text/html', `<p>${secrets.code} ${secrets.codeVerifier}</p>`)],
  ['nothing', text(200, 'application/json', '')],
  ['JSON that is broken off', text(200, 'application/json', `{"access_token":"${issued}"`)],
  ['null', json(200, null)],
  ['a list', json(200, [{ access_token: issued }])],
  ['a string', json(200, issued)],
  ['no access_token', json(200, { token_type: 'bearer', expires_in: 60 })],
  ['an empty access_token', json(200, { access_token: '', token_type: 'bearer' })],
  ['an access_token that is a number', json(200, { access_token: 42, token_type: 'bearer' })],
  ['an access_token that is null', json(200, { access_token: null })],
  ['only an id_token', json(200, { id_token: 'a.b.c' })],
  ['tokens with the status 400', json(400, { access_token: issued, token_type: 'bearer' })],
  ['tokens with the status 503', json(503, { access_token: issued, token_type: 'bearer' })],
  ['a message with the status 500', json(500, { message: `down: ${secrets.code}` })],
  ['text with the status 502 that repeats the secret', text(502, 'text/plain', `bad gateway ${secrets.clientSecret}`)],
  ['an image', text(200, 'image/png', '\x89PNG')],
])('refuses %s as a token answer (RFC 6749 section 5.1)', async (_, answer) => {
  server.answer = answer;
  expect(await failure(exchange())).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
});

const plain = (status: number, body: string): ReturnType<typeof text> => text(status, 'text/plain', body);
const NO_FIELDS = 'The answer is neither JSON nor a form';
const FAILED = 'The request failed';

it.each([
  ['HTML', text(200, 'text/html', '<p>Sign in'), NO_FIELDS, '200, text/html', '<p>Sign in'],
  ['HTML that looks like a form', text(200, 'text/html', 'a=b'), NO_FIELDS, '200, text/html', 'a=b'],
  ['text with a sign of a form', plain(200, 'try later: a=b'), NO_FIELDS, '200, text/plain', 'try later: a=b'],
  ['text that repeats what was sent', plain(502, `no r3fresh, ${issued}`), FAILED, '502, text/plain', 'no …, …'],
  ['a long text', plain(502, 'not now. '.repeat(99)), FAILED, '502, text/plain', 'not now. '.repeat(99).slice(0, 200)],
  ['an image', text(200, 'image/png', 'PNG'), NO_FIELDS, '200, image/png', ''],
  ['JSON', json(500, { message: 'down', id: 1 }), FAILED, '500, application/json', 'message, id'],
  ['no token', json(200, { a: 1, b: 2 }), 'The answer contains no access_token', '200, application/json', 'a, b'],
  [
    'fields of another type',
    json(200, { access_token: issued, token_type: 1, scope: ['a', 2] }),
    'The answer has no text as token_type, scope',
    '200, application/json',
    'access_token, token_type, scope',
  ],
])('shows a developer of an unusable answer with %s what it is', async (_, answer, message, type, excerpt) => {
  server.answer = answer;
  const call = refreshAsync({ clientId: 'client', refreshToken: 'r3fresh' }, { tokenEndpoint: server.origin });
  const [status, contentType] = type.split(', ');
  expect(await failure(call)).toMatchObject({
    message: `${message} (HTTP status ${type}).`,
    info: { status: Number(status), contentType, excerpt },
  });
});

it('shows that an unusable answer has no media type', async () => {
  server.answer = (_, response) => void response.writeHead(200).end('x');
  expect(await failure(exchange())).toMatchObject({
    message: `${NO_FIELDS} (HTTP status 200, no content type).`,
    info: { contentType: '', excerpt: '' },
  });
});

it.each([
  ['invalid_client', 'The authorization server answered with the error invalid_client: The client is unknown'],
  ['tenant_asleep', 'The authorization server answered with the error tenant_asleep.'],
  ['a'.repeat(41), 'The authorization server answered with the error.'],
  ['Some text', 'The authorization server answered with the error.'],
])('names the error %s only if it looks like a code', async (error, message) => {
  server.answer = json(400, { error });
  expect((await failure(exchange())).message.startsWith(message)).toBe(true);
});

it.each([
  'invalid_client',
  'invalid_grant',
  'unsupported_grant_type',
  'unsupported_token_type',
  'authorization_pending',
  'slow_down',
  'expired_token',
  'invalid_dpop_proof',
  'use_dpop_nonce',
])('describes the error %s of a standard', async (error) => {
  server.answer = json(400, { error });
  expect(await failure(exchange())).toMatchObject({
    description: expect.stringMatching(/^The [\w ,]{15,}\.$/),
  });
});

it.each([
  ['null', null, {}, true],
  ['a number', 42, {}, 'it is no text'],
  ['null, though it was asked for', null, { nonce: 'n' }, 'it is missing, though it was asked for'],
])('reads an id_token that is %s', async (_, id_token, more, reason) => {
  server.answer = json(200, { access_token: issued, id_token });
  const config = { clientId: 'client', redirectUri: 'https://app.example/callback', code: secrets.code, ...more };
  const document = { tokenEndpoint: server.origin, discoveryDocument: { issuer: server.origin } };
  const call = exchangeCodeAsync(config, document);
  if (reason === true) expect(await call).toMatchObject({ accessToken: issued, idToken: undefined });
  else {
    expect(await failure(call)).toMatchObject({
      code: 'invalid_id_token',
      message: `The id_token is not one for this client and request: ${reason}.`,
    });
  }
});

it.each([
  ['with the status 200', json(200, { error: 'invalid_grant' })],
  ['with the status 400', json(400, { error: 'invalid_grant' })],
  ['with the status 401 and a challenge', json(401, { error: 'invalid_grant' })],
  ['with the status 500', json(500, { error: 'invalid_grant' })],
  ['beside tokens', json(200, { error: 'invalid_grant', access_token: issued })],
  ['as text/plain', json(400, { error: 'invalid_grant' }, 'text/plain')],
  ['as a form', text(400, 'application/x-www-form-urlencoded', 'error=invalid_grant&error_description=old')],
])('reads an error %s (RFC 6749 section 5.2)', async (_, answer) => {
  server.answer = answer;
  expect(await failure(exchange())).toMatchObject({ name: 'TokenError', code: 'invalid_grant' });
});

const refresh = (): Promise<TokenResponse> =>
  refreshAsync({ clientId: 'client', refreshToken: secrets.code }, { tokenEndpoint: `${server.origin}/token` });
// As Strava answers.
const ofStrava = (resource: string, field: string): object => ({ resource, field, code: 'invalid' });

it.each([
  ['Strava', { message: 'Bad Request', errors: [ofStrava('RefreshToken', 'refresh_token')] }],
  ['Fitbit', { errors: [{ errorType: 'invalid_grant', message: 'Refresh token invalid' }], success: false }],
])('takes a list of errors, as of %s, for the refusal of a refresh token', async (_, body) => {
  server.answer = json(400, body);
  expect(await failure(refresh())).toMatchObject({
    name: 'TokenError',
    code: 'invalid_grant',
    message: 'The authorization server has refused the refresh token (HTTP status 400).',
    info: { status: 400 },
  });
  expect(await failure(exchange())).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
  server.answer = json(401, body);
  expect(await failure(refresh())).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
});

// Of API gateways, such as those of Amazon, Kong, Apigee and Google, and of providers that refuse the client.
it.each([
  ['nothing', text(400, '', '')],
  ['a line break', text(400, 'text/plain', '\r\n')],
  ['an empty object', json(400, {})],
  ['a message', json(400, { message: 'Bad Request' })],
  ['a fault', json(400, { fault: { faultstring: 'Invalid ApiKey', detail: { errorcode: 'oauth.v2.InvalidApiKey' } } })],
  ['an object as error', json(400, { error: { code: 400, message: 'API key not valid' } })],
  [
    'an object as error, and a list',
    json(400, { error: { code: 400 }, errors: [ofStrava('RefreshToken', 'refresh_token')] }),
  ],
  ['no errors in the list', json(400, { errors: [] })],
  ['errors that are no list', json(400, { errors: { resource: 'RefreshToken' } })],
  ['errors that are no objects', json(400, { errors: [null, 'invalid_grant'] })],
  ['an error of another kind', json(400, { errors: [{ errorType: 'invalid_request' }] })],
  ['an error of the client', json(400, { message: 'Bad Request', errors: [ofStrava('Application', 'client_id')] })],
  [
    'errors of the token and the client',
    json(400, { errors: [ofStrava('RefreshToken', 'refresh_token'), ofStrava('Application', 'client_id')] }),
  ],
])('does not take the status 400 with %s for the refusal of a refresh token', async (_, answer) => {
  server.answer = answer;
  expect(await failure(refresh())).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
});

it.each([
  ['400 with a page, as of a proxy', text(400, 'text/html', '<p>Bad request'), 'invalid_response'],
  ['400 with a text', text(400, 'text/plain', 'Bad request'), 'invalid_response'],
  ['400 with a reason', json(400, { error: 'invalid_scope' }), 'invalid_scope'],
  ['400 with a reason in a form', text(400, 'text/plain', 'error=invalid_client'), 'invalid_client'],
  ['401 with nothing', text(401, '', ''), 'invalid_response'],
  ['403 with nothing', text(403, '', ''), 'invalid_response'],
  ['404 with nothing', text(404, '', ''), 'invalid_response'],
  ['429 with nothing', text(429, '', ''), 'invalid_response'],
  ['500 with nothing', text(500, '', ''), 'invalid_response'],
])('does not take the status %s for the refusal of a refresh token', async (_, answer, code) => {
  server.answer = answer;
  expect(await failure(refresh())).toMatchObject({ code });
});

it('reads all that an error says, and describes one of the standard that says no more', async () => {
  const body = {
    error: 'invalid_grant',
    error_description: 'The code is old.',
    error_uri: 'https://provider.example/e',
  };
  server.answer = json(400, { ...body, tenant: '7' });
  await expect(exchange()).rejects.toMatchObject({
    name: 'TokenError',
    code: 'invalid_grant',
    description: 'The code is old.',
    uri: 'https://provider.example/e',
    params: { ...body, tenant: '7' },
  });
  server.answer = json(400, { error: 'invalid_grant' });
  await expect(exchange()).rejects.toMatchObject({ description: expect.stringContaining('expired') });
});

it('never repeats the text of the server in the message of an error', async () => {
  server.answer = json(400, { error: `x${secrets.code}`, error_description: `no such code ${secrets.code}` });
  const error = (await exchange().catch((thrown: unknown) => thrown)) as Error;
  expect(error.message).not.toContain(secrets.code);
});

it('never repeats a short secret that was sent in the header', async () => {
  server.answer = text(502, 'text/html', '<p>no client with s3cret');
  const config = { clientId: 'client', clientSecret: 's3cret', redirectUri: 'https://app.example/', code: 'c0de' };
  const call = exchangeCodeAsync(config, { tokenEndpoint: `${server.origin}/token` });
  expect(await failureOf(call, ['s3cret'])).toMatchObject({ code: 'invalid_response' });
});

it.each([
  ['to another path', '/elsewhere'],
  ['to another host', 'http://localhost:1/token'],
])('does not follow a redirect %s, which would carry the code along (RFC 9700 section 4.11)', async (_, location) => {
  let requests = 0;
  server.answer = (_request, response) => {
    requests += 1;
    response.writeHead(307, { location }).end();
  };
  expect(await failure(exchange())).toMatchObject({ code: 'invalid_response', info: { status: 307 } });
  expect(requests).toBe(1);
});

it('gives up an answer that never ends', async () => {
  server.answer = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' });
    const write = (): void => {
      while (response.write('x'.repeat(65_536)) && !response.destroyed);
    };
    response.on('drain', write);
    write();
  };
  expect(await failure(exchange())).toMatchObject({ code: 'invalid_response' });
});

it.each([
  ['that does not begin', (): void => {}],
  [
    'that does not end',
    (_: unknown, response: { writeHead(status: number): { write(text: string): void } }): void => {
      response.writeHead(200).write('{');
    },
  ],
])('gives up an answer %s in time', async (_, answer) => {
  server.answer = answer as never;
  expect(await failure(exchange({ timeoutMs: 100 }))).toMatchObject({
    name: 'ResponseError',
    code: 'no_response',
    cause: { name: 'TimeoutError' },
  });
});

it.each([
  ['timeoutMs', -1],
  ['timeoutMs', 0],
  ['timeoutMs', Number.NaN],
  ['timeoutMs', Number.POSITIVE_INFINITY],
  ['timeoutMs', 2 ** 31],
  ['timeoutMs', '1000'],
  ['timeoutMs', null],
  ['clockToleranceSeconds', -1],
  ['clockToleranceSeconds', 301],
  ['clockToleranceSeconds', '30'],
])('sends nothing with a %s of %s', async (name, value) => {
  server.answer = json(200, { access_token: issued });
  expect(await failure(exchange({ [name]: value }))).toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ARGUMENT',
    message: expect.stringContaining(name),
  });
});

it('ends when the caller aborts', async () => {
  const controller = new AbortController();
  server.answer = () => controller.abort();
  expect(await failure(exchange({ signal: controller.signal }))).toMatchObject({ name: 'AbortError' });
});

it.each([
  ['expires_in in quotes', { expires_in: '3600' }, { expiresIn: 3600 }],
  ['expires_in with a fraction', { expires_in: 59.5 }, { expiresIn: 59.5 }],
  ['expires_in with a fraction and spaces in quotes', { expires_in: ' 59.25 ' }, { expiresIn: 59.25 }],
  ['issued_at in the past', { issued_at: 1_000_000_000 }, { issuedAt: 1_000_000_000 }],
  ['a state', { state: 's' }, { state: 's' }],
  ['token_type in capitals', { token_type: 'Bearer' }, { tokenType: 'bearer' }],
  ['no token_type', {}, { tokenType: 'bearer' }],
  ['scope as a list', { scope: ['a', 'b'] }, { scope: 'a b' }],
])('reads %s', async (_, fields, expected) => {
  server.answer = json(200, { access_token: issued, ...fields });
  expect(await exchange()).toMatchObject({ accessToken: issued, ...expected });
});

it.each([
  ['negative', -1],
  ['text', 'soon'],
  ['infinite', '1e999'],
  ['hexadecimal', '0x10'],
  ['with an exponent', '1e3'],
  ['null', null],
  ['an object', { seconds: 60 }],
])('takes an expires_in that is %s for one hour', async (_, expires_in) => {
  server.answer = json(200, { access_token: issued, expires_in });
  expect(await exchange()).toMatchObject({ expiresIn: 3600, rawResponse: { expires_in } });
});

it('takes no issued_at that is in the future, until which a token would be fresh', async () => {
  const before = Math.floor(Date.now() / 1000);
  server.answer = json(200, { access_token: issued, expires_in: 60, issued_at: before + 1_000_000 });
  const { issuedAt } = await exchange();
  expect(issuedAt).toBeGreaterThanOrEqual(before);
  expect(issuedAt).toBeLessThanOrEqual(Math.floor(Date.now() / 1000));
});

it('takes a refresh_token of null for none', async () => {
  server.answer = json(200, { access_token: issued, refresh_token: null });
  expect((await exchange()).refreshToken).toBeUndefined();
});

it('keeps the answer as it came', async () => {
  const answer = { access_token: issued, token_type: 'Bearer', expires_in: '60', tenant: { id: 7 } };
  server.answer = json(200, answer);
  expect((await exchange()).rawResponse).toEqual(answer);
});

it.each(['application/x-www-form-urlencoded', 'text/plain'])(
  'reads a form as %s, as old providers do',
  async (type) => {
    server.answer = text(200, type, `access_token=${issued}&expires_in=60`);
    expect(await exchange()).toMatchObject({ accessToken: issued, expiresIn: 60 });
  },
);

it('has no prototype changed by an answer', async () => {
  server.answer = text(200, 'application/json', `{"access_token":"${issued}","__proto__":{"polluted":1}}`);
  await exchange();
  expect(({} as { polluted?: number }).polluted).toBeUndefined();
});

it.each([
  ['http on another machine', 'http://provider.example/token'],
  ['a relative URL', '/token'],
  ['a script', 'javascript:alert(1)'],
  ['a file', 'file:///etc/passwd'],
])('sends nothing to an endpoint that is %s (RFC 6749 section 3.2)', async (_, tokenEndpoint) => {
  const config = { clientId: 'client', redirectUri: 'https://app.example/callback', ...secrets };
  expect(await failure(exchangeCodeAsync(config, { tokenEndpoint }))).toMatchObject({ code: 'ERR_AUTH_ENDPOINT' });
});

it.each([42, true, {}, ['https://provider.example/'], new URL('https://provider.example/')])(
  'sends nothing to an endpoint that is no string: %j',
  async (url) => {
    const wrong = url as never;
    const config = { clientId: 'client', redirectUri: 'https://app.example/callback', ...secrets };
    const calls = [
      exchangeCodeAsync(config, { tokenEndpoint: wrong }),
      refreshAsync({ clientId: 'client', refreshToken: issued }, { tokenEndpoint: wrong }),
      revokeAsync({ clientId: 'client', token: issued }, { revocationEndpoint: wrong }),
      fetchUserInfoAsync({ accessToken: issued }, { userInfoEndpoint: wrong }),
      requestAsync(wrong, { body: { a: 'b' } }),
      requestAsync(wrong, { method: 'POST' }),
    ];
    for (const call of calls) {
      expect(await failure(call)).toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ENDPOINT' });
    }
  },
);

it.each([undefined, null, 42, {}])('asks no issuer for its document that is %j', async (issuer) => {
  expect(await failure(fetchDiscoveryAsync(issuer as never))).toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ENDPOINT',
  });
});

it.each([
  ['an empty 401', text(401, 'text/plain', '')],
  ['a 401 of JSON', json(401, { error: 'invalid_token' })],
  ['a page of HTML', text(200, 'text/html', '<p>ada</p>')],
  ['a list', json(200, ['ada'])],
  ['a redirect', ((_, response) => void response.writeHead(302, { location: '/' }).end()) as typeof server.answer],
])('takes %s for no user information (OpenID Connect Core section 5.3)', async (_, answer) => {
  server.answer = answer;
  const call = fetchUserInfoAsync({ accessToken: issued }, { userInfoEndpoint: `${server.origin}/me` });
  expect(await failure(call)).toMatchObject({ name: 'ResponseError' });
});

it('never repeats a token that no header can hold', async () => {
  const call = fetchUserInfoAsync({ accessToken: `a\n${issued}` }, { userInfoEndpoint: `${server.origin}/me` });
  expect(await failure(call)).toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
});

it.each([
  ['400 with an error', json(400, { error: 'unsupported_token_type' }), 'unsupported_token_type'],
  ['200 with an error', json(200, { error: 'invalid_client' }), 'invalid_client'],
  ['503', text(503, 'text/plain', ''), 'invalid_response'],
  [
    'a redirect',
    ((_, response) => void response.writeHead(302, { location: '/' }).end()) as typeof server.answer,
    'invalid_response',
  ],
])('says that nothing was revoked by %s (RFC 7009 section 2.2.1)', async (_, answer, code) => {
  server.answer = answer;
  const call = revokeAsync({ token: issued, clientId: 'client' }, { revocationEndpoint: `${server.origin}/revoke` });
  expect(await failure(call)).toMatchObject({ code });
});

it.each([
  ['nothing', text(200, 'application/json', '')],
  ['a page whose script names an error', text(200, 'text/html', '<script>messages = {"error": "Failed"}</script>')],
  ['a list', json(200, ['error'])],
  ['an error that is null', json(200, { error: null })],
])('takes the status 200 with %s for a success (RFC 7009 section 2.2)', async (_, answer) => {
  server.answer = answer;
  const call = revokeAsync({ token: issued, clientId: 'client' }, { revocationEndpoint: `${server.origin}/revoke` });
  expect(await call).toBe(true);
});

it('keeps no token of a refresh that has failed', async () => {
  server.answer = json(200, { access_token: '' });
  const call = refreshAsync({ clientId: 'client', refreshToken: issued }, { tokenEndpoint: `${server.origin}/token` });
  expect(await failure(call)).toMatchObject({ code: 'invalid_response' });
});
