import { expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import type { AuthSessionResult, CompletedAuthSessionResult } from './auth-session-result.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { expectNoSecrets } from './fixtures/failure.ts';
import { deriveChallengeAsync } from './pkce.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

const config = { clientId: 'client', redirectUri: 'https://app.example/callback' };
const authorizationEndpoint = 'https://provider.example/authorize';

function requestOf(more: Partial<AuthRequestConfig> = {}): AuthRequest {
  return new AuthRequest({ ...config, ...more });
}

async function paramsOf(request: AuthRequest, endpoint = authorizationEndpoint): Promise<Record<string, string>> {
  const url = new URL(await request.makeAuthUrlAsync({ authorizationEndpoint: endpoint }));
  return Object.fromEntries(url.searchParams);
}

it('asks for a code with PKCE and a state', async () => {
  const request = requestOf({ scopes: ['openid', 'email'] });
  const { nonce, state } = request;
  expect(request.url).toBe(null);
  expect(await paramsOf(request)).toEqual({
    response_type: 'code',
    client_id: 'client',
    redirect_uri: 'https://app.example/callback',
    scope: 'openid email',
    state,
    nonce,
    code_challenge: await deriveChallengeAsync(request.codeVerifier ?? ''),
    code_challenge_method: 'S256',
  });
  expect(request.url).toContain(authorizationEndpoint);
});

it('derives the challenge as the standard does (RFC 7636 appendix B)', async () => {
  const challenge = await deriveChallengeAsync('dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk');
  expect(challenge).toBe('E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM');
});

it('makes state, nonce and verifier of 256 random bits', async () => {
  const [first, second] = [requestOf({ scopes: ['openid'] }), requestOf({ scopes: ['openid'] })];
  await Promise.all([paramsOf(first), paramsOf(second)]);
  for (const name of ['state', 'nonce', 'codeVerifier'] as const) {
    expect(first[name]).toMatch(/^[\w-]{43}$/);
    expect(first[name]).not.toBe(second[name]);
  }
});

it('sends no nonce without openid', async () => {
  expect(await paramsOf(requestOf({ scopes: ['email'] }))).not.toHaveProperty('nonce');
});

it.each([
  ['in an extra parameter', { extraParams: { scope: 'email openid' } }],
  ['in the response type', { responseType: 'id_token' }],
])('sends a nonce with openid %s', async (_, more) => {
  expect((await paramsOf(requestOf(more)))['nonce']).toMatch(/^[\w-]{43}$/);
});

it.each([undefined, []])('sends no scope for the scopes %j', async (scopes) => {
  expect(await paramsOf(requestOf({ scopes }))).not.toHaveProperty('scope');
});

it('sends no challenge without PKCE', async () => {
  expect(await paramsOf(requestOf({ usePKCE: false }))).not.toHaveProperty('code_challenge');
});

it('sends the challenge of a verifier that another party keeps', async () => {
  const request = requestOf({ codeChallenge: 'of-a-server' });
  expect(await paramsOf(request)).toMatchObject({ code_challenge: 'of-a-server', code_challenge_method: 'S256' });
  expect(request.codeVerifier).toBeUndefined();
});

it('never sends the secret to the authorization endpoint', async () => {
  expect(JSON.stringify(await paramsOf(requestOf({ clientSecret: 'secret' })))).not.toContain('secret');
});

it('adds extra parameters, which do not replace its own', async () => {
  const extraParams = { audience: 'api', state: 'forged', client_id: 'other', response_type: 'token' };
  const request = requestOf({ extraParams });
  expect(await paramsOf(request)).toMatchObject({
    audience: 'api',
    state: request.state,
    client_id: 'client',
    response_type: 'code',
  });
});

it.each([
  [undefined, undefined],
  ['login' as const, 'login'],
  [['login' as const, 'consent' as const], 'login consent'],
])('writes prompt %j as %j', async (prompt, expected) => {
  expect((await paramsOf(requestOf({ prompt })))['prompt']).toBe(expected);
});

it('keeps the query of the endpoint', async () => {
  expect(await paramsOf(requestOf(), `${authorizationEndpoint}?tenant=7`)).toMatchObject({
    tenant: '7',
    client_id: 'client',
  });
});

it.each([
  ['no clientId', { clientId: '' }, /^An AuthRequest has no clientId, which is required\.$/],
  ['no redirectUri', { redirectUri: '' }, /^An AuthRequest has no redirectUri.*makeRedirectUri/],
  ['an empty state', { state: '' }, /^An AuthRequest has no state/],
  ['a clock tolerance of six minutes', { clockToleranceSeconds: 360 }, /^clockToleranceSeconds .* from 0 to 300/],
  ['a clock tolerance that is no number', { clockToleranceSeconds: '30' as never }, /from 0 to 300/],
  ['the challenge method plain', { codeChallengeMethod: 'plain' as const }, /Use S256/],
])('refuses %s', (_, wrong, message) => {
  expect(() => requestOf(wrong)).toThrow(message);
  expect(() => requestOf(wrong)).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' }));
});

it.each([0, 300])('accepts a clock tolerance of %s seconds', (clockToleranceSeconds) => {
  expect(requestOf({ clockToleranceSeconds })).toMatchObject({ clockToleranceSeconds });
});

it('refuses a document without an authorizationEndpoint', async () => {
  await expect(requestOf().makeAuthUrlAsync({})).rejects.toThrow(/authorizationEndpoint/);
});

it.each(['http://provider.example/authorize', 'HTTP://192.168.0.7:8080/authorize'])(
  'opens %s only when that is allowed',
  async (endpoint) => {
    await expect(paramsOf(requestOf(), endpoint)).rejects.toMatchObject({
      code: 'ERR_AUTH_ENDPOINT',
      message: expect.stringMatching(/^authorizationEndpoint must be .* give allowInsecureRequests/),
    });
    expect(await paramsOf(requestOf({ allowInsecureRequests: true }), endpoint)).toMatchObject({ client_id: 'client' });
  },
);

it('never opens a script, whatever is allowed', async () => {
  const call = paramsOf(requestOf({ allowInsecureRequests: true }), 'javascript:alert(1)');
  await expect(call).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ENDPOINT' });
});

it.each(['http://localhost:8080/authorize', 'http://127.0.0.1/authorize?tenant=7', 'http://[::1]:1#x'])(
  'opens %s, which is on this machine',
  async (endpoint) => {
    const url = await requestOf().makeAuthUrlAsync({ authorizationEndpoint: endpoint });
    expect(url).toContain('client_id=client');
  },
);

function answerTo(request: AuthRequest, query: Record<string, string>, fragment = ''): CompletedAuthSessionResult {
  return request.parseReturnUrl(`${config.redirectUri}?${new URLSearchParams(query)}${fragment}`);
}

it('reads the code of an answer', async () => {
  const request = requestOf();
  const opened = await request.makeAuthUrlAsync({ authorizationEndpoint });
  const result = answerTo(request, { code: 'a code', state: request.state });
  expect(result).toMatchObject({
    type: 'success',
    error: null,
    errorCode: null,
    authentication: null,
    params: { code: 'a code', state: request.state },
    url: opened,
    event: { type: 'redirect', url: expect.stringContaining('code=a+code'), timestamp: expect.any(Number) },
  });
  expect(Object.isFrozen(result.event)).toBe(true);
});

it('reads the tokens of an answer in its fragment', () => {
  const request = requestOf({ responseType: 'token' });
  const result = answerTo(request, {}, `#access_token=token&expires_in=60&token_type=Bearer&state=${request.state}`);
  expect(result.authentication).toMatchObject({ accessToken: 'token', expiresIn: 60, tokenType: 'bearer' });
});

it('reads the return URL of an app with its own scheme', () => {
  const request = new AuthRequest({ ...config, redirectUri: 'com.example.app:/callback' });
  const { params } = request.parseReturnUrl(`com.example.app:/callback#access_token=a/b&state=${request.state}`);
  expect(params['access_token']).toBe('a/b');
});

const issuer = 'https://provider.example';
const promising = { issuer, authorization_response_iss_parameter_supported: true };

const secrets = { code: 'the-code-of-the-answer', token: 'an-access-token-that-was-issued' };

it.each([
  ['no state', 'RFC 6749 section 10.12', () => ({ code: secrets.code }), 'state_mismatch', {}],
  ['another state', 'RFC 6749 section 10.12', () => ({ code: secrets.code, state: 'forged' }), 'state_mismatch', {}],
  ['an empty state', 'RFC 6749 section 10.12', () => ({ code: secrets.code, state: '' }), 'state_mismatch', {}],
  [
    'a state with a space behind it',
    'RFC 6749 section 4.1.2',
    (state: string) => ({ code: secrets.code, state: `${state} ` }),
    'state_mismatch',
    {},
  ],
  [
    'tokens and another state',
    'RFC 6749 section 10.12',
    () => ({ access_token: secrets.token, state: 'forged' }),
    'state_mismatch',
    {},
  ],
  [
    'an error and another state',
    'RFC 6749 section 10.12',
    () => ({ error: 'access_denied', state: 'forged' }),
    'state_mismatch',
    {},
  ],
  ['an error', 'RFC 6749 section 4.1.2.1', (state: string) => ({ error: 'access_denied', state }), 'access_denied', {}],
  [
    'an error beside tokens',
    'RFC 6749 section 4.2.2.1',
    (state: string) => ({ error: 'server_error', access_token: secrets.token, state }),
    'server_error',
    {},
  ],
  ['an error without a state', 'RFC 6749 section 4.1.2.1', () => ({ error: 'invalid_request' }), 'state_mismatch', {}],
  [
    'an error without a state beside tokens',
    'RFC 6749 section 4.1.2.1',
    () => ({ error: 'invalid_request', access_token: secrets.token }),
    'state_mismatch',
    {},
  ],
  [
    'an error of its own',
    'RFC 6749 section 4.1.2.1',
    (state: string) => ({ error: 'tenant_asleep', state }),
    'tenant_asleep',
    {},
  ],
  [
    'an errorCode',
    'the specification, AuthSessionResult',
    (state: string) => ({ errorCode: 'failed', state }),
    'failed',
    {},
  ],
  [
    'the iss of another provider',
    'RFC 9207 section 2.4',
    (state: string) => ({ code: secrets.code, state, iss: 'https://evil.example' }),
    'issuer_mismatch',
    { issuer },
  ],
  [
    'an iss that differs in a slash',
    'RFC 9207 section 2.4',
    (state: string) => ({ code: secrets.code, state, iss: `${issuer}/` }),
    'issuer_mismatch',
    { issuer },
  ],
  [
    'no iss, which was promised',
    'RFC 9207 section 2.4',
    (state: string) => ({ code: secrets.code, state }),
    'issuer_mismatch',
    promising,
  ],
  [
    'tokens and the iss of another provider',
    'RFC 9207 section 2.4',
    (state: string) => ({ access_token: secrets.token, state, iss: 'https://evil.example' }),
    'issuer_mismatch',
    { issuer },
  ],
])('refuses an answer with %s (%s)', async (_, _section, query, code, discoveryDocument) => {
  const request = requestOf();
  await request.makeAuthUrlAsync({ authorizationEndpoint, discoveryDocument });
  const result = answerTo(request, query(request.state) as Record<string, string>);
  expect(result).toMatchObject({
    type: 'error',
    authentication: null,
    errorCode: code,
    error: { name: 'AuthError', code },
  });
  expectNoSecrets(result.error as Error, [...Object.values(secrets), request.codeVerifier as string]);
});

it.each([
  ['two codes', `?code=${secrets.code}&code=b`, ''],
  ['two states', `?code=${secrets.code}&state=other`, ''],
  ['a code in the query and another in the fragment', `?code=${secrets.code}`, '#code=b'],
  ['a token in the query and another in the fragment', `?access_token=${secrets.token}`, '#access_token=b'],
])('refuses an answer with %s (RFC 6749 section 3.1)', (_, query, fragment) => {
  const request = requestOf();
  const result = request.parseReturnUrl(`${config.redirectUri}${query}&state=${request.state}${fragment}`);
  expect(result).toMatchObject({ type: 'error', authentication: null, errorCode: 'invalid_response' });
  expectNoSecrets(result.error as Error, Object.values(secrets));
});

it('accepts an answer once', () => {
  const request = requestOf();
  const query = { code: 'c', state: request.state };
  expect(answerTo(request, query).type).toBe('success');
  expect(answerTo(request, query)).toMatchObject({
    type: 'error',
    errorCode: 'state_mismatch',
    error: { message: 'This request has been answered already.', state: request.state },
  });
});

it.each([
  [
    'the state of another',
    `code=c&state=other`,
    'The answer lacks the state of the request: it may be forged, or an old one.',
  ],
  ['two values for two names', 'code=a&code=b&iss=a&iss=b', 'The answer has contradictory values for: code, iss.'],
  [
    'other parts than requested',
    'access_token=t&id_token=i',
    'The response type is code, but the answer lacks or adds: code, access_token, id_token.',
  ],
  ['another issuer', 'code=c&iss=https://evil.example', 'The iss of the answer is another provider.'],
  ['no issuer', 'code=c', 'The answer lacks the iss that this provider promises.'],
])('says of an answer with %s what is wrong', async (_, query, message) => {
  const request = requestOf();
  await request.makeAuthUrlAsync({ authorizationEndpoint, discoveryDocument: promising });
  const own = query.includes('state=') ? '' : `&state=${request.state}`;
  const { error } = request.parseReturnUrl(`${config.redirectUri}?${query}${own}`);
  expect(error).toMatchObject({ message, description: message });
});

it('requires no iss of a provider that does not promise one (RFC 9207 section 2.3)', async () => {
  const request = requestOf();
  await request.makeAuthUrlAsync({ authorizationEndpoint, discoveryDocument: { issuer } });
  expect(answerTo(request, { code: 'c', state: request.state }).type).toBe('success');
});

it.each([
  'invalid_request',
  'unauthorized_client',
  'access_denied',
  'unsupported_response_type',
  'invalid_scope',
  'server_error',
  'temporarily_unavailable',
])('describes the error %s (RFC 6749 section 4.1.2.1)', (code) => {
  const request = requestOf();
  const { error } = answerTo(request, { error: code, state: request.state });
  expect(error?.description).toMatch(/^(A|The|This) [\w ,]{20,}\.$/);
});

it('still accepts the right answer after a forged one', () => {
  const request = requestOf();
  expect(answerTo(request, { code: 'c', state: 'forged' }).type).toBe('error');
  expect(answerTo(request, { code: 'c', state: request.state }).type).toBe('success');
});

it('still accepts the right answer after an error without a state', () => {
  const request = requestOf();
  expect(answerTo(request, { error: 'access_denied' })).toMatchObject({ errorCode: 'state_mismatch' });
  expect(answerTo(request, { code: 'c', state: request.state }).type).toBe('success');
});

it.each([
  ['that contradicts itself', '?code=a&code=b'],
  ['with two states of others', '?state=a&state=b'],
  ['with tokens', '#access_token=forged'],
  ['with an error of its own', '?error=state_mismatch'],
  ['without parameters', ''],
])('still accepts the right answer after a URL %s and without its own state', (_, parameters) => {
  const request = requestOf();
  const forged = request.parseReturnUrl(config.redirectUri + parameters);
  expect(forged).toMatchObject({ type: 'error', authentication: null, errorCode: 'state_mismatch' });
  expect(answerTo(request, { code: 'c', state: request.state }).type).toBe('success');
});

const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
const challenge = 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM';
const secretNames = ['state', 'nonce', 'codeVerifier', 'codeChallenge'] as const;

it.each<[string, Partial<AuthRequestConfig>, (typeof secretNames)[number][]]>([
  ['nothing', {}, []],
  ['a state', { state: 'of the app' }, ['state']],
  ['a nonce', { nonce: 'of the app' }, ['nonce']],
  ['a nonce as an extra parameter', { extraParams: { nonce: 'of the app' } }, ['nonce']],
  ['a codeVerifier', { codeVerifier: verifier }, ['codeVerifier', 'codeChallenge']],
  ['a codeChallenge', { codeChallenge: 'of a server' }, ['codeVerifier', 'codeChallenge']],
  ['both of PKCE', { codeVerifier: verifier, codeChallenge: challenge }, ['codeVerifier', 'codeChallenge']],
  ['everything', { state: 'a', nonce: 'b', codeVerifier: verifier }, [...secretNames]],
])('when prompted again, keeps %s that the app has set and renews the generated values', async (_, set, kept) => {
  const request = requestOf({ scopes: ['openid'], ...set });
  const first = await paramsOf(request);
  const before = secretNames.map((name) => request[name]);
  answerTo(request, { error: 'access_denied', state: request.state });
  const second = await paramsOf(request);
  const same = secretNames.filter((name, index) => request[name] === before[index]);
  expect(same).toEqual(kept);
  expect(second['state']).toBe(request.state);
  expect(second['code_challenge']).toBe(request.codeChallenge);
  expect(second['nonce'] === first['nonce']).toBe(kept.includes('nonce'));
});

it('when prompted again, keeps a state and a codeVerifier that the app has set later', async () => {
  const request = requestOf();
  await paramsOf(request);
  const later = { state: 'put in later', codeVerifier: verifier, codeChallenge: challenge };
  Object.assign(request, later);
  answerTo(request, { error: 'access_denied', state: request.state });
  expect(await paramsOf(request)).toMatchObject({ state: 'put in later', code_challenge: challenge });
  expect(request).toMatchObject(later);
});

it('refuses a codeChallenge that does not match the codeVerifier', async () => {
  const request = requestOf({ codeVerifier: verifier, codeChallenge: 'of another verifier' });
  await expect(paramsOf(request)).rejects.toMatchObject({
    code: 'ERR_AUTH_ARGUMENT',
    message: expect.stringContaining('Give one of them'),
  });
});

it.each(['', verifier.slice(1), 'a'.repeat(129), `${verifier}!`, `!${verifier}`, `${verifier}\n`])(
  'refuses the codeVerifier %j (RFC 7636 section 4.1)',
  async (codeVerifier) => {
    await expect(deriveChallengeAsync(codeVerifier)).rejects.toMatchObject({
      name: 'TypeError',
      code: 'ERR_AUTH_ARGUMENT',
      message: expect.stringContaining('43 to 128'),
    });
  },
);

it.each(['.~_-'.repeat(11), 'a'.repeat(128)])('accepts the codeVerifier %s', async (codeVerifier) => {
  expect(await deriveChallengeAsync(codeVerifier)).toMatch(/^[\w-]{43}$/);
});

it('asks the provider for no tokens without a code', async () => {
  const call = requestOf().exchangeAsync({ params: {} }, { tokenEndpoint: 'https://provider.example/token' });
  await expect(call).rejects.toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
});

it('exchanges a code when only the second document names the provider', async () => {
  const request = requestOf();
  await request.makeAuthUrlAsync({ authorizationEndpoint });
  await using server = await startAnsweringServer();
  server.answer = json(200, { access_token: 'token' });
  const given = { tokenEndpoint: server.origin, discoveryDocument: { issuer } };
  expect(await request.exchangeAsync({ params: { code: 'c' } }, given)).toMatchObject({ accessToken: 'token' });
});

it('reads an unsigned answer in the response mode that was requested', async () => {
  const request = requestOf({ extraParams: { response_mode: 'fragment' } });
  expect(await paramsOf(request)).toMatchObject({ response_mode: 'fragment' });
  const url = `${config.redirectUri}#code=c&state=${request.state}`;
  expect(await request.parseReturnUrlAsync(url)).toMatchObject({ type: 'success', params: { code: 'c' } });
});

it.each<AuthSessionResult['type']>(['error', 'cancel', 'dismiss', 'locked', 'opened'])(
  'does not exchange a code of a result of the type %s',
  async (type) => {
    const request = requestOf();
    const result = { type, params: { code: 'c' } };
    const call = request.exchangeAsync(result, { tokenEndpoint: 'https://provider.example/token' });
    await expect(call).rejects.toMatchObject({
      name: 'TypeError',
      code: 'ERR_AUTH_ARGUMENT',
      message: expect.stringContaining(type),
    });
  },
);

it("adds our description to a standard AuthError, and keeps the server's", () => {
  const request = requestOf();
  const plain = answerTo(request, { error: 'login_required', state: request.state });
  expect(plain.error).toMatchObject({
    name: 'AuthError',
    code: 'login_required',
    description: expect.stringContaining('prompt=none'),
    params: { error: 'login_required', state: request.state },
    state: request.state,
  });
  const other = requestOf();
  const query = {
    error: 'login_required',
    error_description: 'Please sign in.',
    error_uri: 'https://provider.example/help',
  };
  const described = answerTo(other, { ...query, state: other.state });
  expect(described.error).toMatchObject({ description: 'Please sign in.', uri: 'https://provider.example/help' });
  expect(described.error?.message).toMatch(
    /^The authorization server answered with the error login_required: The user/,
  );
});

it.each([
  ['https://provider.example/help', true],
  ['http://provider.example/help', true],
  ['javascript:alert(document.domain)', false],
  [' javascript:alert(1)', false],
  ['data:text/html,x', false],
  ['javascript:location="https://evil.example"', false],
  ['/help', false],
])('offers the error_uri %s as a page: %s (RFC 6749 section 4.1.2.1)', (error_uri, isPage) => {
  const request = requestOf();
  const { error } = answerTo(request, { error: 'access_denied', error_uri, state: request.state });
  expect(error).toMatchObject({ uri: isPage ? error_uri : undefined, params: { error_uri } });
});

it.each([
  ['consent', 'consent_required'],
  ['login', 'login_required'],
  ['none', 'login_required'],
  ['none', 'interaction_required'],
  ['select_account', 'account_selection_required'],
] as const)('says that the server cannot comply with prompt %s for the code %s', async (prompt, code) => {
  const request = requestOf({ prompt });
  expect(await paramsOf(request)).toMatchObject({ prompt });
  const { error, type } = answerTo(request, { error: code, state: request.state });
  expect(type).toBe('error');
  expect(error).toMatchObject({ name: 'AuthError', code, description: expect.stringMatching(/^The user would/) });
});

it('keeps parameters with the names of an object', () => {
  const request = requestOf();
  const { params } = answerTo(request, { ['__proto__']: 'x', constructor: 'y', state: request.state });
  expect(Object.entries(params)).toContainEqual(['__proto__', 'x']);
  expect(Object.getPrototypeOf(params)).toBe(Object.prototype);
});

it('checks no id_token in a URL without the keys of the provider (OpenID Connect Core section 3.2.2.11)', async () => {
  const request = requestOf({ responseType: 'id_token', scopes: ['openid'] });
  const discovery: DiscoveryDocument = { authorizationEndpoint };
  await request.makeAuthUrlAsync(discovery);
  const result = await request.parseReturnUrlAsync(`${config.redirectUri}#id_token=a.b.c&state=${request.state}`);
  expect(result).toMatchObject({ type: 'error', authentication: null, errorCode: 'invalid_id_token' });
});
