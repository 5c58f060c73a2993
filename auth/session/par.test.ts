import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { getLoopbackRedirectUrl } from 'appkit-web-browser';
import { AuthRequest } from './auth-request.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { failureOf } from './fixtures/failure.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { startUserAgent } from './fixtures/user-agent.ts';
import { waitForLoopback } from './fixtures/loopback-page.ts';
import { visit } from './fixtures/visit.ts';
import { PushedAuthRequest, pushAuthRequestAsync } from './par.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { createSessionServer } from './server.ts';

let provider: LocalProvider;
let server: AnsweringServer;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  const features = { pushedAuthorizationRequests: { enabled: true, requirePushedAuthorizationRequests: true } };
  [provider, server] = await Promise.all([startProvider(features), startAnsweringServer()]);
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

const scopes = ['openid', 'email'];

it.each([
  ['without a secret', clients.public, {}],
  ['with a secret in the header', clients.confidential, {}],
  ['with a secret in the body', clients.post, { clientAuthMethod: 'client_secret_post' as const }],
])('pushes the request of a client %s, and signs in', async (_, client, options) => {
  const request = new AuthRequest({ ...client, scopes });
  const { url, expiresIn } = await pushAuthRequestAsync(request, discovery, options);
  expect(expiresIn).toBeGreaterThan(0);
  expect(request.url).toBe(url);
  const { searchParams } = new URL(url);
  expect([...searchParams.keys()]).toEqual(['client_id', 'request_uri']);
  const result = await request.parseReturnUrlAsync(await visit(url));
  expect(result).toMatchObject({ type: 'success', params: { state: request.state } });
  if (!('clientAuthMethod' in options)) {
    expect(await request.exchangeAsync(result, discovery)).toMatchObject({ scope: 'openid email' });
  }
});

it('is prompted with, and the state is compared though the URL does not show it', async () => {
  const browserCommand = [process.execPath, '-e', ''];
  const redirectUri = await getLoopbackRedirectUrl();
  const request = new AuthRequest({ clientId: clients.public.clientId, redirectUri, scopes });
  const forge = (): Promise<number> => fetch(`${redirectUri}?code=forged&state=guessed`).then(({ status }) => status);
  const states = new Set<string>();
  for (const _ of ['first', 'second']) {
    const { url } = await pushAuthRequestAsync(request, discovery);
    const result = request.promptAsync(discovery, { browserCommand });
    await expect.poll(() => forge().catch(() => 0), { interval: 10 }).toBe(404);
    await fetch(await visit(url));
    expect(await result).toMatchObject({ type: 'success', params: { state: request.state } });
    states.add(request.state);
  }
  expect(states.size).toBe(2);
});

it('is a request for hooks, which is pushed again when its URL has expired', async () => {
  const browserCommand = [process.execPath, '-e', ''];
  const redirectUri = await getLoopbackRedirectUrl();
  const request = new PushedAuthRequest({ clientId: clients.public.clientId, redirectUri, scopes });
  const first = await request.makeAuthUrlAsync(discovery);
  expect([...new URL(first).searchParams.keys()]).toEqual(['client_id', 'request_uri']);
  for (const isExpired of [false, true]) {
    const before = isExpired ? await request.makeAuthUrlAsync(discovery) : first;
    if (isExpired) vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 3600_000 });
    const result = request.promptAsync(discovery, { browserCommand });
    await waitForLoopback(redirectUri);
    expect(request.url === before).toBe(!isExpired);
    await fetch(await visit(request.url ?? ''));
    expect(await result).toMatchObject({ type: 'success', params: { state: request.state } });
  }
  vi.useRealTimers();
});

it('is what a session server does where the provider requires it', async () => {
  const { clientId, clientSecret } = clients.server;
  const secrets = ['a secret of the tests, long enough'];
  const server = createSessionServer({ issuer: provider.issuer, clientId, clientSecret, secrets });
  const user = startUserAgent();
  const begun = await user.open(server.GET, '/auth/sign-in');
  const url = begun.headers.get('location') ?? '';
  expect([...new URL(url).searchParams.keys()]).toEqual(['client_id', 'request_uri']);
  const back = await user.open(server.GET, await visit(url));
  expect([back.status, await server.read(user.request('/'))]).toMatchObject([303, { subject: 'ada' }]);
});

it('says what the server does not like', async () => {
  const request = new AuthRequest({ ...clients.confidential, clientSecret: 'another' });
  expect(await failureOf(pushAuthRequestAsync(request, discovery), ['another'])).toMatchObject({
    name: 'TokenError',
    code: 'invalid_client',
  });
  expect(request.url).not.toContain('request_uri=');
});

it('says that the provider has no such endpoint', async () => {
  const request = new AuthRequest(clients.public);
  const call = pushAuthRequestAsync(request, { ...discovery, discoveryDocument: {} });
  await expect(call).rejects.toMatchObject({ name: 'TypeError', message: expect.stringContaining('pushed_auth') });
  // A prompt would open it.
  expect(request.url).toBe(null);
});

const uri = 'urn:a-request-uri-that-was-issued';

it.each([
  ['no request_uri', json(201, { expires_in: 60 })],
  ['a request_uri that is a number', json(201, { request_uri: 1, expires_in: 60 })],
  ['no expires_in', json(201, { request_uri: uri })],
  ['a negative expires_in', json(201, { request_uri: uri, expires_in: -1 })],
  ['a page of HTML', text(201, 'text/html', `<p>the-secret-of-the-client ${uri}`)],
  ['the status 500', json(500, { request_uri: uri, expires_in: 60 })],
  ['a redirect', ((_, response) => void response.writeHead(302, { location: '/' }).end()) as typeof server.answer],
])('refuses an answer with %s (RFC 9126 section 2.2)', async (_, answer) => {
  server.answer = answer;
  const request = new AuthRequest({ ...clients.confidential, clientSecret: 'the-secret-of-the-client' });
  const metadata = { pushed_authorization_request_endpoint: `${server.origin}/par` };
  const call = pushAuthRequestAsync(request, { ...discovery, discoveryDocument: metadata });
  const secrets = ['the-secret-of-the-client', request.state, uri];
  expect(await failureOf(call, secrets)).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
});
