import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { failureOf } from './fixtures/failure.ts';
import { startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { visit } from './fixtures/visit.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { registerClientAsync } from './register.ts';

let provider: LocalProvider;
let server: AnsweringServer;
let discovery: DiscoveryDocument;
const initialAccessToken = 'the-token-of-those-who-may';

beforeAll(async () => {
  [provider, server] = await Promise.all([
    startProvider({ registration: { enabled: true, initialAccessToken } }),
    startAnsweringServer(),
  ]);
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const redirectUri = 'https://new.example/callback';

it('registers a client, which can sign in', async () => {
  const metadata = { client_name: 'New', redirect_uris: [redirectUri] };
  const client = await registerClientAsync(metadata, discovery, { initialAccessToken });
  expect(client).toMatchObject({
    clientId: expect.any(String),
    clientSecret: expect.any(String),
    clientSecretExpiresAt: 0,
    rawResponse: { client_name: 'New', registration_access_token: expect.any(String) },
  });
  const { clientId, clientSecret } = client;
  const request = new AuthRequest({ clientId, clientSecret, redirectUri, scopes: ['openid'] });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  expect(await request.exchangeAsync(result, discovery)).toMatchObject({ tokenType: 'bearer' });
});

it('says that one may not register, or not so', async () => {
  const secrets = [initialAccessToken, 'guessed'];
  const guess = registerClientAsync({ redirect_uris: [redirectUri] }, discovery, { initialAccessToken: 'guessed' });
  expect(await failureOf(guess, secrets)).toMatchObject({ code: 'invalid_token' });
  const wrong = registerClientAsync({ redirect_uris: ['no URL'] }, discovery, { initialAccessToken });
  expect(await failureOf(wrong, secrets)).toMatchObject({ name: 'TokenError', code: 'invalid_redirect_uri' });
});

it('says that the provider has no such endpoint', async () => {
  await expect(registerClientAsync({}, {})).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
});

const issued = 'a-secret-that-was-issued';

it.each([
  ['no client_id', json(201, { client_secret: issued, client_secret_expires_at: 0 })],
  ['a client_id that is a number', json(201, { client_id: 1 })],
  ['a secret that expires nobody knows when', json(201, { client_id: 'c', client_secret: issued })],
  ['a secret that is an object', json(201, { client_id: 'c', client_secret: { issued } })],
  ['a page of HTML', text(201, 'text/html', `<p>${initialAccessToken}`)],
  ['the status 500', json(500, { client_id: 'c' })],
])('refuses an answer with %s (RFC 7591 section 3.2.1)', async (_, answer) => {
  server.answer = answer;
  const call = registerClientAsync({}, { registrationEndpoint: `${server.origin}/register` }, { initialAccessToken });
  const failure = await failureOf(call, [initialAccessToken, issued]);
  expect(failure).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
});

it('repeats no token in an error, however short it is', async () => {
  server.answer = text(502, 'text/plain', 'nobody may with sh0rt');
  const options = { initialAccessToken: 'sh0rt' };
  const call = registerClientAsync({}, { registrationEndpoint: `${server.origin}/register` }, options);
  expect(await failureOf(call, ['sh0rt'])).toMatchObject({ info: { excerpt: 'nobody may with …' } });
});

it('accepts a registration with the status 200, which some servers send', async () => {
  let authorization: string | undefined = 'none yet';
  server.answer = (request, response) => {
    ({ authorization } = request.headers);
    json(200, { client_id: 'c' })(request, response);
  };
  const client = await registerClientAsync({}, { registrationEndpoint: `${server.origin}/register` });
  expect(client).toMatchObject({ clientId: 'c', clientSecret: undefined });
  expect(authorization).toBeUndefined();
});
