import type { IncomingMessage } from 'node:http';
import { afterAll, afterEach, beforeAll, expect, it, vi } from 'vitest';
import { AuthRequest } from './auth-request.ts';
import { json, startAnsweringServer, text } from './fixtures/answering-server.ts';
import type { AnsweringServer } from './fixtures/answering-server.ts';
import { requestAsync } from './request-async.ts';

let server: AnsweringServer;

beforeAll(async () => {
  server = await startAnsweringServer();
});

afterAll(() => server[Symbol.asyncDispose]());
afterEach(() => {
  vi.restoreAllMocks();
  vi.unstubAllGlobals();
});

/** What the server receives. */
function receive(): { method?: string | undefined; url?: string | undefined; body?: string; header?: unknown } {
  const received: ReturnType<typeof receive> = {};
  server.answer = async (request: IncomingMessage, response) => {
    const { headers, method, url } = request;
    const body = await new Response(request as unknown as ReadableStream).text();
    Object.assign(received, { method, url, body, header: headers['x-tenant'] });
    json(200, {})(request, response);
  };
  return received;
}

it.each([
  [undefined, 'GET', '/api?a=1&b=2+3', ''],
  ['DELETE', 'DELETE', '/api?a=1&b=2+3', ''],
  ['POST', 'POST', '/api?a=1', 'b=2+3'],
  ['post', 'POST', '/api?a=1', 'b=2+3'],
])('sends the parameters by the method %s as a form or in the query', async (method, sentMethod, url, body) => {
  const received = receive();
  await requestAsync(`${server.origin}/api?a=1`, { method, body: { b: '2 3' }, headers: { 'X-Tenant': '7' } });
  expect(received).toEqual({ method: sentMethod, url, body, header: '7' });
});

it.each([
  ['application/json', undefined, { a: 1 }],
  ['Application/JSON ; charset=utf-8', undefined, { a: 1 }],
  ['application/problem+json', undefined, { a: 1 }],
  ['text/plain', 'JSON', { a: 1 }],
  ['text/plain', undefined, '{"a":1}'],
  ['application/json-seq', undefined, '{"a":1}'],
  ['x-application/json', undefined, '{"a":1}'],
])('reads an answer of the type %s, with the dataType %s, as %j', async (type, dataType, expected) => {
  server.answer = text(200, type, '{"a":1}');
  expect(await requestAsync(server.origin, { dataType })).toEqual(expected);
});

it('reads JSON that is not an object, and an answer without a body', async () => {
  server.answer = json(200, [1]);
  expect(await requestAsync(server.origin, {})).toEqual([1]);
  server.answer = (_, response) => void response.writeHead(204).end();
  expect(await requestAsync(server.origin, {})).toBe('');
});

it.each([
  ['https://provider.example/a', '?'],
  ['https://provider.example/a?', ''],
  ['https://provider.example/a?b=1', '&'],
  ['https://provider.example/a?b=1&', ''],
])('adds the parameters of a request to %s', async (authorizationEndpoint, separator) => {
  const request = new AuthRequest({ clientId: 'client', redirectUri: 'https://app.example/' });
  const url = await request.makeAuthUrlAsync({ authorizationEndpoint: `${authorizationEndpoint}#top` });
  expect(url.startsWith(`${authorizationEndpoint}${separator}code_challenge=`)).toBe(true);
  expect(url.endsWith(`&state=${request.state}#top`)).toBe(true);
});

it('accepts an answer of one mebibyte and no longer one', async () => {
  const most = 'x'.repeat(1024 * 1024);
  server.answer = text(200, 'text/plain', most);
  expect(await requestAsync<string>(server.origin, {})).toHaveLength(most.length);
  server.answer = text(200, 'text/plain', `${most}x`);
  await expect(requestAsync(server.origin, {})).rejects.toMatchObject({
    code: 'invalid_response',
    info: { status: 200, contentType: 'text/plain', excerpt: '' },
  });
});

it('reads a character whose bytes arrive in two parts', async () => {
  const bytes = new TextEncoder().encode('ü');
  const body = new ReadableStream({
    start(controller) {
      for (const byte of bytes) controller.enqueue(Uint8Array.of(byte));
      controller.close();
    },
  });
  vi.stubGlobal('fetch', async () => new Response(body));
  expect(await requestAsync(server.origin, {})).toBe('ü');
});

it('shows the provider neither cookies nor the address of the page', async () => {
  const fetched = vi.fn<(request: Request) => Promise<Response>>(async () => new Response());
  vi.stubGlobal('fetch', fetched);
  await requestAsync(server.origin, {});
  expect(fetched.mock.calls[0]?.[0]).toMatchObject({
    credentials: 'omit',
    redirect: 'manual',
    referrerPolicy: 'no-referrer',
  });
});

it.each([
  ['on a server', {}, '.'],
  ['on a platform that does not say whether it is online', { navigator: undefined }, '.'],
  ['offline', { navigator: { onLine: false } }, ': this device is offline.'],
  [
    'in a page',
    { navigator: { onLine: true }, document: {}, origin: 'https://app.example' },
    ': it is down, or lacks CORS for https://app.example.',
  ],
])('says why there may be no answer %s', async (_, globals, reason) => {
  for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value);
  vi.stubGlobal('fetch', async () => Promise.reject(new TypeError('fetch failed')));
  await expect(requestAsync('https://provider.example/api', {})).rejects.toMatchObject({
    code: 'no_response',
    message: `The requestUrl at https://provider.example has not answered${reason}`,
  });
});

it.each([
  ['a method', { method: 'no method' }],
  ['a header', { headers: { 'x-tenant': 'a\nb' } }],
])('names the request with %s that cannot be sent', async (_, wrong) => {
  await expect(requestAsync(server.origin, wrong)).rejects.toMatchObject({
    code: 'ERR_AUTH_ARGUMENT',
    message: 'The request to requestUrl has a header or method that cannot be sent.',
  });
});

it.each([
  'http://provider.example/',
  'file:https://provider.example/',
  'see https://provider.example/',
  'ftp://provider.example/?http://localhost/',
  'http://provider.example/?http://localhost/',
  'http://provider.example/?https://provider.example/',
  'http://127.0.0.1.provider.example/',
  'http://localhost.provider.example/',
])('sends nothing to %s', async (url) => {
  for (const method of ['GET', 'POST']) {
    await expect(requestAsync(url, { method })).rejects.toMatchObject({
      code: 'ERR_AUTH_ENDPOINT',
      message: 'requestUrl must be an absolute https URL. For development, give allowInsecureRequests.',
    });
  }
});

it.each(['see http://provider.example/', 'file:http://provider.example/'])(
  'sends nothing to %s, even if http is allowed',
  async (url) => {
    const call = requestAsync(url, {}, { allowInsecureRequests: true });
    await expect(call).rejects.toMatchObject({ code: 'ERR_AUTH_ENDPOINT' });
  },
);

it.each(['http://127.100.20.3/', 'http://localhost'])('may send to %s, which is on this machine', async (url) => {
  vi.stubGlobal('fetch', async () => new Response('here'));
  expect(await requestAsync(url, {})).toBe('here');
});

it.each(['any', 'timeout'] as const)('works on a platform without AbortSignal.%s', async (name) => {
  const { [name]: own } = AbortSignal;
  Reflect.deleteProperty(AbortSignal, name);
  try {
    server.answer = json(200, { a: 1 });
    expect(await requestAsync(server.origin, {})).toEqual({ a: 1 });
    server.answer = () => {};
    await expect(requestAsync(server.origin, {}, { timeoutMs: 20 })).rejects.toMatchObject({
      code: 'no_response',
      message: `The requestUrl at ${server.origin} has not answered in time.`,
    });
  } finally {
    Object.defineProperty(AbortSignal, name, { value: own, configurable: true, writable: true });
  }
});
