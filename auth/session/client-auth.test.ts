import { decodeJwt, exportJWK, generateKeyPair, jwtVerify } from 'jose';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { clientSecretJwt, privateKeyJwt } from './client-auth.ts';
import type { ClientAuth } from './client-auth.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { requestDeviceCodeAsync } from './device.ts';
import { createDPoPAsync } from './dpop.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { failureOf } from './fixtures/failure.ts';
import { clientKey, clients, sharedSecret, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { startUserAgent } from './fixtures/user-agent.ts';
import { visit } from './fixtures/visit.ts';
import { introspectAsync } from './introspect.ts';
import { exchangeCodeAsync, refreshAsync, revokeAsync } from './operations.ts';
import { pushAuthRequestAsync } from './par.ts';
import type { DiscoveryDocument, ProviderMetadata } from './provider-metadata.ts';
import { createSessionServer } from './server.ts';
import type { ClientAuthMethod } from './token-request-config.ts';
import { TokenResponse } from './token-response.ts';

let provider: LocalProvider;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  const features = { pushedAuthorizationRequests: { enabled: true }, introspection: { enabled: true } };
  provider = await startProvider(features);
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(() => provider[Symbol.asyncDispose]());
afterEach(() => {
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

const scopes = ['openid', 'email', 'offline_access'];

it.each<[string, { clientId: string; redirectUri: string }, (issuer: string) => ClientAuth]>([
  ['private_key_jwt', clients.signing, (issuer) => privateKeyJwt({ issuer, key: clientKey })],
  ['client_secret_jwt', clients.hashing, (issuer) => clientSecretJwt({ issuer, clientSecret: sharedSecret })],
])('signs in, refreshes, introspects and revokes with %s (RFC 7523)', async (_, client, authFor) => {
  const clientAuth = authFor(provider.issuer);
  const { clientId } = client;
  const request = new AuthRequest({ ...client, scopes, prompt: 'consent' });
  const { url } = await pushAuthRequestAsync(request, discovery, { clientAuth });
  const result = await request.parseReturnUrlAsync(await visit(url));
  const tokens = await request.exchangeAsync(result, discovery, { clientAuth });
  expect(tokens.scope).toContain('openid');
  const { accessToken } = tokens;
  await tokens.refreshAsync({ clientId }, discovery, { clientAuth });
  expect(tokens.accessToken).not.toBe(accessToken);
  const next = await refreshAsync({ clientId, refreshToken: tokens.refreshToken }, discovery, { clientAuth });
  const asked = { clientId, token: next.accessToken };
  expect(await introspectAsync(asked, discovery, { clientAuth })).toMatchObject({ active: true });
  await revokeAsync({ clientId, token: next.refreshToken ?? '' }, discovery, { clientAuth });
  expect(await introspectAsync(asked, discovery, { clientAuth })).toEqual({ active: false });
});

it('is refused by the provider without the signature', async () => {
  const { clientId } = clients.signing;
  const call = refreshAsync({ clientId, refreshToken: 'any' }, discovery);
  await expect(call).rejects.toMatchObject({ code: 'invalid_client' });
});

it('signs each request only for the issuer, for a minute, with a unique id', async () => {
  await using server = await startAnsweringServer();
  const sent: string[] = [];
  server.answer = async (request, response) => {
    sent.push(await new Response(request as unknown as ReadableStream).text());
    json(400, { error: 'invalid_grant' })(request, response);
  };
  const clientAuth = privateKeyJwt({ issuer: 'https://accounts.example', key: clientKey });
  for (const code of ['first', 'second']) {
    const config = { clientId: 'client', code, redirectUri: 'https://app.example/callback' };
    const call = exchangeCodeAsync(config, { tokenEndpoint: `${server.origin}/token` }, { clientAuth });
    await expect(call).rejects.toMatchObject({ code: 'invalid_grant' });
  }
  const header = Buffer.from(new URLSearchParams(sent[0]).get('client_assertion')?.split('.')[0] ?? '', 'base64url');
  expect(JSON.parse(header.toString())).toMatchObject({ alg: 'ES256', kid: clientKey.kid });
  const forms = sent.map((body) => Object.fromEntries(new URLSearchParams(body)));
  const claims = forms.map(({ client_assertion = '' }) =>
    JSON.parse(Buffer.from(client_assertion.split('.')[1] ?? '', 'base64url').toString()),
  );
  for (const { iss, sub, aud, exp, iat } of claims) {
    expect([iss, sub, aud, exp - iat]).toEqual(['client', 'client', 'https://accounts.example', 60]);
  }
  expect(new Set(claims.map(({ jti }) => jti)).size).toBe(2);
  expect(forms[0]).toMatchObject({
    client_id: 'client',
    client_assertion_type: 'urn:ietf:params:oauth:client-assertion-type:jwt-bearer',
  });
});

// As the document of Apple says.
const POST_ONLY = { token_endpoint_auth_methods_supported: ['client_secret_post' as const] };

it('says that an audience is unknown, and signs nothing', async () => {
  for (const clientAuth of [
    privateKeyJwt({ issuer: 'https://accounts.example', key: clientKey, audience: 'token' as never }),
    clientSecretJwt({ issuer: 'https://accounts.example', clientSecret: sharedSecret, audience: 'token' as never }),
  ]) {
    const call = refreshAsync(
      { clientId: 'client', refreshToken: 'r' },
      { tokenEndpoint: 'http://127.0.0.1:1' },
      { clientAuth },
    );
    await expect(call).rejects.toMatchObject({
      code: 'ERR_AUTH_ARGUMENT',
      message: expect.stringContaining("'issuer' or 'endpoint'"),
    });
  }
});

it('asks about a token with the secret where the metadata for that says', async () => {
  await using server = await startAnsweringServer();
  let authorization: string | undefined;
  server.answer = (request, response) => {
    ({ authorization } = request.headers);
    json(200, { active: false })(request, response);
  };
  const metadata = { ...POST_ONLY, introspection_endpoint_auth_methods_supported: ['client_secret_basic'] };
  const discoveryDocument = { ...metadata, introspection_endpoint: `${server.origin}/introspect` };
  await introspectAsync({ ...withSecret, token: 'any' }, { discoveryDocument });
  expect(authorization).toMatch(/^Basic /);
});

const withSecret = { clientId: 'client', clientSecret: 'secret' };

it.each<[string, (discovery: DiscoveryDocument) => Promise<unknown>]>([
  [
    'an exchange',
    (found) => exchangeCodeAsync({ ...withSecret, code: 'code', redirectUri: 'https://app.example' }, found),
  ],
  ['a refresh', (found) => refreshAsync({ ...withSecret, refreshToken: 'old' }, found)],
  [
    'a refresh of tokens',
    (found) => new TokenResponse({ accessToken: 'old', refreshToken: 'old' }).refreshAsync(withSecret, found),
  ],
  ['a revocation', (found) => revokeAsync({ ...withSecret, token: 'old' }, found)],
  ['an introspection', (found) => introspectAsync({ ...withSecret, token: 'old' }, found)],
  ['a device code', (found) => requestDeviceCodeAsync(withSecret, found)],
  [
    'a pushed request',
    (found) => pushAuthRequestAsync(new AuthRequest({ ...withSecret, redirectUri: 'https://app.example' }), found),
  ],
])(
  'sends the secret of %s in the body where the provider accepts nothing else (RFC 8414 section 2)',
  async (_, ask) => {
    await using server = await startAnsweringServer();
    const endpoint = `${server.origin}/any`;
    let sent = { authorization: '', secret: '' };
    server.answer = async (request, response) => {
      const form = new URLSearchParams(await new Response(request as unknown as ReadableStream).text());
      sent = { authorization: request.headers.authorization ?? '', secret: form.get('client_secret') ?? '' };
      json(400, { error: 'invalid_grant' })(request, response);
    };
    const call = ask({
      authorizationEndpoint: endpoint,
      tokenEndpoint: endpoint,
      revocationEndpoint: endpoint,
      discoveryDocument: {
        ...POST_ONLY,
        introspection_endpoint: endpoint,
        device_authorization_endpoint: endpoint,
        pushed_authorization_request_endpoint: endpoint,
      },
    });
    await expect(call).rejects.toMatchObject({ code: 'invalid_grant' });
    expect(sent).toEqual({ authorization: '', secret: 'secret' });
  },
);

it.each<[string, ProviderMetadata, 'basic' | 'post', ClientAuthMethod?]>([
  [
    'has both for tokens',
    { token_endpoint_auth_methods_supported: ['client_secret_post', 'client_secret_basic'] },
    'basic',
  ],
  ['says nothing', {}, 'basic'],
  [
    'has the header alone for revocation',
    { ...POST_ONLY, revocation_endpoint_auth_methods_supported: ['client_secret_basic'] },
    'basic',
  ],
  ['has the body alone for revocation', { revocation_endpoint_auth_methods_supported: ['client_secret_post'] }, 'post'],
  ['is contradicted by the app', POST_ONLY, 'basic', 'client_secret_basic'],
])('revokes with the secret where the metadata that %s asks for', async (_, metadata, where, clientAuthMethod) => {
  await using server = await startAnsweringServer();
  let sent = { authorization: '', body: '' };
  server.answer = async (request, response) => {
    const body = await new Response(request as unknown as ReadableStream).text();
    sent = { authorization: request.headers.authorization ?? '', body };
    json(200, {})(request, response);
  };
  const config = { ...withSecret, token: 'old', clientAuthMethod };
  await revokeAsync(config, { revocationEndpoint: `${server.origin}/revoke`, discoveryDocument: metadata });
  expect(sent.authorization.startsWith('Basic ')).toBe(where === 'basic');
  expect(sent.body.includes('client_secret=secret')).toBe(where === 'post');
});

it.each<[string, ClientAuth]>([
  ['private_key_jwt', privateKeyJwt({ issuer: 'https://accounts.example', key: clientKey, audience: 'endpoint' })],
  [
    'client_secret_jwt',
    clientSecretJwt({ issuer: 'https://accounts.example', clientSecret: sharedSecret, audience: 'endpoint' }),
  ],
])(
  'signs with %s for the URL of each request if asked, as Okta requires (RFC 7523 section 3)',
  async (_, clientAuth) => {
    await using server = await startAnsweringServer();
    const audiences: unknown[] = [];
    server.answer = async (request, response) => {
      const form = new URLSearchParams(await new Response(request as unknown as ReadableStream).text());
      const claims = Buffer.from(form.get('client_assertion')?.split('.')[1] ?? '', 'base64url').toString();
      audiences.push(JSON.parse(claims).aud);
      json(400, { error: 'invalid_grant' })(request, response);
    };
    const [tokenEndpoint, revocationEndpoint] = [`${server.origin}/token`, `${server.origin}/revoke`];
    const refused = { code: 'invalid_grant' };
    const refresh = refreshAsync({ clientId: 'client', refreshToken: 'old' }, { tokenEndpoint }, { clientAuth });
    await expect(refresh).rejects.toMatchObject(refused);
    const revocation = revokeAsync({ clientId: 'client', token: 'old' }, { revocationEndpoint }, { clientAuth });
    await expect(revocation).rejects.toMatchObject(refused);
    expect(audiences).toEqual([tokenEndpoint, revocationEndpoint]);
  },
);

it.each<[string, { clientId: string; redirectUri: string }, (issuer: string) => ClientAuth]>([
  ['private_key_jwt', clients.signing, (issuer) => privateKeyJwt({ issuer, key: clientKey })],
  ['client_secret_jwt', clients.hashing, (issuer) => clientSecretJwt({ issuer, clientSecret: sharedSecret })],
])('signs again with %s when the provider wants a DPoP nonce (RFC 9449 section 8)', async (_, client, authFor) => {
  const dPoP = { enabled: true, nonceSecret: Buffer.alloc(32, 1), requireNonce: () => true };
  await using strict = await startProvider({ dPoP });
  const found = await fetchDiscoveryAsync(strict.issuer);
  const request = new AuthRequest({ ...client, scopes: ['openid'] });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(found)));
  const options = { clientAuth: authFor(strict.issuer), dpop: await createDPoPAsync() };
  expect(await request.exchangeAsync(result, found, options)).toMatchObject({ tokenType: 'dpop' });
});

it('keeps the sessions of a server that has a key and no secret', async () => {
  const errors: unknown[] = [];
  const server = createSessionServer({
    issuer: provider.issuer,
    clientId: clients.signing.clientId,
    clientAuth: privateKeyJwt({ issuer: provider.issuer, key: clientKey }),
    secrets: ['a secret of the tests, long enough'],
    scopes,
    onError: (error) => errors.push(error),
  });
  const user = startUserAgent();
  await user.signIn(server);
  const seen: (string | undefined)[] = [];
  const route = server.withSession((_, { accessToken }) => {
    seen.push(accessToken);
    return new Response();
  });
  await user.open((request) => route(request, {}), '/me');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3590_000 });
  await user.open((request) => route(request, {}), '/me');
  expect(new Set(seen).size).toBe(2);
  const own = { method: 'POST', headers: { origin: 'https://app.example' } };
  const left = await user.open(server.POST, '/auth/sign-out', own);
  expect([left.status, left.headers.get('location')]).toEqual([303, expect.stringContaining('/session/end')]);
  const answer = await introspectAsync(
    { clientId: clients.confidential.clientId, clientSecret: clients.confidential.clientSecret, token: seen[1] ?? '' },
    discovery,
  );
  expect([answer.active, errors]).toEqual([false, []]);
});

it('refuses an additional secret: a client authenticates in one way only (RFC 6749 section 2.3)', async () => {
  const clientAuth = privateKeyJwt({ issuer: provider.issuer, key: clientKey });
  const { clientId } = clients.signing;
  const twice = { clientId, clientSecret: 'a secret', refreshToken: 'any' };
  for (const call of [
    refreshAsync(twice, discovery, { clientAuth }),
    refreshAsync({ ...twice, clientAuthMethod: 'client_secret_post' }, discovery, { clientAuth }),
    // There is nobody to authenticate.
    revokeAsync({ token: 'any' }, discovery, { clientAuth }),
  ]) {
    expect(await failureOf(call, ['a secret', String(clientKey.d)])).toMatchObject({
      name: 'TypeError',
      code: 'ERR_AUTH_ARGUMENT',
      message: expect.stringContaining('takes the place of clientSecret, and needs a clientId'),
    });
  }
});

const form = { url: 'https://provider.example/token', body: { client_id: 'client' } };

it.each(['ES256', 'RS256', 'PS256', 'Ed25519', 'EdDSA'])('signs with a JWK of %s', async (alg) => {
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const clientAuth = privateKeyJwt({ issuer: provider.issuer, key: { ...(await exportJWK(privateKey)), alg } });
  const { client_assertion: signed = '' } = await clientAuth(form);
  const { protectedHeader } = await jwtVerify(signed, publicKey, { audience: provider.issuer });
  // RFC 9864 has given EdDSA with this curve a name of its own.
  expect(protectedHeader).toEqual({ alg: alg === 'EdDSA' ? 'Ed25519' : alg });
});

it('signs with a secret for the issuer by default, as with a key', async () => {
  for (const [audience, expected] of [
    [undefined, 'https://accounts.example'],
    ['issuer', 'https://accounts.example'],
    ['endpoint', form.url],
  ] as const) {
    const issuer = 'https://accounts.example';
    for (const clientAuth of [
      clientSecretJwt({ issuer, clientSecret: sharedSecret, audience }),
      privateKeyJwt({ issuer, key: clientKey, audience }),
    ]) {
      expect(decodeJwt((await clientAuth(form))['client_assertion'] ?? '').aud).toBe(expected);
    }
  }
});

it('keeps a JWK as a key that nobody can read again', async () => {
  const importKey = vi.spyOn(crypto.subtle, 'importKey');
  await privateKeyJwt({ issuer: provider.issuer, key: clientKey })(form);
  const keys = importKey.mock.settledResults.map(({ value }) => value as CryptoKey);
  importKey.mockRestore();
  expect(keys.map(({ extractable, type }) => [type, extractable])).toEqual([['private', false]]);
});

it('signs with a CryptoKey', async () => {
  const { privateKey, publicKey } = await generateKeyPair('ES256');
  const clientAuth = privateKeyJwt({ issuer: provider.issuer, key: privateKey });
  const { client_assertion: signed = '' } = await clientAuth(form);
  expect((await jwtVerify(signed, publicKey)).payload).toMatchObject({ sub: 'client' });
});

it('refuses a CryptoKey that is public', async () => {
  const { publicKey } = await generateKeyPair('ES256');
  const clientAuth = privateKeyJwt({ issuer: provider.issuer, key: publicKey });
  await expect(clientAuth(form)).rejects.toMatchObject({ code: 'ERR_AUTH_ARGUMENT' });
});

it.each([
  ['without alg', { ...clientKey, alg: undefined }],
  ['of another alg', { ...clientKey, alg: 'HS256' }],
  ['whose alg is a name that every object has', { ...clientKey, alg: 'constructor' }],
  ['that is public', { ...clientKey, d: undefined }],
])('refuses a key %s, with a message that does not show the key', async (_, key) => {
  const clientAuth = privateKeyJwt({ issuer: provider.issuer, key: key as JsonWebKey });
  const call = refreshAsync({ clientId: 'signing', refreshToken: 'any' }, discovery, { clientAuth });
  const error = await failureOf(call, [String(clientKey.d)]);
  expect(error).toMatchObject({ name: 'TypeError', code: 'ERR_AUTH_ARGUMENT' });
  expect(error.message).toMatch(/private key .* one of ES256, RS256, PS256, Ed25519, EdDSA\.$/);
});

it.each([
  ['a page', 'document', {}],
  ['a worker of a page', 'importScripts', () => {}],
  ['React Native', 'navigator', { product: 'ReactNative' }],
])('refuses to work in %s', (_, name, value) => {
  vi.stubGlobal(name, value);
  const calls = {
    'A private key': () => privateKeyJwt({ issuer: provider.issuer, key: clientKey }),
    'A client secret': () => clientSecretJwt({ issuer: provider.issuer, clientSecret: sharedSecret }),
  };
  for (const [what, call] of Object.entries(calls)) {
    expect(call).toThrow(expect.objectContaining({ name: 'TypeError', code: 'ERR_AUTH_PLATFORM' }));
    expect(call).toThrow(`${what} does not stay secret in a page or an app. Use it on a server`);
  }
});

it('works on a server without navigator, as Node 20', () => {
  vi.stubGlobal('navigator', undefined);
  expect(privateKeyJwt({ issuer: provider.issuer, key: clientKey })).toBeInstanceOf(Function);
});
