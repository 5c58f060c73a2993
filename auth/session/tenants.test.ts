import { generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { visit } from './fixtures/visit.ts';
import { isOfIssuer } from './issuer.ts';
import { exchangeCodeAsync } from './operations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { fetchUserInfoAsync } from './user-info.ts';

// A provider for each tenant, and the document of all of them, which names none.
let tenant: LocalProvider;
let everybody: AnsweringServer;
let template: string;

beforeAll(async () => {
  [tenant, everybody] = await Promise.all([startProvider({}, undefined, '/7/v2.0'), startAnsweringServer()]);
  template = tenant.issuer.replace('/7/', '/{tenantid}/');
  const { discoveryDocument } = await fetchDiscoveryAsync(tenant.issuer);
  everybody.answer = json(200, { ...discoveryDocument, issuer: template });
});

afterAll(async () => {
  await tenant[Symbol.asyncDispose]();
  await everybody[Symbol.asyncDispose]();
});

async function discover(accepted = template): Promise<DiscoveryDocument> {
  return fetchDiscoveryAsync(`${everybody.origin}/organizations/v2.0`, { acceptIssuer: (given) => given === accepted });
}

it('signs a user of one tenant in by the document of all, to the end', async () => {
  const discovery = await discover();
  const request = new AuthRequest({
    ...clients.public,
    scopes: ['openid', 'email', 'offline_access'],
    prompt: 'consent',
  });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  expect(result).toMatchObject({ type: 'success', params: { iss: tenant.issuer } });
  const tokens = await request.exchangeAsync(result, discovery);
  await tokens.refreshAsync({ clientId: clients.public.clientId }, discovery);
  expect(await fetchUserInfoAsync(tokens, discovery)).toMatchObject({ sub: 'ada' });
});

it('takes the document of all only when the app expects it', async () => {
  await expect(discover(tenant.issuer)).rejects.toMatchObject({ code: 'issuer_mismatch' });
});

it('says of an id_token without an issuer what is missing (OpenID Connect Core section 2)', async () => {
  const { privateKey } = await generateKeyPair('RS256');
  const token = new SignJWT({ aud: 'client', sub: 'ada', iat: 1, exp: 4_000_000_000 });
  const id_token = await token.setProtectedHeader({ alg: 'RS256' }).sign(privateKey);
  await using server = await startAnsweringServer();
  server.answer = json(200, { access_token: 'a', token_type: 'bearer', id_token });
  const config = { clientId: 'client', code: 'c', redirectUri: 'https://app.example/callback' };
  const discovery = { tokenEndpoint: server.origin, discoveryDocument: { issuer: template } };
  await expect(exchangeCodeAsync(config, discovery)).rejects.toThrow('"iss"');
});

const issuer = 'https://login.example/{tenantid}/v2.0';

it.each<[iss: string, of: string, is: boolean, tid?: unknown]>([
  ['https://login.example/7/v2.0', issuer, true],
  ['https://login.example/7/v2.0', issuer, true, '7'],
  ['https://login.example/9188040d-6c67-4c5b-b112-36a304b66dad/v2.0', issuer, true],
  ['https://login.example/7/v2.0', issuer, false, '8'],
  ['https://login.example/7/v2.0', issuer, false, 7],
  ['https://login.example/7/v1.0', issuer, false],
  ['https://login.example/7/v2.0/', issuer, false],
  ['https://login.example/7/8/v2.0', issuer, false],
  ['https://login.example/7?/v2.0', issuer, false],
  ['https://login.example//v2.0', issuer, false],
  ['https://login.example/v2.0', issuer, false],
  ['https://login.example/{tenantid}/v2.0', issuer, false],
  ['https://evil.example/7/v2.0', issuer, false],
  ['https://login.example', 'https://login.example', true, '7'],
  ['https://login.example/', 'https://login.example', false],
])('says of %s that it is one of %s: %s', (iss, of, is, tid) => {
  expect(isOfIssuer(iss, of, tid)).toBe(is);
});
