import { createHash, createHmac } from 'node:crypto';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import type { CryptoKey, JWK } from 'jose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import type { CompletedAuthSessionResult } from './auth-session-result.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { expectNoSecrets, expectNothingLogged, failureOf } from './fixtures/failure.ts';
import { exchangeCodeAsync } from './operations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import type { TokenResponse } from './token-response.ts';

let server: AnsweringServer;
let discovery: DiscoveryDocument;
let right: { privateKey: CryptoKey; jwk: JWK };
let other: CryptoKey;
let tokenAnswer: unknown;

beforeAll(async () => {
  const { privateKey, publicKey } = await generateKeyPair('RS256', { extractable: true });
  right = { privateKey, jwk: { ...(await exportJWK(publicKey)), kid: 'right', alg: 'RS256', use: 'sig' } };
  other = (await generateKeyPair('RS256')).privateKey;
  server = await startAnsweringServer();
  const { origin } = server;
  const metadata = {
    issuer: origin,
    authorization_endpoint: `${origin}/authorize`,
    token_endpoint: `${origin}/token`,
    jwks_uri: `${origin}/keys`,
    id_token_signing_alg_values_supported: ['RS256'],
  };
  server.answer = (request, response) => {
    const bodies: Record<string, unknown> = {
      '/.well-known/openid-configuration': metadata,
      '/keys': { keys: [right.jwk] },
      '/token': tokenAnswer,
    };
    json(200, bodies[request.url ?? ''])(request, response);
  };
  discovery = await fetchDiscoveryAsync(origin);
});

afterAll(() => server[Symbol.asyncDispose]());

expectNothingLogged();

const issued = 'the-access-token-that-was-issued';
const code = 'the-code-of-the-answer';

/** What must be in no message: the id_token by its parts, since a message may quote one. */
function secretsOf(request: AuthRequest, idToken: string): string[] {
  const parts = idToken.split('.').filter((part) => part.length > 20);
  return [issued, code, ...parts, ...(request.codeVerifier ? [request.codeVerifier] : [])];
}

// What ties the access token in a URL to the id_token there.
const at_hash = createHash('sha256').update(issued).digest().subarray(0, 16).toString('base64url');

const now = (): number => Math.floor(Date.now() / 1000);

interface Signing {
  claims?: Record<string, unknown>;
  header?: { alg?: string; kid?: string };
  key?: CryptoKey;
}

async function idTokenFor(request: AuthRequest, { claims = {}, header = {}, key }: Signing = {}): Promise<string> {
  const times = { iat: now(), exp: now() + 60 };
  const honest = { iss: server.origin, aud: 'client', sub: 'ada', nonce: request.nonce, at_hash, ...times };
  const payload = Object.fromEntries(
    Object.entries({ ...honest, ...claims }).filter(([, value]) => value !== undefined),
  );
  return new SignJWT(payload)
    .setProtectedHeader({ alg: 'RS256', kid: 'right', ...header })
    .sign(key ?? right.privateKey);
}

function requestOf(responseType: string): AuthRequest {
  return new AuthRequest({
    clientId: 'client',
    redirectUri: 'https://app.example/callback',
    responseType,
    scopes: ['openid'],
  });
}

/** Exchanges a code for tokens with that id_token. */
async function exchange(idToken: (request: AuthRequest) => Promise<string>): Promise<TokenResponse> {
  const { call } = await startExchange(idToken);
  return call;
}

/** The error of an exchange that gives that id_token. */
async function refusedExchange(idToken: (request: AuthRequest) => Promise<string>): Promise<Error> {
  const { call, secrets } = await startExchange(idToken);
  return failureOf(call, secrets);
}

async function startExchange(
  idToken: (request: AuthRequest) => Promise<string>,
): Promise<{ call: Promise<TokenResponse>; secrets: string[] }> {
  const request = requestOf('code');
  await request.makeAuthUrlAsync(discovery);
  const token = await idToken(request);
  tokenAnswer = { access_token: issued, token_type: 'bearer', id_token: token };
  return { call: request.exchangeAsync({ params: { code } }, discovery), secrets: secretsOf(request, token) };
}

/** Returns to the app with that id_token and an access token in the URL. */
async function returnWith(idToken: (request: AuthRequest) => Promise<string>): Promise<CompletedAuthSessionResult> {
  const request = requestOf('id_token token');
  await request.makeAuthUrlAsync(discovery);
  const token = await idToken(request);
  const fragment = new URLSearchParams({ id_token: token, access_token: issued, state: request.state });
  const result = await request.parseReturnUrlAsync(`https://app.example/callback#${fragment}`);
  if (result.error) expectNoSecrets(result.error, secretsOf(request, token));
  return result;
}

function unsigned(header: object, payload: object, signature = ''): string {
  const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part(header)}.${part(payload)}.${signature}`;
}

it('takes an honest id_token from the token endpoint', async () => {
  expect((await exchange((request) => idTokenFor(request))).accessToken).toBe(issued);
});

it('takes an honest id_token in a URL', async () => {
  const result = await returnWith((request) => idTokenFor(request));
  expect(result).toMatchObject({ type: 'success', authentication: { accessToken: issued } });
});

const wrongClaims: [string, string, () => Record<string, unknown>][] = [
  ['another issuer', '3.1.3.7 item 2', () => ({ iss: 'https://evil.example' })],
  ['no issuer', '2', () => ({ iss: undefined })],
  ['another audience', '3.1.3.7 item 3', () => ({ aud: 'somebody else' })],
  ['no audience', '2', () => ({ aud: undefined })],
  ['several audiences without an authorized party', '3.1.3.7 item 4', () => ({ aud: ['client', 'somebody else'] })],
  ['another authorized party', '3.1.3.7 item 5', () => ({ aud: ['client', 'other'], azp: 'other' })],
  ['an expiry in the past', '3.1.3.7 item 9', () => ({ exp: now() - 120 })],
  ['no expiry', '2', () => ({ exp: undefined })],
  ['an expiry that is text', '2', () => ({ exp: 'never' })],
  ['no time of issue', '2', () => ({ iat: undefined })],
  ['a beginning in the future', 'RFC 7519 section 4.1.5', () => ({ nbf: now() + 3600 })],
  ['another nonce', '3.1.3.7 item 11', () => ({ nonce: 'replayed' })],
  ['no nonce', '3.1.3.7 item 11', () => ({ nonce: undefined })],
  ['no subject', '2', () => ({ sub: undefined })],
];

it.each([
  ['a time of issue in the future', { iat: now() + 600 }, 'its iat is in the future'],
  ['a sign-in in the future', { auth_time: now() + 600 }, 'its auth_time is in the future'],
  ['another authorized party', { azp: 'other' }, 'its azp is another client'],
  ['an empty subject', { sub: '' }, 'its sub is empty'],
  ['the hash of another token', { at_hash: 'A' }, 'its at_hash is not that of the access token that came with it'],
])('says of an id_token with %s what is wrong', async (_, claims, reason) => {
  const message = `The id_token is not one for this client and request: ${reason}.`;
  expect(await refusedExchange((request) => idTokenFor(request, { claims }))).toMatchObject({ message });
});

it('says of an id_token in a URL that it is bound to no access token', async () => {
  const result = await returnWith((request) => idTokenFor(request, { claims: { at_hash: undefined } }));
  expect(result.error?.message).toContain('it has no at_hash, which binds it to the rest of the answer');
});

it.each([
  ['c_hash', 'code'],
  ['s_hash', 'state'],
])('says of an id_token in a URL that its %s is not that of the %s', async (name, what) => {
  const request = requestOf('code id_token');
  await request.makeAuthUrlAsync(discovery);
  const c_hash = createHash('sha256').update(code).digest().subarray(0, 16).toString('base64url');
  const token = await idTokenFor(request, { claims: { c_hash, [name]: 'A' } });
  const fragment = new URLSearchParams({ id_token: token, code, state: request.state });
  const result = await request.parseReturnUrlAsync(`https://app.example/callback#${fragment}`);
  expect(result.error?.message).toContain(`its ${name} is not that of the ${what} that came with it`);
});

it('does not compare the hash of a state, which the token endpoint does not return', async () => {
  expect(await exchange((request) => idTokenFor(request, { claims: { s_hash: 'A' } }))).toMatchObject({
    accessToken: issued,
  });
});

it('says that a nonce which is a number was not expected', async () => {
  tokenAnswer = {
    access_token: issued,
    token_type: 'bearer',
    id_token: await idTokenFor(requestOf('code'), { claims: { nonce: 42 } }),
  };
  const call = exchangeCodeAsync({ clientId: 'client', redirectUri: 'https://app.example/callback', code }, discovery);
  expect((await failureOf(call, [issued, code])).message).toContain('unexpected ID Token "nonce"');
});

it('names a problem once', async () => {
  expect(await refusedExchange(async () => 'not a token')).toMatchObject({
    message: 'The id_token is not one for this client and request: it is not a JSON Web Token.',
  });
});

it.each([
  ['that cannot be fetched', 'http://127.0.0.1:1/keys', /The jwks_uri at http:\/\/127\.0\.0\.1:1 has not answered/],
  ['that are not JSON', undefined, /failed to parse "response" body as JSON/],
])('says of an id_token in a URL what is wrong with keys %s', async (_, jwks_uri, reason) => {
  const request = requestOf('id_token');
  const discoveryDocument = { ...discovery.discoveryDocument, jwks_uri: jwks_uri ?? `${server.origin}/nothing` };
  await request.makeAuthUrlAsync({ ...discovery, discoveryDocument });
  const fragment = new URLSearchParams({ id_token: await idTokenFor(request), state: request.state });
  const { error } = await request.parseReturnUrlAsync(`https://app.example/callback#${fragment}`);
  expect(error?.message).toMatch(/^The id_token is not one for this client and request: /);
  expect(error?.message).toMatch(reason);
});

it('ends when the caller aborts while the keys are fetched', async () => {
  const request = requestOf('id_token');
  // oauth4webapi remembers the keys of a document.
  await request.makeAuthUrlAsync({ ...discovery, discoveryDocument: { ...discovery.discoveryDocument } });
  const fragment = new URLSearchParams({ id_token: await idTokenFor(request), state: request.state });
  const controller = new AbortController();
  vi.stubGlobal('fetch', async () => {
    controller.abort();
    throw new Error('aborted');
  });
  const call = request.parseReturnUrlAsync(`https://app.example/callback#${fragment}`, { signal: controller.signal });
  await expect(call.finally(() => vi.unstubAllGlobals())).rejects.toMatchObject({ name: 'AbortError' });
});

it.each(['iat', 'auth_time', 'nbf'])('takes an %s that is as far in the future as clocks may differ', async (name) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const times = { [name]: now() + 300, exp: now() + 360 };
  const taken = exchange((request) => idTokenFor(request, { claims: times })).finally(() => vi.useRealTimers());
  expect((await taken).accessToken).toBe(issued);
});

it.each(['iat', 'auth_time', 'nbf'])('takes no %s that is further in the future', async (name) => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const times = { [name]: now() + 301, exp: now() + 600 };
  const refused = refusedExchange((request) => idTokenFor(request, { claims: times })).finally(() =>
    vi.useRealTimers(),
  );
  expect(await refused).toMatchObject({ code: 'invalid_id_token' });
});

it('says of an answer with an id_token why it cannot be checked', async () => {
  for (const discoveryDocument of [undefined, { issuer: server.origin }, { jwks_uri: `${server.origin}/keys` }]) {
    const request = requestOf('id_token');
    await request.makeAuthUrlAsync({ ...discovery, discoveryDocument });
    const fragment = new URLSearchParams({ id_token: await idTokenFor(request), state: request.state });
    expect(await request.parseReturnUrlAsync(`https://app.example/callback#${fragment}`)).toMatchObject({
      errorCode: 'invalid_id_token',
      error: { message: expect.stringContaining('names no issuer and keys') },
    });
  }
});

it.each(wrongClaims)('refuses an id_token of the token endpoint with %s (section %s)', async (_, _section, claims) => {
  const failure = await refusedExchange((request) => idTokenFor(request, { claims: claims() }));
  expect(failure).toMatchObject({ name: 'ResponseError', code: 'invalid_id_token' });
});

it.each(wrongClaims)('refuses an id_token in a URL with %s (section %s)', async (_, _section, claims) => {
  const result = await returnWith((request) => idTokenFor(request, { claims: claims() }));
  expect(result).toMatchObject({ type: 'error', authentication: null, errorCode: 'invalid_id_token' });
});

it.each<[string, string, (request: AuthRequest) => Promise<string>]>([
  [
    'a bad signature',
    'RFC 7515 section 5.2',
    async (request) => `${(await idTokenFor(request)).slice(0, -20)}${'A'.repeat(20)}`,
  ],
  ['the signature of another key', 'RFC 7515 section 5.2', (request) => idTokenFor(request, { key: other })],
  [
    'a key that is unknown',
    'RFC 7515 section 4.1.4',
    (request) => idTokenFor(request, { key: other, header: { kid: 'unknown' } }),
  ],
  [
    'a payload that was changed',
    'RFC 7515 section 5.2',
    async (request) => {
      const [head, , signature] = (await idTokenFor(request)).split('.');
      const claims = {
        iss: server.origin,
        aud: 'client',
        sub: 'eve',
        nonce: request.nonce,
        iat: now(),
        exp: now() + 60,
      };
      return `${head}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.${signature}`;
    },
  ],
  [
    'the algorithm none',
    'RFC 8725 section 3.2',
    async (request) =>
      unsigned(
        { alg: 'none' },
        { iss: server.origin, aud: 'client', sub: 'ada', nonce: request.nonce, iat: now(), exp: now() + 60 },
      ),
  ],
  [
    'the public key as a secret',
    'RFC 8725 section 2.1',
    async (request) => {
      const claims = {
        iss: server.origin,
        aud: 'client',
        sub: 'ada',
        nonce: request.nonce,
        iat: now(),
        exp: now() + 60,
      };
      const body = unsigned({ alg: 'HS256', kid: 'right' }, claims).slice(0, -1);
      return `${body}.${createHmac('sha256', JSON.stringify(right.jwk)).update(body).digest('base64url')}`;
    },
  ],
  ['no parts', 'RFC 7519 section 7.2', async () => 'not a token'],
  ['parts that are no JSON', 'RFC 7519 section 7.2', async () => 'a.b.c'],
])('refuses an id_token in a URL with %s (%s)', async (_, _section, idToken) => {
  const result = await returnWith(idToken);
  expect(result).toMatchObject({ type: 'error', authentication: null, errorCode: 'invalid_id_token' });
});

it.each<[string, (request: AuthRequest) => Promise<string>]>([
  [
    'the algorithm none',
    async (request) =>
      unsigned(
        { alg: 'none' },
        { iss: server.origin, aud: 'client', sub: 'ada', nonce: request.nonce, iat: now(), exp: now() + 60 },
      ),
  ],
  [
    'another algorithm',
    async (request) =>
      unsigned(
        { alg: 'HS256' },
        { iss: server.origin, aud: 'client', sub: 'ada', nonce: request.nonce, iat: now(), exp: now() + 60 },
        'AAAA',
      ),
  ],
  ['no parts', async () => 'not a token'],
  ['one part', async () => Buffer.from('{}').toString('base64url')],
])('refuses an id_token of the token endpoint with %s (RFC 8725)', async (_, idToken) => {
  expect(await refusedExchange(idToken)).toMatchObject({ code: 'invalid_id_token' });
});
