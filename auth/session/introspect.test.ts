import { afterAll, beforeAll, expect, it } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { failureOf } from './fixtures/failure.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { visit } from './fixtures/visit.ts';
import { introspectAsync } from './introspect.ts';
import { revokeAsync } from './operations.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';

let provider: LocalProvider;
let server: AnsweringServer;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  [provider, server] = await Promise.all([startProvider({ introspection: { enabled: true } }), startAnsweringServer()]);
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

it('reports whether a token is valid, until it is revoked', async () => {
  const client = clients.confidential;
  const request = new AuthRequest({ ...client, scopes: ['openid', 'email'] });
  const result = await request.parseReturnUrlAsync(await visit(await request.makeAuthUrlAsync(discovery)));
  const { accessToken: token } = await request.exchangeAsync(result, discovery);
  expect(await introspectAsync({ ...client, token, tokenTypeHint: 'access_token' }, discovery)).toMatchObject({
    active: true,
    sub: 'ada',
    client_id: client.clientId,
    scope: 'openid email',
  });
  await revokeAsync({ ...client, token }, discovery);
  expect(await introspectAsync({ ...client, token }, discovery)).toEqual({ active: false });
});

it('says that the client may not introspect', async () => {
  const call = introspectAsync({ ...clients.confidential, clientSecret: 'another', token: 'the token' }, discovery);
  const failure = await failureOf(call, ['another', 'the token']);
  expect(failure).toMatchObject({ name: 'TokenError', code: 'invalid_client' });
});

it('says that there is no token to check', async () => {
  const document = { discoveryDocument: { introspection_endpoint: `${server.origin}/introspect` } };
  await expect(introspectAsync({ clientId: 'api', token: '' }, document)).rejects.toMatchObject({
    name: 'TypeError',
    code: 'ERR_AUTH_ARGUMENT',
    message: 'An introspection has no token, which is required.',
  });
});

it('sends the secret as the metadata says of this endpoint (RFC 8414 section 2)', async () => {
  let body = '';
  server.answer = async (request, response) => {
    body = await new Response(request as unknown as ReadableStream).text();
    json(200, { active: false })(request, response);
  };
  const discoveryDocument = {
    introspection_endpoint: `${server.origin}/introspect`,
    introspection_endpoint_auth_methods_supported: ['client_secret_post'],
    token_endpoint_auth_methods_supported: ['client_secret_basic'],
  };
  await introspectAsync({ clientId: 'api', clientSecret: 'secret', token: 'any' }, { discoveryDocument });
  expect(body).toBe('token=any&client_id=api&client_secret=secret');
});

it('says that the provider has no such endpoint', async () => {
  for (const document of [{}, { discoveryDocument: {} }]) {
    await expect(introspectAsync({ clientId: 'api', token: 'any' }, document)).rejects.toMatchObject({
      code: 'ERR_AUTH_ARGUMENT',
      message: expect.stringContaining('has no introspection_endpoint'),
    });
  }
});

it.each([
  ['no active', json(200, { sub: 'ada' })],
  ['active as a text', json(200, { active: 'true', sub: 'ada' })],
  ['a list', json(200, [{ active: true }])],
  ['a page of HTML', text(200, 'text/html', '<p>the-token-asked-about')],
  ['the status 503', json(503, { active: true })],
  ['an empty 401', text(401, 'text/plain', '')],
])('does not accept a token because of an answer with %s (RFC 7662 section 2.2)', async (_, answer) => {
  server.answer = answer;
  const metadata = { introspection_endpoint: `${server.origin}/introspect` };
  const config = { clientId: 'api', clientSecret: 'the-secret-of-the-api', token: 'the-token-asked-about' };
  const call = introspectAsync(config, { discoveryDocument: metadata });
  const failure = await failureOf(call, [config.clientSecret, config.token]);
  expect(failure).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
});

it.each([
  ['no active', json(200, { sub: 'ada' }), 'body "active" property'],
  ['JSON as a form', text(200, 'application/x-www-form-urlencoded', 'active=true'), 'content-type'],
])('says of an answer with %s how it violates the standard', async (_, answer, reason) => {
  server.answer = answer;
  const metadata = { introspection_endpoint: `${server.origin}/introspect` };
  const call = introspectAsync({ clientId: 'api', token: 'any' }, { discoveryDocument: metadata });
  const { message } = await failureOf(call, []);
  expect(message).toMatch(/^The answer does not follow the standard: .* \(HTTP status 200, /);
  expect(message).toContain(reason);
});
