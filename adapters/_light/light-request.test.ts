import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { inspect, isDeepStrictEqual } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { observe, readAll, rowsOf, toText } from '../../runtime/fixtures/observe.ts';
import { ArrivingBody } from '../_node/arriving-body.ts';
import { createLightRequest, releaseConnection } from './light-request.ts';
import * as ownCopy from './light-response.ts';
import { createListener } from '../_node/listener.ts';
import { toRequestBody } from '../_node/request-body.ts';

// The reference is a Request of the platform, made of the same message: each case is run with both over a real server, and
// nothing that it sees may differ.

/** What code means by these names. */
type Names = Pick<typeof globalThis, 'Request' | 'fetch'>;
type Use = (request: Request, names: Names) => unknown;

interface Message {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

const NativeRequest = globalThis.Request;
const native: Names = { Request: NativeRequest, fetch: globalThis.fetch };

// Requests name the echo as their host, so that code can pass them on.
const servers: http.Server[] = [];
let echoPort: number;
let lightPort: number;
let nativePort: number;
let answer: (request: Request, names: Names) => unknown;

async function listen(listener: http.RequestListener): Promise<number> {
  const server = http.createServer(listener).listen(0, '127.0.0.1');
  servers.push(server);
  await once(server, 'listening');
  return (server.address() as AddressInfo).port;
}

beforeAll(async () => {
  echoPort = await listen(echo);
  nativePort = await listen((message, response) => void answerNatively(message, response));
  const route = async (request: Request): Promise<Response> => {
    const given = await answer(request, boundNames());
    return given instanceof Response ? given : new Response('light');
  };
  const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'];
  const build = {
    manifest: {
      version: 1 as const,
      boundFetch: true,
      routes: [{ pattern: '/[...path]', file: 'route.js', methods: [] }],
    },
    modules: { 'route.js': () => Object.fromEntries(methods.map((method) => [method, route])) },
  };
  lightPort = await listen(createListener({ build, onError: () => {}, maxRequestBodySize: 1_000_000 }));
});

afterAll(async () => {
  for (const server of servers) {
    server.closeAllConnections();
    server.close();
    await once(server, 'close');
  }
});

/** Sends a message to a server, and gives what its code has seen. */
async function ask(port: number, message: Message, use: Use): Promise<unknown> {
  const { method = 'GET', path = '/x', headers, body } = message;
  let seen: unknown;
  answer = async (request, names) => {
    seen = await observe(() => use(request, names));
  };
  const isFramed = body === undefined || headers?.['transfer-encoding'] !== undefined;
  const length = isFramed ? {} : { 'content-length': Buffer.byteLength(body) };
  const request = http.request({
    host: '127.0.0.1',
    port,
    method,
    path,
    headers: { host: `127.0.0.1:${echoPort}`, ...length, ...headers },
  });
  request.end(body);
  const [response] = (await once(request, 'response')) as [http.IncomingMessage];
  response.resume();
  await once(response, 'end');
  return seen;
}

const post = (body: string | Uint8Array, type = 'text/plain'): Message => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});
const get: Message = { path: '/a%20b?q=1&q=2', headers: { 'X-A': ['1', '2'], cookie: 'a=1; b=2', accept: '*/*' } };
const text = post('héllo');

const readers: Record<string, [Message, Use]> = {
  'text()': [text, (request) => request.text()],
  'text() drops a BOM': [post('\ufeffhello'), (request) => request.text()],
  'text() of broken UTF-8': [post(new Uint8Array([65, 255, 195])), (request) => request.text()],
  'text() of a large body': [post('é'.repeat(200_000)), async (request) => (await request.text()).length],
  'json()': [post('{"a":[1,"é"]}', 'application/json'), (request) => request.json()],
  'json() drops a BOM': [post('\ufeff{}'), (request) => request.json()],
  'json() of what is none': [post('{"a":'), (request) => request.json()],
  'json() of nothing': [{ method: 'POST' }, (request) => request.json()],
  'json() of a GET': [get, (request) => request.json()],
  'arrayBuffer()': [text, async (request) => toText(await request.arrayBuffer())],
  'arrayBuffer() is an ArrayBuffer of its own': [
    text,
    async (request) => {
      const buffer = await request.arrayBuffer();
      return [buffer.constructor === ArrayBuffer, buffer.byteLength];
    },
  ],
  'bytes()': [text, async (request) => toText(await request.bytes())],
  'blob()': [post('x', 'Text/X; A=B'), async (request) => blobOf(request)],
  'blob() without a type': [{ method: 'POST', body: 'x' }, async (request) => blobOf(request)],
  'blob() of a GET': [get, async (request) => blobOf(request)],
  'blob() after the type was set': [
    text,
    (request) => {
      request.headers.set('content-type', 'a/b');
      return blobOf(request);
    },
  ],
  'formData() of a form': [
    post('a=1&a=2&b=%C3%A9+x', 'application/x-www-form-urlencoded'),
    async (request) => [...(await request.formData())],
  ],
  'formData() with a file': [
    post(
      '--x\r\nContent-Disposition: form-data; name="a"\r\n\r\n1\r\n--x\r\n' +
        'Content-Disposition: form-data; name="f"; filename="n.txt"\r\nContent-Type: text/x\r\n\r\nfile\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ),
    async (request) => {
      const form = await request.formData();
      const file = form.get('f') as File;
      return [form.get('a'), file.name, file.type, await file.text(), file instanceof File];
    },
  ],
  'formData() that is broken': [post('--x', 'multipart/form-data; boundary=x'), (request) => request.formData()],
  'formData() of a text': [text, (request) => request.formData()],
  'an empty body twice': [{ method: 'POST', body: '' }, (request) => twice(request, 'text', 'text')],
  'no body twice': [get, (request) => twice(request, 'text', 'arrayBuffer')],
  'text() twice': [text, (request) => twice(request, 'text', 'text')],
  'json(), then text()': [post('1'), (request) => twice(request, 'json', 'text')],
  'json() that failed, then text()': [post('{'), (request) => twice(request, 'json', 'text')],
  'arrayBuffer(), then blob()': [text, (request) => twice(request, 'arrayBuffer', 'blob')],
  'blob(), then text()': [text, (request) => twice(request, 'blob', 'text')],
  'text(), then clone()': [text, (request) => twice(request, 'text', 'clone')],
  'text(), then bytes()': [text, (request) => twice(request, 'text', 'bytes')],
  'text() twice at once': [
    text,
    (request) => Promise.all([observe(() => request.text()), observe(() => request.json())]),
  ],
  'bodyUsed before, during and after': [
    text,
    async (request) => {
      const seen = [request.bodyUsed];
      const reading = request.text();
      seen.push(request.bodyUsed);
      await reading;
      return [...seen, request.bodyUsed];
    },
  ],
};

const streams: Record<string, [Message, Use]> = {
  'the body of a GET': [get, (request) => [request.body, request.bodyUsed]],
  'the body is the same one': [
    text,
    (request) => [request.body === request.body, request.body?.constructor === ReadableStream, request.bodyUsed],
  ],
  'the body, read to its end': [text, (request) => chunksOf(request.body)],
  'the body, then text()': [text, async (request) => [await chunksOf(request.body), await twice(request, 'text')]],
  'text(), then the body': [
    text,
    async (request) => {
      await request.text();
      return [request.body?.locked, request.bodyUsed, await observe(() => request.body?.getReader().read())];
    },
  ],
  'a reader, then text()': [
    text,
    async (request) => {
      const reader = request.body?.getReader();
      const locked = await observe(() => request.text());
      reader?.releaseLock();
      return [locked, request.bodyUsed, await request.text()];
    },
  ],
  'a chunk, then text()': [
    text,
    async (request) => {
      const reader = request.body?.getReader();
      await reader?.read();
      reader?.releaseLock();
      return [request.bodyUsed, await observe(() => request.text())];
    },
  ],
  'cancelled, then text()': [
    text,
    async (request) => {
      await request.body?.cancel();
      return [request.bodyUsed, await observe(() => request.text())];
    },
  ],
  'tee() of the body': [
    text,
    async (request) => {
      const both = request.body?.tee() ?? [];
      return [request.body?.locked, await Promise.all(both.map(chunksOf))];
    },
  ],
  'a BYOB reader': [
    text,
    async (request) => {
      const reader = request.body?.getReader({ mode: 'byob' });
      const read = await reader?.read(new Uint8Array(2));
      return [read?.done, toText(read?.value as Uint8Array)];
    },
  ],
  'pipeThrough()': [
    text,
    async (request) => {
      const texts: string[] = [];
      for await (const part of request.body?.pipeThrough(new TextDecoderStream()) ?? []) texts.push(part);
      return texts.join('');
    },
  ],
  'as the body of a Response': [text, (request) => new Response(request.body).text()],
};

const heads: Record<string, [Message, Use]> = {
  GET: [get, readAll],
  'GET with a body': [{ method: 'GET', body: 'x' }, readAll],
  HEAD: [{ method: 'HEAD' }, readAll],
  POST: [text, readAll],
  'POST without a body': [{ method: 'POST' }, readAll],
  PUT: [{ method: 'PUT', body: 'x' }, readAll],
  PATCH: [{ method: 'PATCH', body: 'x' }, readAll],
  DELETE: [{ method: 'DELETE' }, readAll],
  OPTIONS: [{ method: 'OPTIONS' }, readAll],
  'what else a request has': [
    get,
    (request) => {
      const { destination, referrerPolicy } = request as Request & { destination: string };
      return [destination, referrerPolicy, Object.keys(request.signal)];
    },
  ],
};

const headers: Record<string, [Message, Use]> = {
  'several lines of one name': [
    { headers: { 'X-A': ['1', '2'], 'x-b': '' } },
    ({ headers }) => [headers.get('x-a'), headers.get('X-B'), headers.has('X-A'), headers.get('x-c')],
  ],
  'bytes beyond ASCII': [{ headers: { 'x-a': 'caf\u00e9' } }, ({ headers }) => headers.get('x-a')],
  'a name of objects': [{ headers: { constructor: '1' } }, ({ headers }) => [...headers]],
  'Set-Cookie of a request': [
    { headers: { 'set-cookie': ['a=1', 'b=2'] } },
    ({ headers }) => [headers.getSetCookie(), headers.get('set-cookie')],
  ],
  'each way to go through them': [
    get,
    ({ headers }) => {
      const each: string[] = [];
      headers.forEach((value, name) => each.push(name, value));
      return [each, [...headers.keys()], [...headers.values()], [...headers.entries()], headers instanceof Headers];
    },
  ],
  'are one object': [get, (request) => [request.headers === request.headers, request.headers.constructor === Headers]],
  'are one object after a clone()': [
    text,
    async (request) => {
      request.clone();
      const { headers } = request;
      await request.text();
      return headers === request.headers;
    },
  ],
  'a copy of them': [get, (request) => [...new Headers(request.headers)]],
  'as an object': [get, (request) => Object.fromEntries(request.headers)],
  'a method of Headers on them': [get, ({ headers }) => Headers.prototype.get.call(headers, 'x-a')],
  changed: [get, (request) => [...changed(request).headers]],
  'changed, then cloned': [get, (request) => [...changed(request).clone().headers]],
  'changed after a clone()': [
    get,
    (request) => {
      const clone = request.clone();
      return [[...changed(request).headers], [...clone.headers], [...request.clone().headers]];
    },
  ],
  'changed, then copied': [get, (request, { Request }) => [...new Request(changed(request)).headers]],
  'changed, then as init': [get, (request, { Request }) => [...new Request('http://h/', changed(request)).headers]],
  'that refuse': [get, ({ headers }) => observe(() => headers.set('a b', 'c'))],
};

const copies: Record<string, [Message, Use]> = {
  'clone()': [text, async (request) => [await readAll(request.clone()), await readAll(request)]],
  'clone(), and the clone read last': [
    text,
    async (request) => {
      const clone = request.clone();
      return [request.bodyUsed, await request.text(), clone.bodyUsed, await clone.text()];
    },
  ],
  'clone() of a clone': [text, async (request) => [await request.clone().clone().text(), await request.text()]],
  'a BYOB reader of a clone()': [
    text,
    async (request) => {
      const reader = request.clone().body?.getReader({ mode: 'byob' });
      const read = await reader?.read(new Uint8Array(64));
      return [read?.done, new TextDecoder().decode(read?.value), await request.text()];
    },
  ],
  'cancel() of the body of a clone()': [
    text,
    async (request) => {
      const clone = request.clone();
      const cancelled = clone.body?.cancel('no more');
      return [clone.bodyUsed, request.bodyUsed, await request.text(), await cancelled, clone.bodyUsed];
    },
  ],
  'cancel() after a clone()': [
    text,
    async (request) => {
      const clone = request.clone();
      const cancelled = request.body?.cancel();
      const used = [request.bodyUsed, clone.bodyUsed];
      return [used, await clone.text(), await cancelled];
    },
  ],
  'bodyUsed of a clone() that a reader has begun': [
    text,
    async (request) => {
      const clone = request.clone();
      const reader = clone.body?.getReader();
      const before = clone.bodyUsed;
      await reader?.read();
      return [before, clone.bodyUsed, request.bodyUsed, clone.body?.locked, request.body?.locked];
    },
  ],
  'tee() of the body of a clone()': [
    text,
    async (request) => {
      const clone = request.clone();
      const [one, other] = clone.body?.tee() ?? [];
      return [clone.bodyUsed, await new Response(one).text(), await new Response(other).text(), clone.bodyUsed];
    },
  ],
  'clone() of a GET': [get, (request) => readAll(request.clone())],
  'clone() of one that is locked': [
    text,
    (request) => {
      request.body?.getReader();
      return request.clone();
    },
  ],
  'clone() does not know what user code has hidden': [
    text,
    (request) => {
      Object.defineProperty(request, 'url', { value: 'http://hidden/' });
      Object.defineProperty(request, 'headers', { value: new Headers() });
      return [request.url, readAll(request.clone())];
    },
  ],
  'new Request(request)': [text, (request, { Request }) => readAll(new Request(request))],
  'new Request(request) uses it up': [
    text,
    async (request, { Request }) => {
      void new Request(request);
      return [request.bodyUsed, await observe(() => request.text()), await observe(() => new Request(request))];
    },
  ],
  'new Request(request) of a GET': [get, (request, { Request }) => [readAll(new Request(request)), request.bodyUsed]],
  'new Request(request) after text()': [
    text,
    async (request, { Request }) => {
      await request.text();
      return new Request(request);
    },
  ],
  'new Request(request, init)': [
    text,
    (request, { Request }) => readAll(new Request(request, { method: 'PUT', headers: { a: '1' } })),
  ],
  'new Request(request, init) with another body': [
    text,
    async (request, { Request }) => {
      const copy = new Request(request, { method: 'POST', body: 'other' });
      return [await readAll(copy), request.bodyUsed, await observe(() => request.text())];
    },
  ],
  'new Request(request, init) with a mistake': [
    text,
    (request, { Request }) => new Request(request, { method: 'a b' }),
  ],
  'new Request(url, request)': [text, (request, { Request }) => readAll(new Request('http://h/y', request))],
  'new Request(url, request) of a GET': [get, (request, { Request }) => readAll(new Request('http://h/y', request))],
  'new Request(url, { ...request })': [
    text,
    (request, { Request }) => readAll(new Request('http://h/', { ...request })),
  ],
  'new Request(request.clone())': [text, (request, { Request }) => readAll(new Request(request.clone()))],
  'new request.constructor(request)': [
    text,
    (request) => readAll(new (request.constructor as typeof Request)(request)),
  ],
  'new Request() with mistakes': [
    get,
    (_request, { Request }) =>
      Promise.all(
        [[], [undefined], [null], ['//'], ['http://h/', { method: 'GET', body: 'x' }]].map((args) =>
          observe(() => Reflect.construct(Request, args)),
        ),
      ),
  ],
  'a subclass': [
    text,
    async (request, { Request }) => {
      class Mine extends Request {
        own = this.url.length;
        twice(): number {
          return this.own * 2;
        }
      }
      const mine = new Mine(request, { headers: { a: '1' } });
      const kinds = [mine instanceof Mine, mine instanceof Request, mine instanceof NativeRequest];
      return [kinds, mine.twice(), mine.constructor === Mine, request instanceof Mine, await readAll(mine)];
    },
  ],
};

const passedOn: Record<string, [Message, Use]> = {
  'fetch(request)': [text, async (request, { fetch }) => jsonOf(fetch(request))],
  'fetch(request) of a GET': [get, async (request, { fetch }) => jsonOf(fetch(request))],
  'fetch(request, init)': [
    text,
    async (request, { fetch }) => jsonOf(fetch(request, { method: 'PUT', headers: { a: '1' } })),
  ],
  'fetch(url, request)': [text, async (request, { fetch }) => jsonOf(fetch(new URL('/other', request.url), request))],
  'fetch(new Request(request))': [text, async (request, { Request, fetch }) => jsonOf(fetch(new Request(request)))],
  'fetch(request.clone())': [
    text,
    async (request, { fetch }) => [await jsonOf(fetch(request.clone())), await request.text()],
  ],
  'fetch() after headers were changed': [get, async (request, { fetch }) => jsonOf(fetch(changed(request)))],
  'fetch() of one that was read': [
    text,
    async (request, { fetch }) => {
      await request.text();
      return fetch(request);
    },
  ],
  'fetch() uses it up': [
    text,
    async (request, { fetch }) => {
      await jsonOf(fetch(request));
      return [request.bodyUsed, await observe(() => request.text())];
    },
  ],
  'fetch() with mistakes': [
    get,
    (_request, { fetch }) =>
      Promise.all([[], [undefined], ['//'], [{}]].map((args) => observe(() => Reflect.apply(fetch, undefined, args)))),
  ],
  'name and length of the names': [
    get,
    (_request, { Request, fetch }) => [fetch.name, fetch.length, Request.name, Request.length, typeof Request],
  ],
};

const objects: Record<string, [Message, Use]> = {
  instanceof: [
    get,
    (request, { Request }) => [
      request instanceof Request,
      request instanceof NativeRequest,
      request.clone() instanceof Request,
      new NativeRequest('http://h/') instanceof Request,
      {} instanceof Request,
    ],
  ],
  'its text form': [get, (request) => [String(request), Object.prototype.toString.call(request)]],
  'its keys': [get, (request) => [Object.keys(request), Object.entries(request)]],
  'JSON.stringify()': [get, (request) => JSON.stringify({ request })],
  'a for…in loop': [
    get,
    (request) => {
      const names: string[] = [];
      for (const name in request) names.push(name);
      return names.sort();
    },
  ],
  in: [get, (request) => ['url', 'bytes', 'duplex', 'nothing'].map((name) => name in request)],
  'a member of user code': [
    get,
    (request) => {
      Object.assign(request, { user: 1 });
      return [(request as Request & { user?: number }).user, Object.keys(request), 'user' in request.clone()];
    },
  ],
  'a member that cannot be set': [
    get,
    (request) => ['url', 'body', 'mode'].map((name) => Reflect.set(request, name, 1)),
  ],
  'freeze()': [
    text,
    async (request) => {
      Object.freeze(request).headers.set('a', '1');
      return [request.headers.get('a'), await request.text(), request.bodyUsed];
    },
  ],
  'structuredClone()': [get, (request) => structuredClone(request)],
  'postMessage()': [
    get,
    (request) => {
      const { port1 } = new MessageChannel();
      try {
        port1.postMessage({ request });
      } finally {
        port1.close();
      }
    },
  ],
  'inspect()': [get, (request) => inspect(request)],
  'inspect() of a body': [text, (request) => inspect(request)],
  'inspect() deep inside': [get, (request) => inspect({ a: { b: [request] } }, { depth: 4 })],
  'inspect() leaves the body': [
    text,
    async (request) => {
      inspect(request);
      return [request.bodyUsed, await request.text()];
    },
  ],
  'isDeepStrictEqual()': [get, (request) => [isDeepStrictEqual(request, request), isDeepStrictEqual(request, {})]],
  'as a key of a WeakMap': [get, (request) => new WeakMap([[request, 1]]).get(request)],
  methods: [
    get,
    (request) =>
      ['text', 'json', 'bytes', 'clone', 'formData'].map((name) => {
        const { name: own, length } = request[name as 'text'];
        return [own, length];
      }),
  ],
  'the signal': [
    get,
    ({ signal }) => [signal instanceof AbortSignal, signal.aborted, Object.prototype.toString.call(signal)],
  ],
  'the signal is one object': [
    text,
    (request) => {
      const { signal } = request;
      request.clone();
      return [signal === request.signal, signal === request.clone().signal];
    },
  ],
  'the signal in another': [get, (request) => AbortSignal.any([request.signal]).aborted],
};

describe('a light Request is used as a native one', () => {
  const tables = { readers, streams, heads, headers, copies, passedOn, objects };
  for (const [kind, cases] of Object.entries(tables)) {
    it.each(Object.entries(cases))(`${kind}: %s`, async (_name, [message, use]) => {
      const reference = await ask(nativePort, message, use);
      expect(reference).toBeDefined();
      expect(await ask(lightPort, message, use)).toEqual(reference);
    });
  }
});

/** What differs all the same, by the row of docs/guide/speed.md that says so. */
const differences: { documented: string; message: Message; use: Use; native: unknown; light: unknown }[] = [
  {
    documented: 'the native `Request` and `fetch` refuse a light one',
    message: get,
    use: (request) => new NativeRequest(request) instanceof NativeRequest,
    native: { gave: true },
    light: illegal('Cannot read private member #state from an object whose class did not declare it'),
  },
  {
    documented: 'the native `Request` and `fetch` refuse a light one',
    message: get,
    use: (request) => native.fetch(request).then(({ ok }) => ok),
    native: { gave: true },
    light: illegal('Cannot read private member #state from an object whose class did not declare it'),
  },
  {
    documented: 'methods and getters of `Request.prototype` refuse a light one',
    message: get,
    use: (request, { Request }) => Reflect.get(Request.prototype, 'method', request),
    native: { gave: 'GET' },
    light: illegal('Cannot read private member #state from an object whose class did not declare it'),
  },
  {
    documented:
      '`Request` and `fetch` are not those that `const { Request, fetch } = globalThis` or `Reflect.get(globalThis, name)` gives',
    message: get,
    use: (request, { Request, fetch }) => [
      Request === NativeRequest,
      fetch === globalThis.fetch,
      request.constructor === NativeRequest,
    ],
    native: { gave: [true, true, true] },
    light: { gave: [false, false, false] },
  },
  {
    documented: 'the prototype of a request is not `Request.prototype`',
    message: get,
    use: (request, { Request }) => Object.getPrototypeOf(request) === Request.prototype,
    native: { gave: true },
    light: { gave: false },
  },
  {
    documented: '`request.clone()` and `new Request()` give native ones',
    message: get,
    use: (request, { Request }) =>
      [request.clone(), new Request('http://h/')].map((one) => one.constructor === Request),
    native: { gave: [true, true] },
    light: { gave: [false, false] },
  },
  {
    documented: 'own properties of the request and its prototype, and their order',
    message: get,
    use: (request) => [Reflect.ownKeys(request).length, Object.keys(Object.getPrototypeOf(request))[3]],
    native: { gave: [1, 'destination'] },
    light: { gave: [0, 'signal'] },
  },
  {
    documented: '`inspect()` shows headers that were changed in lower case and sorted',
    message: get,
    use: (request) => [request.clone(), changed(request)].map((one) => /X-A/i.exec(inspect(one))?.[0]),
    native: { gave: ['X-A', 'X-A'] },
    light: { gave: ['X-A', 'x-a'] },
  },
  {
    documented: 'a list of header values that ends with an empty one loses its last space in a copy',
    message: get,
    use: (request) => {
      request.headers.append('accept', '');
      return [request, request.clone()].map(({ headers }) => headers.get('accept'));
    },
    native: { gave: ['*/*, ', '*/*, '] },
    light: { gave: ['*/*, ', '*/*,'] },
  },
  {
    documented: 'the wording of a TypeError that names the class or a private member',
    message: get,
    use: (request) => Object.assign(request, { url: 'x' }),
    native: illegal('Cannot set property url of #<_Request> which has only a getter'),
    light: illegal('Cannot set property url of [object Request] which has only a getter'),
  },
];

describe('what differs from a native Request', () => {
  it.each(differences)('$documented', async ({ message, use, native, light }) => {
    expect(await ask(nativePort, message, use)).toEqual(native);
    expect(await ask(lightPort, message, use)).toEqual(light);
    expect(light).not.toEqual(native);
  });

  it('is what the guide lists', async () => {
    const rows = await rowsOf('Request');
    expect(new Set(rows)).toEqual(new Set(differences.map(({ documented }) => documented)));
  });

  it('is none of what the guide says to do: clone(), or the request as init', async () => {
    const use: Use = async (request) => {
      const copy = new NativeRequest(request.clone());
      const other = new NativeRequest(request.url, request);
      return [await copy.text(), other.method, [...other.headers.keys()], await other.text()];
    };
    const reference = await ask(nativePort, text, use);
    expect(await ask(lightPort, text, use)).toEqual(reference);
    expect(await ask(lightPort, text, (request) => jsonOf(native.fetch(request.clone())))).toMatchObject({
      gave: { method: 'POST', body: 'héllo' },
    });
  });
});

describe('the signal of a light Request', () => {
  /** Sends a message, and leaves once the code has got hold of what it wants. */
  async function leave(use: (request: Request, names: Names) => void, collect = async (): Promise<void> => {}) {
    const reached = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    answer = async (request, names) => {
      use(request, names);
      reached.resolve();
      await left.promise;
    };
    const socket = net.connect(lightPort, '127.0.0.1');
    socket.write(`POST /x HTTP/1.1\r\nHost: 127.0.0.1:${echoPort}\r\nContent-Length: 9\r\n\r\nhalf`);
    await reached.promise;
    await collect();
    socket.destroy();
    return left.resolve;
  }

  async function collect(): Promise<void> {
    setFlagsFromString('--expose-gc');
    const gc = runInNewContext('gc') as () => void;
    for (let round = 0; round < 5; round++) {
      gc();
      await new Promise((resolve) => setImmediate(resolve));
    }
  }

  const aborted = (signal: AbortSignal): Promise<unknown> => once(signal, 'abort');

  it('fires when the client leaves, once the request and a native one of it were collected', async () => {
    const fired = Promise.withResolvers<unknown>();
    const finish = await leave((request) => {
      request.clone();
      aborted(request.signal).then(fired.resolve, fired.reject);
    }, collect);
    await fired.promise;
    finish();
  });

  it('fires on the signal of a copy and of a clone, while the request itself was let go', async () => {
    const kept: Request[] = [];
    const fired = Promise.withResolvers<unknown>();
    const finish = await leave((request, { Request }) => {
      kept.push(request.clone(), new Request(request));
      Promise.all(kept.map(({ signal }) => aborted(signal))).then(fired.resolve, fired.reject);
    }, collect);
    await fired.promise;
    expect(kept.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    finish();
  });

  it('is aborted already for who asks too late', async () => {
    let request: Request | undefined;
    const closed = Promise.withResolvers<void>();
    const finish = await leave((given) => {
      request = given;
      void given.text().catch(() => closed.resolve());
    });
    await closed.promise;
    expect(request?.signal.aborted).toBe(true);
    expect(request?.clone).toThrow(TypeError);
    finish();
  });

  it('ends a fetch that the request was passed on to', async () => {
    const failed = Promise.withResolvers<unknown>();
    const finish = await leave((request, { fetch }) => {
      fetch(request).then(failed.reject, failed.resolve);
    });
    expect(await failed.promise).toMatchObject({ name: 'AbortError' });
    finish();
  });
});

describe('the body of a light Request', () => {
  const large = post('x'.repeat(1_000_001));
  const chunked = { ...large, headers: { 'transfer-encoding': 'chunked' } };

  it('beyond the limit fails with 413, however it is read', async () => {
    const uses: Use[] = [
      (request) => request.text(),
      (request) => request.json(),
      (request) => request.blob(),
      (request) => chunksOf(request.body),
      (request) => request.clone().text(),
      (request, { Request }) => new Request(request).text(),
    ];
    for (const use of uses) {
      const caught = ask(lightPort, chunked, (request, names) =>
        Promise.resolve(use(request, names)).catch(({ status }: { status: number }) => status),
      );
      expect(await caught).toEqual({ gave: 413 });
    }
  });

  it('is lost for who reads it too late, by any reader', async () => {
    const make = (): Request => {
      const body = toRequestBody(
        new ArrivingBody(Readable.from([Buffer.from('late')]), 1000, {
          answer: { writableEnded: false },
          tasks: { running: 0 },
        }),
      );
      return createLightRequest({ method: 'POST', url: 'http://h/', headers: [], body });
    };
    const late = make();
    releaseConnection(late);
    const clone = make();
    releaseConnection(clone);
    const lost = {
      threw: { name: 'TypeError', message: expect.stringContaining('answered before its body was read') },
    };
    expect(await observe(() => late.text())).toMatchObject(lost);
    expect(await observe(() => clone.clone().text())).toMatchObject(lost);
    expect(await observe(() => chunksOf(clone.body))).toMatchObject({ threw: { name: 'TypeError' } });
    expect(await make().text()).toBe('late');
  });
});

describe('the headers of a light Request', () => {
  it('join cookies as HTTP/2 cuts them, and know no pseudo-headers', () => {
    const rawHeaders = [':path', '/x', 'cookie', 'a=1', 'Cookie', 'b=2', 'x-a', '1', 'X-A', '2'];
    const { headers } = createLightRequest({ method: 'GET', url: 'http://h/x', headers: rawHeaders, body: null });
    expect([...headers]).toEqual([
      ['cookie', 'a=1; b=2'],
      ['x-a', '1, 2'],
    ]);
  });
});

describe('a Response of another copy of this package', () => {
  it('is sent like any other', async () => {
    const copy = (await import(`${'./light-response.ts'}?copy`)) as typeof ownCopy;
    expect(copy.LightResponse).not.toBe(ownCopy.LightResponse);
    answer = () => new copy.LightResponse('other', { status: 201, headers: { 'x-a': 'b' } });
    const response = await fetch(`http://127.0.0.1:${lightPort}/x`);
    expect([response.status, response.headers.get('x-a'), await response.text()]).toEqual([201, 'b', 'other']);
  });
});

function boundNames(): Names {
  return (globalThis as never)[Symbol.for('appkit.fetch')];
}

/** Answers with what arrived, less what tells how the body was framed. */
function echo(message: http.IncomingMessage, response: http.ServerResponse): void {
  const { 'content-length': _length, 'transfer-encoding': _encoding, ...headers } = message.headers;
  const chunks: Buffer[] = [];
  message.on('data', (chunk: Buffer) => chunks.push(chunk));
  message.on('end', () => {
    const body = Buffer.concat(chunks).toString();
    response.end(JSON.stringify({ method: message.method, url: message.url, headers, body }));
  });
}

async function answerNatively(message: http.IncomingMessage, response: http.ServerResponse): Promise<void> {
  const { method = '', rawHeaders } = message;
  const chunks: Buffer[] = [];
  for await (const chunk of message) chunks.push(chunk as Buffer);
  const headers = new Headers();
  for (let index = 0; index < rawHeaders.length; index += 2) {
    headers.append(rawHeaders[index] as string, rawHeaders[index + 1] as string);
  }
  const init: RequestInit = { method, headers, signal: new AbortController().signal, duplex: 'half' };
  if (chunks.length > 0 && method !== 'GET') init.body = Buffer.concat(chunks);
  await answer(new NativeRequest(`http://127.0.0.1:${echoPort}${message.url}`, init), native);
  response.end('native');
}

function changed(request: Request): Request {
  request.headers.set('a', '1');
  request.headers.append('x-a', '3');
  request.headers.delete('accept');
  return request;
}

async function blobOf(request: Request): Promise<unknown> {
  const blob = await request.blob();
  return [blob.type, blob.size, await blob.text()];
}

async function chunksOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const reader = body?.getReader();
  let seen = '';
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) seen += toText(read.value);
  return seen;
}

async function jsonOf(response: Promise<Response>): Promise<unknown> {
  return (await response).json();
}

type Method = 'text' | 'json' | 'arrayBuffer' | 'blob' | 'bytes' | 'clone';

async function twice(request: Request, ...methods: Method[]): Promise<unknown[]> {
  const seen: unknown[] = [];
  for (const method of methods) {
    const outcome = (await observe(() => Reflect.apply(request[method] as () => unknown, request, []))) as object;
    seen.push(request.bodyUsed, 'threw' in outcome ? outcome.threw : 'gave');
  }
  return seen;
}

function illegal(message: string): unknown {
  return { threw: { name: 'TypeError', kind: 'TypeError', message } };
}
