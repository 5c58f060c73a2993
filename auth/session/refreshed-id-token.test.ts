import { createHash } from 'node:crypto';
import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { refreshAsync } from './operations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { TokenResponse } from './token-response.ts';

let server: AnsweringServer;
let sign: (claims: Record<string, unknown>) => Promise<string>;
let discovery: DiscoveryDocument;
let first: string;

beforeAll(async () => {
  server = await startAnsweringServer();
  const { privateKey } = await generateKeyPair('RS256');
  sign = async (claims) => {
    const now = Math.floor(Date.now() / 1000);
    const honest = { iss: server.origin, aud: 'client', sub: 'ada', iat: now, exp: now + 60, ...claims };
    const payload = Object.fromEntries(Object.entries(honest).filter(([, value]) => value !== undefined));
    return new SignJWT(payload).setProtectedHeader({ alg: 'RS256', kid: 'key' }).sign(privateKey);
  };
  discovery = { tokenEndpoint: `${server.origin}/token`, discoveryDocument: { issuer: server.origin } };
  first = await sign({ nonce: 'of the sign-in' });
});

afterAll(() => server[Symbol.asyncDispose]());

/** Refreshes tokens whose id_token was the first one, and is answered with another. */
async function refresh(idToken: string, document = discovery): Promise<TokenResponse> {
  server.answer = json(200, { access_token: 'next', token_type: 'bearer', refresh_token: 'second', id_token: idToken });
  const tokens = new TokenResponse({ accessToken: 'last', refreshToken: 'first', idToken: first });
  try {
    return await tokens.refreshAsync({ clientId: 'client' }, document);
  } catch (error) {
    // A refused answer changes nothing.
    expect(tokens).toMatchObject({ accessToken: 'last', refreshToken: 'first', idToken: first });
    throw error;
  }
}

it.each([
  ['without a nonce', {}],
  ['with the nonce of the sign-in', { nonce: 'of the sign-in' }],
  ['with the audience as a list', { aud: ['client'] }],
  ['with further claims', { auth_time: 1, name: 'Ada' }],
])('accepts an id_token of the same user %s', async (_, claims) => {
  const next = await sign(claims);
  expect(await refresh(next)).toMatchObject({ accessToken: 'next', idToken: next });
});

const others: [string, Record<string, unknown>][] = [
  ['sub', { sub: 'eve' }],
  ['sub', { sub: 'Ada' }],
  ['iss', { iss: 'https://evil.example' }],
  ['aud', { aud: 'another client' }],
  ['azp', { azp: 'client' }],
  ['nonce', { nonce: 'another' }],
];

it.each(others)('refuses one with another %s (OpenID Connect Core section 12.2): %j', async (_, claims) => {
  await expect(refresh(await sign(claims))).rejects.toMatchObject({ name: 'ResponseError', code: 'invalid_id_token' });
});

it.each(others)('refuses one with another %s where the issuer is not known: %j', async (name, claims) => {
  const call = refresh(await sign(claims), { tokenEndpoint: `${server.origin}/token` });
  await expect(call).rejects.toMatchObject({ code: 'invalid_id_token', message: expect.stringContaining(name) });
});

it.each([
  ['expired', { exp: 1 }],
  ['of several audiences without an authorized party', { aud: ['client', 'other'] }],
])('refuses one that is %s', async (_, claims) => {
  await expect(refresh(await sign(claims))).rejects.toMatchObject({ code: 'invalid_id_token' });
});

it.each(['a.b.c', 'not a token', `a.${btoa('null')}.c`, 'a.b c.d'])('refuses %j', async (idToken) => {
  for (const document of [discovery, { tokenEndpoint: `${server.origin}/token` }]) {
    await expect(refresh(idToken, document)).rejects.toMatchObject({ code: 'invalid_id_token' });
  }
});

const NO_HASH = 'no hash belongs to its algorithm';

it.each([
  ['RS256', 'sha256', undefined],
  ['ES384', 'sha384', undefined],
  ['PS512', 'sha512', undefined],
  ['EdDSA', 'sha512', undefined],
  ['Ed25519', 'sha512', undefined],
  ['PS512', 'sha256', 'its at_hash is not that of the access token'],
  ['ES256K', 'sha256', NO_HASH],
  ['Ed25519ph', 'sha512', NO_HASH],
  ['XEdDSA', 'sha512', NO_HASH],
])('compares the at_hash of an id_token of %s with %s (section 3.1.3.6)', async (alg, hash, reason) => {
  const digest = createHash(hash).update('next').digest();
  const [, claims] = (await sign({ at_hash: digest.subarray(0, digest.length / 2).toString('base64url') })).split('.');
  const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
  const call = refresh(`${header}.${claims}.AAAA`, { tokenEndpoint: `${server.origin}/token` });
  if (reason === undefined) expect(await call).toMatchObject({ accessToken: 'next' });
  else await expect(call).rejects.toThrow(reason);
});

it('names all claims in which one differs', async () => {
  const next = await sign({ sub: 'eve', nonce: 'another' });
  await expect(refresh(next)).rejects.toThrow('it differs from the one of the sign-in in sub, nonce.');
});

it('names the audience if one of its values is missing', async () => {
  const idToken = await sign({ aud: ['client', 'api'], azp: 'client' });
  const next = await sign({ aud: 'client', azp: 'client' });
  server.answer = json(200, { access_token: 'next', token_type: 'bearer', id_token: next });
  const call = refreshAsync({ clientId: 'client', refreshToken: 'first', idToken }, discovery);
  await expect(call).rejects.toThrow('it differs from the one of the sign-in in aud.');
});

it('refuses one that is not signed where the issuer is not known', async () => {
  for (const alg of ['none', 'None', undefined]) {
    const [, claims] = (await sign({})).split('.');
    const header = Buffer.from(JSON.stringify({ alg })).toString('base64url');
    const call = refresh(`${header}.${claims}.`, { tokenEndpoint: `${server.origin}/token` });
    await expect(call).rejects.toMatchObject({
      code: 'invalid_id_token',
      message: expect.stringContaining('it has no algorithm by which it was signed'),
    });
  }
});

it('says that one is not a JSON Web Token', async () => {
  await expect(refresh('a.b.c')).rejects.toThrow('it is not a JSON Web Token.');
});

it('does the same in refreshAsync when it is given the id_token of the sign-in', async () => {
  const config = { clientId: 'client', refreshToken: 'first', idToken: first };
  server.answer = json(200, { access_token: 'next', token_type: 'bearer', id_token: await sign({ sub: 'eve' }) });
  await expect(refreshAsync(config, discovery)).rejects.toMatchObject({ code: 'invalid_id_token' });
  server.answer = json(200, { access_token: 'next', token_type: 'bearer', id_token: await sign({}) });
  expect(await refreshAsync(config, discovery)).toMatchObject({ accessToken: 'next' });
});

it('never puts a claim or a token into a message', async () => {
  const next = await sign({ sub: 'eve-of-elsewhere' });
  const error = (await refresh(next).catch((thrown: unknown) => thrown)) as Error;
  expect(error.message).toMatch(/sub/);
  expect(error.message).not.toMatch(/eve|ada/);
  expect(error.message).not.toContain(next.split('.')[1]);
});
