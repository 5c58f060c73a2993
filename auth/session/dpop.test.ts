import { EmbeddedJWK, jwtVerify } from 'jose';
import type { JWTPayload } from 'jose';
import { createHash } from 'node:crypto';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { createDPoPAsync } from './dpop.ts';
import type { DPoP } from './dpop.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { failureOf } from './fixtures/failure.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { visit } from './fixtures/visit.ts';
import { exchangeCodeAsync } from './operations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import type { TokenResponse } from './token-response.ts';
import { fetchUserInfoAsync } from './user-info.ts';

let provider: LocalProvider;
let server: AnsweringServer;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  // It wants its nonce in each proof.
  const dPoP = { enabled: true, nonceSecret: Buffer.alloc(32, 7), requireNonce: () => true };
  [provider, server] = await Promise.all([startProvider({ dPoP }), startAnsweringServer()]);
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

async function signIn(dpop: DPoP): Promise<TokenResponse> {
  const request = new AuthRequest({
    ...clients.public,
    scopes: ['openid', 'offline_access'],
    prompt: 'consent',
    extraParams: { dpop_jkt: dpop.thumbprint },
  });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  expect(result).toMatchObject({ type: 'success' });
  return request.exchangeAsync(result, discovery, { dpop });
}

it('binds the tokens to the key: they can only be used and refreshed with it', async () => {
  const dpop = await createDPoPAsync();
  const tokens = await signIn(dpop);
  expect(tokens.tokenType).toBe('dpop');
  expect(await fetchUserInfoAsync(tokens, discovery, { dpop })).toEqual({ sub: 'ada' });
  for (const options of [{}, { dpop: await createDPoPAsync() }]) {
    await expect(fetchUserInfoAsync(tokens, discovery, options)).rejects.toMatchObject({ name: 'ResponseError' });
  }
  const { accessToken } = tokens;
  const config = { clientId: clients.public.clientId };
  await expect(tokens.refreshAsync(config, discovery, { dpop: await createDPoPAsync() })).rejects.toMatchObject({
    code: 'invalid_grant',
  });
  await tokens.refreshAsync(config, discovery, { dpop });
  expect(tokens.accessToken).not.toBe(accessToken);
  expect(await fetchUserInfoAsync(tokens, discovery, { dpop })).toEqual({ sub: 'ada' });
});

it('accepts a stored key', async () => {
  const { keyPair, thumbprint } = await createDPoPAsync();
  expect(keyPair.privateKey.extractable).toBe(false);
  const tokens = await signIn({ ...(await createDPoPAsync(keyPair)), thumbprint });
  const again = await createDPoPAsync(structuredClone(keyPair));
  expect(again.thumbprint).toBe(thumbprint);
  expect(await fetchUserInfoAsync(tokens, discovery, { dpop: again })).toEqual({ sub: 'ada' });
});

/** Answers with these, one after the other, and gives the proofs that came. */
function answerWith(answers: { status: number; body: unknown; nonce?: string; challenge?: string }[]): string[] {
  const proofs: string[] = [];
  server.answer = (request, response) => {
    proofs.push(String(request.headers['dpop']));
    const { status, body, nonce, challenge } = answers[proofs.length - 1] ??
      answers.at(-1) ?? { status: 500, body: '' };
    if (nonce !== undefined) response.setHeader('dpop-nonce', nonce);
    if (challenge !== undefined) response.setHeader('www-authenticate', challenge);
    json(status, body)(request, response);
  };
  return proofs;
}

async function claimsOf(proof = ''): Promise<JWTPayload> {
  const { payload, protectedHeader } = await jwtVerify(proof, EmbeddedJWK, { typ: 'dpop+jwt', algorithms: ['ES256'] });
  expect(Object.keys(protectedHeader.jwk ?? {}).toSorted()).toEqual(['crv', 'kty', 'x', 'y']);
  return payload;
}

function exchange(dpop: DPoP): Promise<TokenResponse> {
  const config = { clientId: 'client', redirectUri: 'https://app.example/callback', code: 'the-code-of-the-answer' };
  return exchangeCodeAsync(config, { tokenEndpoint: `${server.origin}/token?tenant=7` }, { dpop });
}

const bound = { status: 200, body: { access_token: 'the-token-that-was-issued', token_type: 'DPoP' } };
const wanting = (nonce: string): { status: number; body: unknown; nonce: string } => ({
  status: 400,
  body: { error: 'use_dpop_nonce' },
  nonce,
});

it('creates proofs as the standard says, each with a unique id (RFC 9449 section 4.2)', async () => {
  const dpop = await createDPoPAsync();
  const before = Math.floor(Date.now() / 1000);
  const proofs = answerWith([bound, { status: 200, body: { sub: 'ada' } }]);
  const tokens = await exchange(dpop);
  await fetchUserInfoAsync(tokens, { userInfoEndpoint: `${server.origin}/me` }, { dpop });
  const [first, second] = [await claimsOf(proofs[0]), await claimsOf(proofs[1])];
  const after = Math.floor(Date.now() / 1000);
  expect(first).toEqual({ jti: first.jti, iat: expect.any(Number), htm: 'POST', htu: `${server.origin}/token` });
  expect(first.iat).toBeGreaterThanOrEqual(before);
  expect(first.iat).toBeLessThanOrEqual(after);
  const ath = createHash('sha256').update(tokens.accessToken).digest('base64url');
  expect(second).toMatchObject({ htm: 'GET', htu: `${server.origin}/me`, ath });
  expect(second.jti).not.toBe(first.jti);
});

it('sends the nonce that the server wants, and goes on sending it (RFC 9449 section 8)', async () => {
  const dpop = await createDPoPAsync();
  const proofs = answerWith([wanting('first'), { ...bound, nonce: 'second' }, bound]);
  await exchange(dpop);
  await exchange(dpop);
  const nonces = await Promise.all(proofs.map(async (proof) => (await claimsOf(proof))['nonce']));
  expect(nonces).toEqual([undefined, 'first', 'second']);
});

it('sends the nonce that a resource server wants (RFC 9449 section 9)', async () => {
  const challenge = 'DPoP error="use_dpop_nonce", error_description="nonce"';
  const proofs = answerWith([
    { status: 401, body: null, nonce: 'first', challenge },
    { status: 200, body: { sub: 'ada' } },
  ]);
  const call = fetchUserInfoAsync(
    { accessToken: 'token' },
    { userInfoEndpoint: `${server.origin}/me` },
    { dpop: await createDPoPAsync() },
  );
  expect(await call).toEqual({ sub: 'ada' });
  expect(await claimsOf(proofs[1])).toMatchObject({ nonce: 'first' });
});

it('sends each of several requests again that were sent before a nonce was known', async () => {
  const dpop = await createDPoPAsync();
  const bodies = Array.from({ length: 2 }, () => Promise.withResolvers<void>());
  let count = 0;
  server.answer = (request, response) => {
    const answer = bodies[count++];
    // Both wait for the other, so that neither proof can have the nonce.
    answer?.resolve();
    const all = Promise.all(bodies.map(({ promise }) => promise));
    void all.then(() => {
      const { status, body, nonce = '' } = answer ? wanting('first') : { ...bound, nonce: 'first' };
      response.setHeader('dpop-nonce', nonce);
      json(status, body)(request, response);
    });
  };
  const both = await Promise.all([exchange(dpop), exchange(dpop)]);
  expect(both.map(({ tokenType }) => tokenType)).toEqual(['dpop', 'dpop']);
  expect(count).toBe(4);
});

it('tries again once, whatever the server says', async () => {
  const proofs = answerWith([wanting('first'), wanting('second'), wanting('third')]);
  const failure = await failureOf(exchange(await createDPoPAsync()), ['the-code-of-the-answer']);
  expect(failure).toMatchObject({ name: 'TokenError', code: 'use_dpop_nonce' });
  expect(proofs).toHaveLength(2);
});

it.each([
  ['an error', { status: 400, body: { error: 'invalid_grant' }, nonce: 'first' }],
  ['a demand with the status 500', { status: 500, body: { error: 'use_dpop_nonce' }, nonce: 'first' }],
  ['a demand without a nonce', { status: 400, body: { error: 'use_dpop_nonce' } }],
])('does not try again after %s', async (_, answer) => {
  const proofs = answerWith([answer]);
  await failureOf(exchange(await createDPoPAsync()), ['the-code-of-the-answer']);
  expect(proofs).toHaveLength(1);
});

it('refuses a token that is not bound to the key (RFC 9449 section 5)', async () => {
  answerWith([{ status: 200, body: { access_token: 'the-token-that-was-issued', token_type: 'Bearer' } }]);
  const failure = await failureOf(exchange(await createDPoPAsync()), ['the-token-that-was-issued']);
  expect(failure).toMatchObject({ code: 'invalid_response', message: expect.stringContaining('DPoP') });
});

it('says so without cryptography', async () => {
  onTestFinished(() => void vi.unstubAllGlobals());
  vi.stubGlobal('crypto', {});
  await expect(createDPoPAsync()).rejects.toMatchObject({
    code: 'ERR_AUTH_PLATFORM',
    message: expect.stringContaining('serve the page over https or from localhost'),
  });
});
