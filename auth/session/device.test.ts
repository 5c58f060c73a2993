import { getEventListeners } from 'node:events';
import { afterAll, afterEach, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { exchangeDeviceCodeAsync, requestDeviceCodeAsync } from './device.ts';
import type { DeviceAuthorization } from './device.ts';
import { fetchDiscoveryAsync } from './discovery.ts';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { failureOf } from './fixtures/failure.ts';
import { clients, startProvider } from './fixtures/provider.ts';
import type { LocalProvider } from './fixtures/provider.ts';
import { visit } from './fixtures/visit.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import type { SendOptions } from './send.ts';
import type { TokenResponse } from './token-response.ts';
import { fetchUserInfoAsync } from './user-info.ts';

let provider: LocalProvider;
let server: AnsweringServer;
let discovery: DiscoveryDocument;

beforeAll(async () => {
  [provider, server] = await Promise.all([startProvider({ deviceFlow: { enabled: true } }), startAnsweringServer()]);
  discovery = await fetchDiscoveryAsync(provider.issuer);
});

afterAll(async () => {
  await provider[Symbol.asyncDispose]();
  await server[Symbol.asyncDispose]();
});

afterEach(() => void vi.useRealTimers());

const client = { clientId: clients.device.clientId, scopes: ['openid', 'email'] };

it('signs the user of another device in', async () => {
  const device = await requestDeviceCodeAsync(client, discovery);
  expect(device).toMatchObject({
    userCode: expect.stringMatching(/^[\w-]+$/),
    verificationUri: `${provider.issuer}/device`,
    verificationUriComplete: expect.stringContaining(device.userCode),
    interval: 5,
  });
  const soon = { ...device, interval: 0.05 };
  const waiting = exchangeDeviceCodeAsync({ ...client, device: soon }, discovery);
  await visit(device.verificationUriComplete ?? '');
  const tokens = await waiting;
  expect(await fetchUserInfoAsync(tokens, discovery)).toEqual({ sub: 'ada', email: 'ada@example.test' });
});

it('says that the user has refused', async () => {
  const device = { ...(await requestDeviceCodeAsync(client, discovery)), interval: 0.05 };
  await visit(device.verificationUriComplete ?? '', 'cancel');
  const call = exchangeDeviceCodeAsync({ ...client, device }, discovery);
  expect(await failureOf(call, [device.deviceCode])).toMatchObject({ name: 'TokenError', code: 'access_denied' });
});

it('says that the client may not ask', async () => {
  const call = requestDeviceCodeAsync({ clientId: 'public' }, discovery);
  await expect(call).rejects.toMatchObject({ name: 'TokenError' });
});

const deviceCode = 'a-device-code-that-was-issued';

function authorization(more: Partial<DeviceAuthorization> = {}): DeviceAuthorization {
  const issuedAt = Math.floor(Date.now() / 1000);
  const shown = { userCode: 'ABCD', verificationUri: 'https://provider.example/device' };
  return { deviceCode, ...shown, expiresIn: 60, interval: 5, issuedAt, ...more };
}

function exchange(device: DeviceAuthorization, options: SendOptions = {}): Promise<TokenResponse> {
  return exchangeDeviceCodeAsync({ clientId: 'tv', device }, { tokenEndpoint: `${server.origin}/token` }, options);
}

let started = 0;

/** Answers with these errors, then with tokens, and returns the seconds after which the requests arrived. */
function answerWith(...errors: string[]): number[] {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'Date'] });
  const start = Date.now();
  started = start;
  const asked: number[] = [];
  server.answer = (request, response) => {
    const error = errors[asked.push((Date.now() - start) / 1000) - 1];
    if (error === undefined) json(200, { access_token: 'token', token_type: 'bearer' })(request, response);
    else json(400, { error })(request, response);
  };
  return asked;
}

/** Lets the time pass from one poll to the next until a call has settled. */
async function pass<T>(call: Promise<T>): Promise<T> {
  const over = new AbortController();
  call.then(
    () => over.abort(),
    () => over.abort(),
  );
  while (!over.signal.aborted) {
    // While a request is in progress, no timer is set, and the network takes real time.
    if (vi.getTimerCount() > 0) await vi.advanceTimersToNextTimerAsync();
    await new Promise((resolve) => setImmediate(resolve));
  }
  return call;
}

it('polls as often as allowed, and less often when told to (RFC 8628 section 3.5)', async () => {
  const asked = answerWith('authorization_pending', 'slow_down', 'authorization_pending');
  expect(await pass(exchange(authorization({ expiresIn: 600 })))).toMatchObject({ accessToken: 'token' });
  expect(asked).toEqual([5, 10, 20, 30]);
});

it.each([
  ['longer than a timer can wait', 1e12],
  ['longer than the code can be used', 3600],
])('does not poll before the code expires when the interval is %s', async (_, interval) => {
  const asked = answerWith();
  const failure = await failureOf(pass(exchange(authorization({ interval, expiresIn: 600 }))), [deviceCode]);
  expect(failure).toMatchObject({ name: 'TokenError', code: 'expired_token' });
  expect(asked).toEqual([]);
  expect(Math.floor((Date.now() - started) / 1000)).toBe(600);
});

it('polls after 24 days, the longest time of a timer, when the interval is a month', async () => {
  const asked = answerWith();
  const month = 30 * 24 * 3600;
  const device = authorization({ interval: month, expiresIn: 2 * month });
  expect(await pass(exchange(device))).toMatchObject({ accessToken: 'token' });
  // That is what a timer can wait for.
  expect(asked.map(Math.floor)).toEqual([2_147_483]);
});

it('stops when the code has expired', async () => {
  const asked = answerWith(...Array.from({ length: 99 }, () => 'authorization_pending'));
  const failure = await failureOf(pass(exchange(authorization({ expiresIn: 18 }))), [deviceCode]);
  expect(failure).toMatchObject({ name: 'TokenError', code: 'expired_token' });
  expect(asked).toEqual([5, 10, 15]);
});

it('stops at an error of the server', async () => {
  const asked = answerWith('invalid_grant');
  expect(await failureOf(pass(exchange(authorization())), [deviceCode])).toMatchObject({ code: 'invalid_grant' });
  expect(asked).toEqual([5]);
});

it('stops at an error that the server calls invalid_response', async () => {
  const asked = answerWith('invalid_response');
  const failure = await failureOf(pass(exchange(authorization())), [deviceCode]);
  expect(failure).toMatchObject({ name: 'TokenError', code: 'invalid_response' });
  expect(asked).toEqual([5]);
});

it('no longer listens to its signal once it has the tokens: a signal may live as long as the app', async () => {
  answerWith('authorization_pending');
  const { signal } = new AbortController();
  expect(await pass(exchange(authorization(), { signal }))).toMatchObject({ accessToken: 'token' });
  expect(getEventListeners(signal, 'abort')).toEqual([]);
});

it('stops when its signal is aborted, while it waits and before', async () => {
  const asked = answerWith();
  const controller = new AbortController();
  const call = exchange(authorization(), { signal: controller.signal });
  controller.abort();
  expect(await failureOf(call, [deviceCode])).toMatchObject({ name: 'AbortError' });
  const late = exchange(authorization(), { signal: AbortSignal.abort() });
  expect(await failureOf(late, [deviceCode])).toMatchObject({ name: 'AbortError' });
  expect(vi.getTimerCount()).toBe(0);
  expect(asked).toEqual([]);
});

it('polls less often when the server does not answer in time (RFC 8628 section 3.5)', async () => {
  const asked = answerWith();
  const { answer } = server;
  const limit = new AbortController();
  onTestFinished(() => void vi.restoreAllMocks());
  vi.spyOn(AbortSignal, 'timeout').mockReturnValueOnce(limit.signal);
  server.answer = () => {
    server.answer = answer;
    // The time is over once the server has the first question.
    limit.abort(new DOMException('The time is over.', 'TimeoutError'));
  };
  expect(await pass(exchange(authorization()))).toMatchObject({ accessToken: 'token' });
  // The first question was after 5 seconds, the next after twice as many. A timer of the network may have run in between.
  expect(asked.map(Math.floor)).toEqual([15]);
});

it.each([
  ['no device_code', { device_code: undefined }],
  ['no user_code', { user_code: undefined }],
  ['no verification_uri', { verification_uri: undefined }],
  ['no expires_in', { expires_in: undefined }],
  ['an interval that is negative', { interval: -1 }],
])('refuses an answer with %s (RFC 8628 section 3.2)', async (_, change) => {
  const honest = { device_code: deviceCode, user_code: 'ABCD', verification_uri: 'https://p.example', expires_in: 60 };
  server.answer = json(200, { ...honest, ...change });
  const metadata = { device_authorization_endpoint: `${server.origin}/device` };
  const call = requestDeviceCodeAsync({ clientId: 'tv' }, { discoveryDocument: metadata });
  expect(await failureOf(call, [deviceCode])).toMatchObject({ name: 'ResponseError', code: 'invalid_response' });
});

it.each([
  [{}, {}],
  [{ scopes: [] }, {}],
  [{ scopes: ['openid', 'email'] }, { scope: 'openid email' }],
  [{ extraParams: { client_id: 'x', client_secret: 'x', scope: 'x', audience: 'api' } }, { audience: 'api' }],
])('requests a code with %j, and nothing that replaces its own parameters', async (config, expected) => {
  let body = '';
  server.answer = async (request, response) => {
    body = await new Response(request as unknown as ReadableStream).text();
    json(400, { error: 'invalid_client' })(request, response);
  };
  const metadata = { device_authorization_endpoint: `${server.origin}/device` };
  const call = requestDeviceCodeAsync({ clientId: 'tv', ...config }, { discoveryDocument: metadata });
  await expect(call).rejects.toMatchObject({ code: 'invalid_client' });
  expect(Object.fromEntries(new URLSearchParams(body))).toEqual({ client_id: 'tv', ...expected });
});

it.each(['verification_uri', 'verification_uri_complete'])('refuses a script as %s', async (name) => {
  const honest = { device_code: deviceCode, user_code: 'ABCD', verification_uri: 'https://p.example', expires_in: 60 };
  server.answer = json(200, { ...honest, [name]: 'javascript:alert(1)' });
  const metadata = { device_authorization_endpoint: `${server.origin}/device` };
  const call = requestDeviceCodeAsync({ clientId: 'tv' }, { discoveryDocument: metadata });
  await expect(call).rejects.toThrow(`${name} must be an absolute https URL`);
});

it.each([
  ['a page of HTML with the status 400', text(400, 'text/html', '<p>Bad request')],
  ['an answer without a token', json(200, {})],
])('stops at %s, which says that no later request can succeed', async (_, answer) => {
  const asked = answerWith();
  const { answer: counting } = server;
  server.answer = (request, response) => {
    server.answer = counting;
    answer(request, response);
  };
  expect(await failureOf(pass(exchange(authorization())), [deviceCode])).toMatchObject({ code: 'invalid_response' });
  expect(asked).toEqual([]);
});

it('reads the address of the page by the name that Google gives it', async () => {
  const codes = { device_code: deviceCode, user_code: 'ABCD', expires_in: 1800, interval: 5 };
  server.answer = json(200, { ...codes, verification_url: 'https://www.google.com/device' });
  const metadata = { device_authorization_endpoint: `${server.origin}/device` };
  const call = requestDeviceCodeAsync({ clientId: 'tv' }, { discoveryDocument: metadata });
  expect(await call).toMatchObject({ userCode: 'ABCD', verificationUri: 'https://www.google.com/device' });
  const both = { verification_uri: 'https://provider.example/device', verification_url: 'https://other.example/' };
  server.answer = json(200, { ...codes, ...both });
  const standard = requestDeviceCodeAsync({ clientId: 'tv' }, { discoveryDocument: metadata });
  expect(await standard).toMatchObject({ verificationUri: 'https://provider.example/device' });
  server.answer = json(200, { ...codes, verification_url: 'javascript:alert(1)' });
  const refused = requestDeviceCodeAsync({ clientId: 'tv' }, { discoveryDocument: metadata });
  await expect(refused).rejects.toMatchObject({ code: 'ERR_AUTH_ENDPOINT' });
});

it('refuses a page of HTML', async () => {
  server.answer = text(200, 'text/html', '<p>the-secret');
  const metadata = { device_authorization_endpoint: `${server.origin}/device` };
  const config = { clientId: 'tv', clientSecret: 'the-secret' };
  const call = requestDeviceCodeAsync(config, { discoveryDocument: metadata });
  expect(await failureOf(call, ['the-secret'])).toMatchObject({
    code: 'invalid_response',
    message: 'The answer is neither JSON nor a form (HTTP status 200, text/html).',
  });
});
