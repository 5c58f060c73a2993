import { decodeProtectedHeader, exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { privateKeyJwt } from './client-auth.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { clientKey, clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { startUserAgent } from './fixtures/user-agent.ts';
import { visit } from './fixtures/visit.ts';
import type { Deed } from './fixtures/visit.ts';
import { signAuthRequestAsync } from './jar.ts';
import { parseSignedAnswerAsync } from './jarm.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { createSessionServer } from './server.ts';

let provider: LocalProvider;
let discovery: DiscoveryDocument;
let server: AnsweringServer;

beforeAll(async () => {
  const features = { requestObjects: { enabled: true }, jwtResponseModes: { enabled: true } };
  [provider, server] = await Promise.all([startProvider(features), startAnsweringServer()]);
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(() => Promise.all([provider[Symbol.asyncDispose](), server[Symbol.asyncDispose]()]));

const scopes = ['openid', 'email'];
const secrets = ['a secret of the tests, long enough'];
const signed = { extraParams: { response_mode: 'jwt' } };

/** The claims of a request in a URL. */
function requestIn(url: string): Record<string, unknown> {
  const [, payload = ''] = (new URL(url).searchParams.get('request') ?? '').split('.');
  return JSON.parse(Buffer.from(payload, 'base64url').toString());
}

it('signs a request, of which the URL tells no more than the client (RFC 9101)', async () => {
  const request = new AuthRequest({ ...clients.signing, scopes });
  const url = await signAuthRequestAsync(request, discovery, { key: clientKey });
  expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'request']);
  expect(request.url).toBe(url);
  const result = await request.parseReturnUrlAsync(await visit(url));
  const clientAuth = privateKeyJwt({ issuer: provider.issuer, key: clientKey });
  expect(await request.exchangeAsync(result, discovery, { clientAuth })).toMatchObject({ scope: 'openid email' });
});

it('is refused by the provider when somebody has changed the request', async () => {
  const request = new AuthRequest({ ...clients.signing, scopes });
  const url = new URL(await signAuthRequestAsync(request, discovery, { key: clientKey }));
  const [header, , signature] = (url.searchParams.get('request') ?? '').split('.');
  const claims = { ...requestIn(url.href), scope: 'openid' };
  const changed = Buffer.from(JSON.stringify(claims)).toString('base64url');
  url.searchParams.set('request', [header, changed, signature].join('.'));
  const answer = await fetch(url, { redirect: 'manual' });
  const told = (answer.headers.get('location') ?? '') + (await answer.text());
  expect(told).toContain('invalid_request_object');
});

it('refuses to sign in a page', async () => {
  const request = new AuthRequest({ ...clients.signing, scopes });
  vi.stubGlobal('document', {});
  const call = signAuthRequestAsync(request, discovery, { key: clientKey });
  await expect(call.finally(() => vi.unstubAllGlobals())).rejects.toMatchObject({
    code: 'ERR_AUTH_PLATFORM',
    message: expect.stringMatching(/^A private key /),
  });
});

it.each([
  ['without a document', undefined],
  ['whose document has no issuer', {}],
])(
  'does not sign for a provider %s: nobody would be the audience (RFC 9101 section 4)',
  async (_, discoveryDocument) => {
    const request = new AuthRequest({ ...clients.signing, scopes });
    const call = signAuthRequestAsync(request, { ...discovery, discoveryDocument }, { key: clientKey });
    await expect(call).rejects.toMatchObject({
      name: 'TypeError',
      code: 'ERR_AUTH_ARGUMENT',
      message: 'The discoveryDocument has no issuer, which is the audience of a signed request.',
    });
  },
);

it('names the key that it has signed with, if the key has a name', async () => {
  const { kid, ...nameless } = clientKey;
  for (const [key, expected] of [
    [clientKey, { kid }],
    [nameless, {}],
  ] as const) {
    const request = new AuthRequest({ ...clients.signing, scopes });
    const { searchParams } = new URL(await signAuthRequestAsync(request, discovery, { key }));
    expect(decodeProtectedHeader(searchParams.get('request') ?? '')).toEqual({
      alg: 'ES256',
      typ: 'oauth-authz-req+jwt',
      ...expected,
    });
  }
});

it.each<[string, Deed, object]>([
  ['a success', 'sign in', { type: 'success', error: null, params: { code: expect.any(String) } }],
  ['a refusal', 'cancel', { type: 'error', errorCode: 'access_denied' }],
])('reads %s that the provider has signed (JARM)', async (_, deed, expected) => {
  const request = new AuthRequest({ ...clients.public, ...signed, scopes });
  const back = await visit(await request.makeAuthUrlAsync(discovery), deed);
  expect([...new URL(back).searchParams.keys()]).toEqual(['response']);
  expect(await parseSignedAnswerAsync(request, back, discovery)).toMatchObject(expected);
});

it('exchanges the code of a signed answer, which is taken once', async () => {
  const request = new AuthRequest({ ...clients.public, ...signed, scopes });
  const back = await visit(await request.makeAuthUrlAsync(discovery));
  const result = await parseSignedAnswerAsync(request, back, discovery);
  expect(await request.exchangeAsync(result, discovery)).toMatchObject({ scope: 'openid email' });
  expect(await parseSignedAnswerAsync(request, back, discovery)).toMatchObject({ errorCode: 'state_mismatch' });
});

it('returns a signed answer as if it had come without a signature', async () => {
  const request = new AuthRequest({ ...clients.public, ...signed, scopes });
  const back = await visit(await request.makeAuthUrlAsync(discovery));
  const { event, params } = await parseSignedAnswerAsync(request, `${back}#_=_`, discovery);
  const { origin, pathname, searchParams } = new URL(event.url);
  expect([origin + pathname, Object.fromEntries(searchParams)]).toEqual([request.redirectUri, params]);
  expect(params).toMatchObject({ code: expect.any(String), state: request.state });
});

it('ends when the caller aborts while the keys are fetched', async () => {
  const request = new AuthRequest({ ...clients.public, ...signed, scopes });
  const back = await visit(await request.makeAuthUrlAsync(discovery));
  // oauth4webapi remembers the keys of a document.
  const fresh = { discoveryDocument: { ...discovery.discoveryDocument } };
  const controller = new AbortController();
  vi.stubGlobal('fetch', async () => {
    controller.abort();
    throw new Error('aborted');
  });
  const call = parseSignedAnswerAsync(request, back, fresh, { signal: controller.signal });
  await expect(call.finally(() => vi.unstubAllGlobals())).rejects.toMatchObject({ name: 'AbortError' });
});

it('says which request was answered without a valid signature', async () => {
  const request = new AuthRequest({ ...clients.public, ...signed });
  const back = `${request.redirectUri}?response=a.b.c`;
  expect((await parseSignedAnswerAsync(request, back, discovery)).url).toBe(back);
  const url = await request.makeAuthUrlAsync(discovery);
  expect(await parseSignedAnswerAsync(request, back, discovery)).toMatchObject({ url, event: { url: back } });
});

type Claims = Record<string, unknown>;
const key = await generateKeyPair('RS256', { extractable: true });
const another = await generateKeyPair('RS256');
const now = Math.floor(Date.now() / 1000);

/** Begins a request to a provider that signs whatever a test wants. */
async function startSigning() {
  const jwk = { ...(await exportJWK(key.publicKey)), alg: 'RS256', use: 'sig' };
  server.answer = json(200, { keys: [jwk] });
  const issuer = server.origin;
  const algorithms = { authorization_signing_alg_values_supported: ['RS256'] };
  const discoveryDocument = { issuer, jwks_uri: `${issuer}/keys`, ...algorithms };
  const own = { authorizationEndpoint: `${issuer}/authorize`, discoveryDocument };
  const request = new AuthRequest({ ...clients.public, ...signed });
  await request.makeAuthUrlAsync(own);
  const honest: Claims = {
    iss: issuer,
    aud: request.clientId,
    exp: now + 3600,
    state: request.state,
    code: 'the-code',
  };
  const answerOf = async (claims: Claims, by: CryptoKey): Promise<string> => {
    const response = await new SignJWT(claims).setProtectedHeader({ alg: 'RS256' }).sign(by);
    return `${request.redirectUri}?${new URLSearchParams({ response })}`;
  };
  return { answerOf, honest, own, request };
}

it.each([
  ['by default', undefined, 'success'],
  ['as the caller says', 0, 'error'],
])('allows for a clock that is slow when an answer has just expired, %s', async (_, clockToleranceSeconds, type) => {
  const { answerOf, honest, own, request } = await startSigning();
  const back = await answerOf({ ...honest, exp: Math.floor(Date.now() / 1000) - 10 }, key.privateKey);
  expect(await parseSignedAnswerAsync(request, back, own, { clockToleranceSeconds })).toMatchObject({ type });
});

it.each([
  ['an answer', 300, { code: 'the-code' }, { type: 'success' }],
  ['a refusal', 300, { error: 'access_denied' }, { errorCode: 'access_denied' }],
  ['an answer', 302, { code: 'the-code' }, { errorCode: 'invalid_response' }],
])('allows for a clock that is slow when %s is from %i seconds in the future', async (_, ahead, says, expected) => {
  const { answerOf, honest, own, request } = await startSigning();
  const { code: __, ...rest } = honest;
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  const times = { nbf: Math.floor(Date.now() / 1000) + ahead };
  const back = await answerOf({ ...rest, ...says, ...times }, key.privateKey);
  const read = parseSignedAnswerAsync(request, back, own).finally(() => vi.useRealTimers());
  expect(await read).toMatchObject(expected);
});

it.each([
  ['an answer', { code: 'the-code' }],
  ['a refusal', { error: 'access_denied' }],
])('refuses %s that expired longer ago than 30 seconds', async (_, says) => {
  const { answerOf, honest, own, request } = await startSigning();
  const { code: __, ...rest } = honest;
  const times = { exp: Math.floor(Date.now() / 1000) - 31 };
  const back = await answerOf({ ...rest, ...says, ...times }, key.privateKey);
  expect(await parseSignedAnswerAsync(request, back, own)).toMatchObject({ errorCode: 'invalid_response' });
});

it.each<[string, (honest: Claims) => Claims, CryptoKey?]>([
  ['signed by somebody else (2.4 item 6)', (claims) => claims, another.privateKey],
  ['of another issuer (2.4 item 3)', (claims) => ({ ...claims, iss: 'https://other.example' })],
  ['for another client (2.4 item 4)', (claims) => ({ ...claims, aud: 'another' })],
  ['that has expired (2.4 item 5)', (claims) => ({ ...claims, exp: now - 600 })],
])('refuses an answer %s, and waits for the right one', async (_, lie, signer = key.privateKey) => {
  const { answerOf, honest, own, request } = await startSigning();
  const lied = await parseSignedAnswerAsync(request, await answerOf(lie(honest), signer), own);
  expect(lied).toMatchObject({ type: 'error', errorCode: 'invalid_response', authentication: null });
  const right = await parseSignedAnswerAsync(request, await answerOf(honest, key.privateKey), own);
  expect(right).toMatchObject({ type: 'success' });
});

it('refuses an answer without a signature', async () => {
  const request = new AuthRequest({ ...clients.public, ...signed, scopes });
  await request.makeAuthUrlAsync(discovery);
  const answer = new URLSearchParams({ code: 'any', state: request.state, iss: provider.issuer });
  const result = await parseSignedAnswerAsync(request, `${request.redirectUri}?${answer}`, discovery);
  expect(result).toMatchObject({ errorCode: 'invalid_response' });
});

it.each(['jwt', 'query.jwt'])(
  'refuses such an answer in every way to read one, after response_mode %s',
  async (mode) => {
    const request = new AuthRequest({ ...clients.public, extraParams: { response_mode: mode }, scopes });
    const url = await request.makeAuthUrlAsync(discovery);
    const answer = new URLSearchParams({ code: 'stolen', state: request.state, iss: provider.issuer });
    const forged = `${request.redirectUri}?${answer}`;
    for (const result of [request.parseReturnUrl(forged), await request.parseReturnUrlAsync(forged)]) {
      expect(result).toMatchObject({ type: 'error', errorCode: 'invalid_response', authentication: null, params: {} });
      expect(result.error?.message).toContain('sign');
    }
    // It has not used up the request.
    const back = await visit(url);
    expect(request.parseReturnUrl(back)).toMatchObject({ type: 'error', errorCode: 'invalid_response' });
    expect(await request.parseReturnUrlAsync(back)).toMatchObject({ type: 'success' });
    expect(await request.parseReturnUrlAsync(back)).toMatchObject({ errorCode: 'state_mismatch' });
  },
);

it('calls for the discovery document where it is missing', async () => {
  const request = new AuthRequest({ ...clients.public, ...signed });
  await request.makeAuthUrlAsync({ authorizationEndpoint: `${provider.issuer}/auth` });
  const { type, error } = await request.parseReturnUrlAsync(`${request.redirectUri}?response=a.b.c`);
  expect([type, error?.message]).toEqual(['error', expect.stringContaining('discoveryDocument')]);
  expect(error?.cause).toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
});

it('is what a session server does with a requestKey and the response mode jwt', async () => {
  const errors: unknown[] = [];
  const sessions = createSessionServer({
    issuer: provider.issuer,
    clientId: clients.signing.clientId,
    clientAuth: privateKeyJwt({ issuer: provider.issuer, key: clientKey }),
    requestKey: clientKey,
    ...signed,
    secrets,
    onError: (error) => errors.push(error),
  });
  const user = startUserAgent();
  const begun = await user.open(sessions.GET, '/auth/sign-in?returnTo=/account');
  const url = begun.headers.get('location') ?? '';
  expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'request']);
  const back = await visit(url);
  expect([...new URL(back).searchParams.keys()]).toEqual(['response']);
  const ended = await user.open(sessions.GET, back);
  expect([ended.status, ended.headers.get('location'), errors]).toEqual([303, 'https://app.example/account', []]);
  expect(await sessions.read(user.request('/'))).toMatchObject({ subject: 'ada' });
  // What was asked for with a signature is not taken without.
  const again = await user.open(sessions.GET, '/auth/sign-in');
  const { state } = requestIn(again.headers.get('location') ?? '');
  const answer = new URLSearchParams({ code: 'any', state: String(state), iss: provider.issuer });
  const plain = await user.open(sessions.GET, `/auth/callback?${answer}`);
  expect([plain.status, user.cookies.size]).toEqual([400, 1]);
  // Nobody else fills the log with answers.
  const stranger = await startUserAgent().open(sessions.GET, '/auth/callback?response=a.b.c');
  expect([stranger.status, errors]).toEqual([400, []]);
});

it.each<[string, boolean | undefined, boolean]>([
  ['when the app says so', true, false],
  ['where the provider requires it', undefined, true],
])('is pushed by a session server as it is signed, %s (RFC 9126 section 3)', async (_, pushRequests, isRequired) => {
  await using strict = await startProvider({
    requestObjects: { enabled: true },
    pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: isRequired },
  });
  const forms: URLSearchParams[] = [];
  const { fetch } = globalThis;
  vi.stubGlobal('fetch', async (...[input, init]: Parameters<typeof fetch>) => {
    const request = new Request(input, init);
    if (request.url === `${strict.issuer}/request`) forms.push(new URLSearchParams(await request.clone().text()));
    return fetch(request);
  });
  const sessions = createSessionServer({
    issuer: strict.issuer,
    clientId: clients.signing.clientId,
    clientAuth: privateKeyJwt({ issuer: strict.issuer, key: clientKey }),
    requestKey: clientKey,
    pushRequests,
    secrets,
  });
  const user = startUserAgent();
  const begun = await user.open(sessions.GET, '/auth/sign-in');
  const url = begun.headers.get('location') ?? '';
  expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'request_uri']);
  expect(forms.map((form) => [...form.keys()])).toEqual([
    ['client_id', 'request', 'client_assertion_type', 'client_assertion'],
  ]);
  const ended = await user.open(sessions.GET, await visit(url));
  expect([ended.status, await sessions.read(user.request('/'))]).toMatchObject([303, { subject: 'ada' }]);
});
