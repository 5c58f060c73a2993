import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import { expectNoSecrets, failureOf } from './fixtures/failure.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { visit } from './fixtures/visit.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

// Two providers where the app has the same client id and redirect URI, as an attacker who runs the other one would see to.
let providers: [honest: LocalProvider, other: LocalProvider];
let honest: DiscoveryDocument;
let other: DiscoveryDocument;

beforeAll(async () => {
  providers = await Promise.all([startProvider(), startProvider()]);
  [honest, other] = await Promise.all([
    fetchDiscoveryAsync(providers[0].issuer),
    fetchDiscoveryAsync(providers[1].issuer),
  ]);
});

afterAll(async () => {
  for (const provider of providers) await provider[Symbol.asyncDispose]();
});

const config = { ...clients.public, scopes: ['openid'] };

it('accepts the answer of the requested provider', async () => {
  const request = new AuthRequest(config);
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(honest)));
  expect(result).toMatchObject({ type: 'success', params: { iss: providers[0].issuer } });
  expect(await request.exchangeAsync(result, honest)).toMatchObject({ tokenType: 'bearer' });
});

it('refuses the answer of another provider (RFC 9207 section 2.4)', async () => {
  const request = new AuthRequest(config);
  // The other provider has sent the user on to the honest one.
  const url = new URL(await request.makeAuthUrlAsync(other));
  const returned = await visit(`${honest.authorizationEndpoint}${url.search}`);
  expect(new URL(returned).searchParams.get('state')).toBe(request.state);
  const result = await request.parseReturnUrlAsync(returned);
  expect(result).toMatchObject({ type: 'error', errorCode: 'issuer_mismatch', authentication: null });
  expectNoSecrets(result.error as Error, [result.params['code'] as string, request.codeVerifier as string]);
});

it('refuses an answer without iss from a provider that promises one (RFC 9207 section 2.4)', async () => {
  const request = new AuthRequest(config);
  const returned = new URL(await visit(await request.makeAuthUrlAsync(honest)));
  returned.searchParams.delete('iss');
  expect(await request.parseReturnUrlAsync(returned.href)).toMatchObject({ errorCode: 'issuer_mismatch' });
});

it("does not send one provider's code to another", async () => {
  await using server = await startAnsweringServer();
  let requests = 0;
  server.answer = (request, response) => {
    requests += 1;
    json(400, { error: 'invalid_grant' })(request, response);
  };
  const request = new AuthRequest(config);
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(honest)));
  const evil = { ...other, tokenEndpoint: `${server.origin}/token` };
  const secrets = [result.params['code'] as string, request.codeVerifier as string];
  expect(await failureOf(request.exchangeAsync(result, evil), secrets)).toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ARGUMENT',
    message: expect.stringContaining(providers[1].issuer),
  });
  expect(requests).toBe(0);
});
