import { once } from 'node:events';
import { Writable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { buildOf } from '../../runtime/fixtures/app.ts';
import { deferTask, environment, origin, runTask } from '../../runtime/index.ts';
import type { LambdaGlobal, LambdaHead } from './host-types.ts';
import { createRequestHandler, createStreamingRequestHandler } from './index.ts';
import type { LambdaEvent, LambdaProxyEvent, LambdaProxyResult, LambdaResult, ServerOptions } from './index.ts';

type Route = (request: Request, params: Record<string, string>) => unknown;

function buildWith(route: Route): ServerOptions['build'] {
  const methods = { GET: route, HEAD: route, POST: route };
  return buildOf({ routes: { '/': methods, '/[...path]': methods } });
}

const functionUrl = 'abc.lambda-url.eu-central-1.on.aws';
const httpApi = 'abc.execute-api.eu-central-1.amazonaws.com';

interface EventParts extends Partial<Omit<LambdaEvent, 'requestContext'>> {
  method?: string;
  domainName?: string;
  stage?: string;
}

function eventOf({
  method = 'GET',
  domainName = functionUrl,
  stage = '$default',
  ...rest
}: EventParts = {}): LambdaEvent {
  return {
    version: '2.0',
    rawPath: '/x',
    rawQueryString: '',
    headers: { host: domainName, 'x-forwarded-proto': 'https' },
    isBase64Encoded: false,
    ...rest,
    requestContext: { domainName, stage, http: { method } },
  };
}

function call(route: Route, parts?: EventParts, options: Partial<ServerOptions> = {}): Promise<LambdaResult> {
  return createRequestHandler({ build: buildWith(route), ...options })(eventOf(parts));
}

async function bodyOf(route: Route, parts?: EventParts, options?: Partial<ServerOptions>): Promise<string> {
  return (await call(route, parts, options)).body;
}

describe('the address of the client', () => {
  const addressOf = async (
    headers: Record<string, string>,
    options?: object,
    domainName = functionUrl,
  ): Promise<string> => {
    const event = eventOf({ domainName, headers: { host: domainName, ...headers } });
    event.requestContext.http.sourceIp = '192.0.2.1';
    const handler = createRequestHandler({ fetch: (_, { clientAddress }) => new Response(clientAddress), ...options });
    return (await handler(event)).body;
  };
  const forged = { 'x-forwarded-for': '203.0.113.9', 'cloudfront-viewer-address': '203.0.113.9:443' };

  it('is the caller of AWS', async () => {
    expect(await addressOf(forged)).toBe('192.0.2.1');
  });

  it('is the one that CloudFront reports, if a proxy in front is trusted', async () => {
    const trusted = { trustProxy: true };
    expect(await addressOf({ ...forged, 'cloudfront-viewer-address': '198.51.100.7:443' }, trusted)).toBe(
      '198.51.100.7',
    );
    expect(await addressOf({ 'cloudfront-viewer-address': '2001:db8::7:443' }, trusted)).toBe('2001:db8::7');
    // A Function URL passes on what a client has written.
    expect(await addressOf({ 'x-forwarded-for': '203.0.113.9' }, trusted)).toBe('192.0.2.1');
  });

  it('is the one that a trusted proxy in front of an HTTP API has added, whatever the client sends', async () => {
    const sent = { ...forged, 'x-forwarded-for': '203.0.113.9, 198.51.100.7, 192.0.2.1' };
    for (const domainName of [httpApi, 'api.example']) {
      expect(await addressOf(sent, { trustProxy: true }, domainName)).toBe('198.51.100.7');
      // CloudFront, if the API has replaced what it has added.
      const replaced = { 'x-forwarded-for': '192.0.2.1', 'cloudfront-viewer-address': '198.51.100.7:443' };
      expect(await addressOf(replaced, { trustProxy: true }, domainName)).toBe('198.51.100.7');
    }
  });
});

describe('the URL of a request', () => {
  const url: Route = (request) => new Response(request.url, { headers: { 'content-type': 'text/plain' } });

  it('is as it was sent to a Function URL', async () => {
    const sent = { rawPath: '/%68i//caf%C3%A9/a%2Fb', rawQueryString: 'a=1&a=2&b=%26%20+' };
    expect(await bodyOf(url, sent)).toBe(`https://${functionUrl}/%68i//caf%C3%A9/a%2Fb?a=1&a=2&b=%26%20+`);
  });

  it('encodes what an HTTP API has decoded', async () => {
    const sent = { domainName: httpApi, rawPath: '/100%25 of?a#b\\é', rawQueryString: 'q=1' };
    expect(await bodyOf(url, sent)).toBe(`https://${httpApi}/100%2525%20of%3Fa%23b%5C%C3%A9?q=1`);
  });

  it('has the scheme that the platform reports', async () => {
    const headers = { host: 'localhost:3000', 'x-forwarded-proto': 'http' };
    expect(await bodyOf(url, { headers })).toBe('http://localhost:3000/x');
    expect(await bodyOf(url, { headers: { host: 'shop.example' } })).toBe('https://shop.example/x');
  });

  it('has the name that was called if the Host header is missing', async () => {
    expect(await bodyOf(url, { headers: {} })).toBe(`https://${functionUrl}/x`);
  });

  it('follows X-Forwarded-Host only when it is trusted', async () => {
    const headers = { host: functionUrl, 'x-forwarded-proto': 'https', 'x-forwarded-host': 'shop.example' };
    expect(await bodyOf(url, { headers })).toBe(`https://${functionUrl}/x`);
    expect(await bodyOf(url, { headers }, { trustProxy: true })).toBe('https://shop.example/x');
  });

  it('is answered with 400 when the Host header is invalid', async () => {
    expect((await call(url, { headers: { host: 'evil.example/path' } })).statusCode).toBe(400);
  });
});

describe('the stage of an HTTP API', () => {
  const seen: Route = (request, { path }) => Response.json({ url: request.url, path });

  it('is not part of the path that routes match', async () => {
    const sent = { domainName: httpApi, stage: 'prod', rawPath: '/prod/a/b' };
    expect(JSON.parse(await bodyOf(seen, sent))).toEqual({ url: `https://${httpApi}/prod/a/b`, path: 'a/b' });
  });

  it('is not part of the URL at a domain of your own, whose visitors do not see it', async () => {
    const sent = { domainName: 'shop.example', stage: 'prod', rawPath: '/prod/a' };
    expect(JSON.parse(await bodyOf(seen, sent))).toEqual({ url: 'https://shop.example/a', path: 'a' });
    expect(JSON.parse(await bodyOf(seen, { ...sent, rawPath: '/prod' }))).toEqual({ url: 'https://shop.example/' });
  });

  it('is empty when it is $default, whatever the path is', async () => {
    expect(JSON.parse(await bodyOf(seen, { rawPath: '/$default/a' }))).toMatchObject({ path: '$default/a' });
  });

  it('is a whole segment', async () => {
    for (const domainName of [httpApi, 'shop.example']) {
      const sent = { domainName, stage: 'prod', rawPath: '/products' };
      expect(JSON.parse(await bodyOf(seen, sent))).toMatchObject({ path: 'products' });
    }
  });
});

describe('the headers of a request', () => {
  const headerOf =
    (name: string): Route =>
    (request) =>
      Response.json(request.headers.get(name));

  it('have the cookies in one line', async () => {
    expect(await bodyOf(headerOf('cookie'), { cookies: ['a=1', 'b="x, y"'] })).toBe(JSON.stringify('a=1; b="x, y"'));
  });

  it('are none where an event says null', async () => {
    const nothing = { cookies: null, rawQueryString: null, body: null, isBase64Encoded: null };
    const all: Route = (request) => Response.json([new URL(request.url).search, ...request.headers]);
    const headers = { host: functionUrl, 'x-none': null };
    expect(JSON.parse(await bodyOf(all, { ...nothing, headers }))).toEqual(['', ['host', functionUrl]]);
    expect(JSON.parse(await bodyOf(all, { ...nothing, headers: null }))).toEqual(['']);
  });

  it('consist of bytes, even for a value that was decoded as UTF-8', async () => {
    const headers = { host: functionUrl, 'x-name': 'Łódź' };
    const bytes = JSON.parse(await bodyOf(headerOf('x-name'), { headers })) as string;
    expect(Buffer.from(bytes, 'latin1').toString()).toBe('Łódź');
  });

  it('are converted by Headers if they are not plain', async () => {
    const all: Route = (request) => Response.json([...request.headers]);
    const plain = { host: functionUrl, 'x-a': '1', 'x-empty': '', 'x-none': undefined };
    const seen = [
      ['host', functionUrl],
      ['x-a', '1'],
      ['x-empty', ''],
    ];
    expect(JSON.parse(await bodyOf(all, { headers: plain }))).toEqual(seen);
    expect(JSON.parse(await bodyOf(all, { headers: { ...plain, 'x-a': ' 1 ' } }))).toEqual(seen);
    expect(JSON.parse(await bodyOf(all, { headers: { 'X-A': '0', ...plain } }))).toEqual(seen);
    expect(JSON.parse(await bodyOf(all, { headers: { ...plain, cookie: 'x=0' }, cookies: ['a=1', 'b=2'] }))).toEqual([
      ['cookie', 'a=1; b=2'],
      ...seen,
    ]);
  });

  it('are answered with 400 when one of them is invalid', async () => {
    for (const wrong of [{ 'x a': '1' }, { 'x-a': '1\n2' }, { ':path': '/' }]) {
      expect((await call(() => new Response('x'), { headers: { host: functionUrl, ...wrong } })).statusCode).toBe(400);
    }
  });
});

describe('the body of a request', () => {
  const all = Uint8Array.from({ length: 256 }, (_, index) => index);
  const hex: Route = async (request) => Response.json(Buffer.from(await request.arrayBuffer()).toString('hex'));

  it('is the decoded Base64', async () => {
    const sent = { method: 'POST', body: Buffer.from(all).toString('base64'), isBase64Encoded: true };
    expect(await bodyOf(hex, sent)).toBe(JSON.stringify(Buffer.from(all).toString('hex')));
  });

  it('is UTF-8 of its text, and adds no type of its own', async () => {
    const seen: Route = async (request) => Response.json([await request.text(), request.headers.get('content-type')]);
    expect(JSON.parse(await bodyOf(seen, { method: 'POST', body: 'zażółć 🌍' }))).toEqual(['zażółć 🌍', null]);
  });

  it('is null when the event has none, and with GET', async () => {
    const seen: Route = (request) => Response.json(request.body === null);
    expect(await bodyOf(seen, { method: 'POST' })).toBe('true');
    expect(await bodyOf(seen, { method: 'GET', body: 'sent all the same' })).toBe('true');
  });

  it('over the limit is 413', async () => {
    const sizeOf: Route = async (request) => Response.json((await request.arrayBuffer()).byteLength);
    const limit = { maxRequestBodySize: 3 };
    expect((await call(sizeOf, { method: 'POST', body: 'four' }, limit)).statusCode).toBe(413);
    expect((await call(sizeOf, { method: 'POST', body: 'żó' }, limit)).statusCode).toBe(413);
    expect((await call(sizeOf, { method: 'POST', body: 'two' }, limit)).body).toBe('3');
  });
});

describe('a call with another event', () => {
  const others: [event: unknown, said: string][] = [
    [
      { version: '1.0', httpMethod: 'GET', path: '/x', multiValueHeaders: {}, requestContext: {} },
      'an HTTP API in payload format 1.0. Set',
    ],
    [
      { httpMethod: 'GET', path: '/x', headers: {}, requestContext: { elb: {} } },
      'so cookies would be lost. Set lambda.multi_value_headers.enabled',
    ],
    [
      { Records: [{ eventSource: 'aws:sqs', body: '' }] },
      'an event of aws:sqs. Call it through a Function URL, an API',
    ],
    [{ Records: [{ EventSource: 'aws:sns' }] }, 'an event of aws:sns. Call it'],
    [{ source: 'aws.events', 'detail-type': 'Scheduled Event' }, 'an event of aws.events. Call it'],
    [{}, 'an event that is not an HTTP request. Call it'],
    [undefined, 'an event that is not an HTTP request. Call it'],
  ];
  for (const [event, said] of others) {
    it(`is refused, and says what to do: ${said}`, async () => {
      const answer = createRequestHandler({ build: buildWith(() => new Response()) })(event as LambdaEvent);
      await expect(answer).rejects.toMatchObject({ code: 'ERR_EVENT_INVALID', message: expect.stringContaining(said) });
    });
  }
});

describe('payload format 1.0', () => {
  const seen: Route = async (request, { path }) => {
    const { method, url } = request;
    return Response.json({ method, url, path, headers: [...request.headers], text: await request.text() });
  };
  const callWith = (route: Route, event: object): Promise<LambdaProxyResult> =>
    createRequestHandler({ build: buildWith(route) })(event as LambdaProxyEvent);
  const host = 'abc.execute-api.eu-central-1.amazonaws.com';
  const restApi = {
    httpMethod: 'GET',
    path: '/a%2Fb/caf%C3%A9',
    multiValueHeaders: { Host: [host], 'X-Forwarded-Proto': ['https'] },
    multiValueQueryStringParameters: null,
    requestContext: { path: '/prod/a%2Fb/caf%C3%A9', stage: 'prod', domainName: host },
  };
  const loadBalancer = {
    ...restApi,
    multiValueHeaders: { host: ['shop.example'], 'x-forwarded-proto': ['https'] },
    requestContext: { elb: { targetGroupArn: 'arn' } },
  };

  it('keeps the path as it was sent, and its stage at the address of a REST API', async () => {
    const { body } = await callWith(seen, restApi);
    expect(JSON.parse(body)).toMatchObject({ url: `https://${host}/prod/a%2Fb/caf%C3%A9`, path: 'a/b/café' });
    const root = { ...restApi, path: '/', requestContext: { ...restApi.requestContext, path: '/prod' } };
    const routed = await callWith(seen, root);
    expect(JSON.parse(routed.body)).toEqual({
      method: 'GET',
      url: `https://${host}/prod`,
      headers: expect.any(Array),
      text: '',
    });
    const own = { ...restApi, requestContext: { path: restApi.path, stage: 'prod', domainName: 'shop.example' } };
    expect(JSON.parse((await callWith(seen, own)).body)).toMatchObject({ url: `https://${host}/a%2Fb/caf%C3%A9` });
    expect(JSON.parse((await callWith(seen, loadBalancer)).body)).toMatchObject({
      url: 'https://shop.example/a%2Fb/caf%C3%A9',
    });
  });

  it('takes no pattern for the path: `sam local` names the resource in its place', async () => {
    const requestContext = { path: '/{proxy+}', stage: 'prod', domainName: '127.0.0.1:3000' };
    const { body } = await callWith(seen, { ...restApi, resource: '/{proxy+}', requestContext });
    expect(JSON.parse(body)).toMatchObject({ url: `https://${host}/a%2Fb/caf%C3%A9`, path: 'a/b/café' });
  });

  it('encodes the query that a REST API has decoded, and leaves that of a load balancer unchanged', async () => {
    const decoded = { 'a b': ['1&2', '%'], é: [''] };
    const { url } = JSON.parse((await callWith(seen, { ...restApi, multiValueQueryStringParameters: decoded })).body);
    expect(new URL(url).search).toBe('?a%20b=1%262&a%20b=%25&%C3%A9=');
    const sent = { 'a%20b': ['1%262', '+'] };
    const balanced = await callWith(seen, { ...loadBalancer, multiValueQueryStringParameters: sent });
    expect(new URL(JSON.parse(balanced.body).url).search).toBe('?a%20b=1%262&a%20b=+');
    const odd = await callWith(seen, { ...restApi, multiValueQueryStringParameters: { a: ['\ud800', '#'] } });
    expect(new URL(JSON.parse(odd.body).url).search).toBe('?a=%EF%BF%BD&a=%23');
    const sharp = await callWith(seen, { ...loadBalancer, multiValueQueryStringParameters: { a: ['x#y'] } });
    expect(new URL(JSON.parse(sharp.body).url).search).toBe('?a=x%23y');
  });

  it('reads all values of a header, whatever its name is', async () => {
    const named = JSON.parse('{ "X-List": ["a", "b"], "x-list": ["c"], "Cookie": ["a=1", "b=2"], "__proto__": ["p"] }');
    const sent = { ...restApi.multiValueHeaders, constructor: ['k'] };
    const multiValueHeaders = Object.fromEntries([...Object.entries(sent), ...Object.entries(named)]);
    const headers = new Map(JSON.parse((await callWith(seen, { ...restApi, multiValueHeaders })).body).headers);
    expect(headers.get('x-list')).toBe('a, b, c');
    expect(headers.get('cookie')).toBe('a=1; b=2');
    expect(headers.get('__proto__')).toBe('p');
    expect(headers.get('constructor')).toBe('k');
  });

  it('never turns a path into a host', async () => {
    for (const path of ['.evil.example/x', '@evil.example/a', '*', ':80/']) {
      const { body } = await callWith(seen, { ...loadBalancer, path });
      expect(new URL(JSON.parse(body).url).host).toBe('shop.example');
    }
  });

  it('answers the health check of a load balancer, and the console of a REST API, which have no headers', async () => {
    const check = { ...loadBalancer, multiValueHeaders: { 'user-agent': ['ELB-HealthChecker/2.0'] }, body: '' };
    expect((await callWith(seen, check)).statusCode).toBe(200);
    expect((await callWith(seen, { ...restApi, headers: null, multiValueHeaders: null })).statusCode).toBe(200);
  });

  it('answers 400 to two hosts', async () => {
    const multiValueHeaders = { Host: ['a.example', 'b.example'] };
    expect((await callWith(seen, { ...restApi, multiValueHeaders })).statusCode).toBe(400);
  });

  it('gives the body', async () => {
    const text = { ...restApi, httpMethod: 'POST', body: 'zażółć' };
    expect(JSON.parse((await callWith(seen, text)).body)).toMatchObject({ method: 'POST', text: 'zażółć' });
    const bytes = { ...text, body: Buffer.from('zażółć').toString('base64'), isBase64Encoded: true };
    expect(JSON.parse((await callWith(seen, bytes)).body)).toMatchObject({ text: 'zażółć' });
  });

  it('answers with all values of each header', async () => {
    const headers = new Headers({ 'x-own': 'yes' });
    headers.append('__proto__', 'p');
    headers.append('set-cookie', 'a=1');
    headers.append('set-cookie', 'b=2');
    const { multiValueHeaders, ...rest } = await callWith(() => new Response(null, { status: 201, headers }), restApi);
    expect(rest).toEqual({ statusCode: 201, body: '', isBase64Encoded: false });
    expect(Object.entries(multiValueHeaders).toSorted()).toEqual([
      ['__proto__', ['p']],
      ['cache-control', ['private, no-cache']],
      ['set-cookie', ['a=1', 'b=2']],
      ['x-own', ['yes']],
    ]);
  });

  it('has the address of the caller of AWS, or the one that a trusted proxy reports', async () => {
    const forwarded = ['203.0.113.9, 198.51.100.7, 192.0.2.1'];
    const address = (_: unknown, { clientAddress }: { clientAddress?: string | undefined }): Response =>
      new Response(clientAddress);
    for (const event of [
      { ...restApi, requestContext: { ...restApi.requestContext, identity: { sourceIp: '192.0.2.1' } } },
      loadBalancer,
    ]) {
      const sent = { ...event, multiValueHeaders: { ...event.multiValueHeaders, 'x-forwarded-for': forwarded } };
      const answers = [undefined, true].map((trustProxy) => createRequestHandler({ fetch: address, trustProxy })(sent));
      expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(['192.0.2.1', '198.51.100.7']);
    }
  });

  it('is refused by a function that streams', async () => {
    vi.stubGlobal('awslambda', { streamifyResponse: (handler: unknown) => handler, HttpResponseStream: {} });
    onTestFinished(() => void vi.unstubAllGlobals());
    const handler = createStreamingRequestHandler({ build: buildWith(seen) });
    const stream = new Writable() as never;
    await expect(handler(restApi as never, stream)).rejects.toMatchObject({
      code: 'ERR_EVENT_INVALID',
      message: expect.stringContaining('Create it with createRequestHandler'),
    });
  });
});

describe('an answer that is returned', () => {
  const bytesOf = ({ body, isBase64Encoded }: LambdaResult): string =>
    Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8').toString('latin1');

  it('has its cookies separately and complete', async () => {
    const headers = new Headers({ 'x-own': 'yes', 'transfer-encoding': 'chunked' });
    headers.append('set-cookie', 'a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT');
    headers.append('set-cookie', 'b=2');
    headers.append('vary', 'accept');
    headers.append('vary', 'cookie');
    expect(await call(() => new Response(null, { status: 201, headers }))).toEqual({
      statusCode: 201,
      headers: { 'x-own': 'yes', vary: 'accept, cookie', 'cache-control': 'private, no-cache' },
      cookies: ['a=1; Expires=Wed, 21 Oct 2026 07:28:00 GMT', 'b=2'],
      body: '',
      isBase64Encoded: false,
    });
  });

  it('leaves its length to the platform, which may differ from what a route says', async () => {
    const result = await call(() => new Response('four', { headers: { 'content-length': '99' } }));
    expect(result.headers['content-length']).toBe(undefined);
  });

  it('keeps every byte, whatever its type', async () => {
    const bytes = Uint8Array.from({ length: 256 }, (_, index) => index);
    for (const type of ['image/png', 'text/plain', 'application/json']) {
      const result = await call(() => new Response(bytes, { headers: { 'content-type': type } }));
      expect([type, result.isBase64Encoded]).toEqual([type, true]);
      expect(bytesOf(result)).toBe(Buffer.from(bytes).toString('latin1'));
    }
  });

  it('is text when its type says so and its bytes are UTF-8, with their byte order mark', async () => {
    for (const type of ['text/html; charset=utf-8', 'application/problem+json', 'image/svg+xml', '']) {
      const bytes = Buffer.from('\u{feff}café 🌍');
      const result = await call(() => new Response(bytes, { headers: type === '' ? {} : { 'content-type': type } }));
      expect([type, result.isBase64Encoded]).toEqual([type, !/^(?:text|application)\//.test(type)]);
      expect(bytesOf(result)).toBe(bytes.toString('latin1'));
    }
  });

  it('is bytes when it has a content coding', async () => {
    const headers = { 'content-type': 'text/plain', 'content-encoding': 'identity' };
    expect((await call(() => new Response('plain', { headers }))).isBase64Encoded).toBe(true);
  });

  it('to HEAD has the length of its body, and cancels an endless body', async () => {
    const result = await call(() => new Response('four'), { method: 'HEAD' });
    expect([result.body, result.headers['content-length']]).toEqual(['', '4']);
    const cancel = vi.fn();
    const endless = await call(() => new Response(new ReadableStream({ cancel })), { method: 'HEAD' });
    expect([endless.body, endless.headers['content-length']]).toEqual(['', undefined]);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it('is cancelled when a header cannot be sent, and the answer is 500', async () => {
    const cancel = vi.fn();
    const headers = { 'x-name': 'a\x7fb' };
    const result = await call(
      () => new Response(new ReadableStream({ cancel }), { headers }),
      {},
      { onError: vi.fn() },
    );
    expect([result.statusCode, result.body]).toEqual([500, 'Internal server error']);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it('is 500 when its body fails, and onError is called', async () => {
    const onError = vi.fn();
    const failing = (): Response =>
      new Response(new ReadableStream({ pull: () => Promise.reject(new Error('broken')) }));
    const result = await call(failing, {}, { onError });
    expect([result.statusCode, result.body]).toEqual([500, 'Internal server error']);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('broken'), expect.any(Request));
  });

  it('comes after its tasks', async () => {
    const done: string[] = [];
    const turn = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5));
    await call(() => {
      runTask(() => turn().then(() => done.push('run')));
      deferTask(() => turn().then(() => done.push('deferred')));
      return new Response();
    });
    expect(done).toEqual(['run', 'deferred']);
  });

  it('comes after tasks that end in time, without an error', async () => {
    const onError = vi.fn();
    const task = Promise.withResolvers<void>();
    const build = buildWith(() => {
      runTask(() => task.promise);
      setImmediate(task.resolve);
      return new Response('answer');
    });
    const context = { getRemainingTimeInMillis: () => 300_000 };
    const { body } = await createRequestHandler({ build, onError })(eventOf(), context);
    expect([body, onError.mock.calls]).toEqual(['answer', []]);
  });

  it('is not lost with a task that would outlive the function, and onError is called', async () => {
    const onError = vi.fn();
    const build = buildWith(() => {
      runTask(() => new Promise<void>(() => {}));
      return new Response('answer');
    });
    const context = { getRemainingTimeInMillis: () => 500 };
    const { body } = await createRequestHandler({ build, onError })(eventOf(), context);
    expect(body).toBe('answer');
    const message = expect.stringContaining('Raise its Timeout');
    expect(onError).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ message }), expect.any(Request));
  });

  it('keeps its context apart from those of others in the same process', async () => {
    const gate = Promise.withResolvers<void>();
    const handler = createRequestHandler({
      build: buildWith(async () => {
        await gate.promise;
        return new Response(`${origin()} ${environment()}`, { headers: { 'content-type': 'text/plain' } });
      }),
      environment: 'staging',
    });
    const hosts = ['a.example', 'b.example', 'c.example'];
    const answers = hosts.map((host) => handler(eventOf({ headers: { host } })));
    gate.resolve();
    expect((await Promise.all(answers)).map(({ body }) => body)).toEqual(
      hosts.map((host) => `https://${host} staging`),
    );
  });
});

describe('an answer that is streamed', () => {
  /** What Lambda passes to a streaming function. It accepts a chunk when `take` is called, one at a time. */
  class ResponseStream extends Writable {
    head: LambdaHead | undefined;
    readonly chunks: string[] = [];
    take: (() => void) | undefined;
    readonly isSlow: boolean;
    constructor(isSlow = false) {
      super({ highWaterMark: 1 });
      this.isSlow = isSlow;
    }
    override _write(chunk: Uint8Array, _encoding: string, callback: () => void): void {
      if (chunk.byteLength > 0) this.chunks.push(Buffer.from(chunk).toString());
      if (this.isSlow && chunk.byteLength > 0) this.take = callback;
      else callback();
    }
  }

  // The head is sent with the first write, as by aws-lambda-ric 4.0.
  const awslambda: LambdaGlobal = {
    streamifyResponse: (handler) => handler,
    HttpResponseStream: {
      from(stream, head) {
        const target = stream as ResponseStream;
        const write = target.write.bind(target);
        target.write = (chunk: Uint8Array) => {
          target.head ??= head;
          return write(chunk);
        };
        return stream;
      },
    },
  };

  beforeEach(() => void vi.stubGlobal('awslambda', awslambda));
  afterEach(() => void vi.unstubAllGlobals());

  function stream(route: Route, target: ResponseStream, parts?: EventParts, onError = vi.fn()): Promise<void> {
    return createStreamingRequestHandler({ build: buildWith(route), onError })(eventOf(parts), target);
  }

  it('needs the global of the runtime', () => {
    vi.unstubAllGlobals();
    const create = (): unknown => createStreamingRequestHandler({ build: buildWith(() => new Response()) });
    expect(create).toThrow(expect.objectContaining({ code: 'ERR_STREAMING_MISMATCH' }));
    expect(create).toThrow('or call createRequestHandler()');
  });

  it('needs a stream, and a returned answer must not have one', async () => {
    const options = { build: buildWith(() => new Response()) };
    const mismatch = { code: 'ERR_STREAMING_MISMATCH' };
    const context = {} as ResponseStream;
    await expect(createStreamingRequestHandler(options)(eventOf(), context)).rejects.toMatchObject(mismatch);
    const returned = createRequestHandler(options);
    await expect(returned(eventOf(), new ResponseStream())).rejects.toMatchObject(mismatch);
    expect((await returned(eventOf(), context)).statusCode).toBe(200);
  });

  it('is a function that the runtime has marked', () => {
    const streamifyResponse = vi.fn(awslambda.streamifyResponse);
    vi.stubGlobal('awslambda', { ...awslambda, streamifyResponse });
    const handler = createStreamingRequestHandler({ build: buildWith(() => new Response()) });
    expect(streamifyResponse).toHaveReturnedWith(handler);
  });

  it('sends its head and ends even without a body', async () => {
    for (const method of ['GET', 'HEAD']) {
      const target = new ResponseStream();
      const headers = { 'set-cookie': 'a=1', 'x-own': 'yes' };
      await stream(() => new Response(null, { status: 204, headers }), target, { method });
      expect(target.head).toEqual({
        statusCode: 204,
        headers: { 'x-own': 'yes', 'cache-control': 'private, no-cache' },
        cookies: ['a=1'],
      });
      expect([target.chunks, target.writableEnded]).toEqual([[], true]);
    }
  });

  it('reads no more than the stream accepts', async () => {
    const target = new ResponseStream(true);
    let asked = 0;
    const pull = (controller: ReadableStreamDefaultController): void => {
      asked += 1;
      if (asked > 5) controller.close();
      else controller.enqueue(Buffer.from(String(asked)));
    };
    const answered = stream(() => new Response(new ReadableStream({ pull })), target);
    await vi.waitFor(() => expect(target.take).toBeDefined());
    for (let turn = 0; turn < 20; turn += 1) await new Promise((resolve) => setImmediate(resolve));
    expect([target.chunks, asked]).toEqual([['1'], 3]); // one in the stream, one that was peeked at, one in the source
    while (!target.writableFinished) {
      target.take?.();
      await new Promise((resolve) => setImmediate(resolve));
    }
    await answered;
    expect(target.chunks).toEqual(['1', '2', '3', '4', '5']);
  });

  it('is cancelled when the stream closes, and the invocation ends', async () => {
    const target = new ResponseStream();
    const cancel = vi.fn();
    const start = (controller: ReadableStreamDefaultController): void => controller.enqueue(Buffer.from('first'));
    const answered = stream(() => new Response(new ReadableStream({ start, cancel })), target);
    await vi.waitFor(() => expect(target.chunks).toEqual(['first']));
    target.destroy();
    await answered;
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1));
  });

  it('is cancelled when the stream closes while waiting for it', async () => {
    const target = new ResponseStream(true);
    const cancel = vi.fn();
    const pull = (controller: ReadableStreamDefaultController): void => controller.enqueue(Buffer.from('more'));
    const answered = stream(() => new Response(new ReadableStream({ pull, cancel })), target);
    await vi.waitFor(() => expect(target.take).toBeDefined());
    target.destroy();
    await answered;
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledTimes(1));
  });

  it('is cancelled when a header cannot be sent, and the answer is 500', async () => {
    const target = new ResponseStream();
    const cancel = vi.fn();
    // Nothing ever comes: the head does not wait for it.
    await stream(() => new Response(new ReadableStream({ cancel }), { headers: { 'x-name': 'a\x7fb' } }), target);
    expect([target.head?.statusCode, target.chunks.join('')]).toEqual([500, 'Internal server error']);
    await vi.waitFor(() => expect(cancel).toHaveBeenCalledOnce());
  });

  it('does not end as if it were complete when it fails', async () => {
    const target = new ResponseStream();
    const onError = vi.fn();
    const gate = Promise.withResolvers<void>();
    const failing = new ReadableStream({
      start: (controller) => controller.enqueue(Buffer.from('first')),
      pull: () => gate.promise.then(() => Promise.reject(new Error('broken'))),
    });
    const answered = stream(() => new Response(failing), target, {}, onError);
    await vi.waitFor(() => expect(target.chunks).toEqual(['first']));
    gate.resolve();
    await expect(answered).rejects.toThrow('failed after its head was sent');
    expect(target.writableEnded).toBe(false);
    expect(onError).toHaveBeenCalledExactlyOnceWith(new Error('broken'), expect.any(Request));
  });

  it('is 500 when it fails at once', async () => {
    const target = new ResponseStream();
    await stream(() => new Response(new ReadableStream({ pull: () => Promise.reject(new Error('broken')) })), target);
    expect([target.head?.statusCode, target.chunks]).toEqual([500, ['Internal server error']]);
  });

  it('ends before its tasks do, and the invocation after them', async () => {
    const target = new ResponseStream();
    const release = Promise.withResolvers<void>();
    let isOver = false;
    const answered = stream(() => {
      runTask(() => release.promise);
      return new Response('answer');
    }, target).then(() => (isOver = true));
    await once(target, 'finish');
    expect([target.chunks, isOver]).toEqual([['answer'], false]);
    release.resolve();
    await answered;
  });
});
