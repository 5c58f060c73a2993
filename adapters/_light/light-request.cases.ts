import { inspect, isDeepStrictEqual } from 'node:util';
import { MessageChannel } from 'node:worker_threads';
import { observe, readAll, toText } from '../../runtime/fixtures/observe.ts';
// The reference is a platform Request made from the same message: each case runs with both over a real server, and must see no difference.

/** What code means by these names. */
export type Names = Pick<typeof globalThis, 'Request' | 'fetch'>;
export type Use = (request: Request, names: Names) => unknown;

export interface Message {
  method?: string;
  path?: string;
  headers?: Record<string, string | string[]>;
  body?: string | Uint8Array;
}

export const NativeRequest = globalThis.Request;
export const native: Names = { Request: NativeRequest, fetch: globalThis.fetch };

export const post = (body: string | Uint8Array, type = 'text/plain'): Message => ({
  method: 'POST',
  headers: { 'content-type': type },
  body,
});
const get: Message = { path: '/a%20b?q=1&q=2', headers: { 'X-A': ['1', '2'], cookie: 'a=1; b=2', accept: '*/*' } };
export const text = post('héllo');

export const readers: Record<string, [Message, Use]> = {
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

export const streams: Record<string, [Message, Use]> = {
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

export const heads: Record<string, [Message, Use]> = {
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

export const headers: Record<string, [Message, Use]> = {
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

export const copies: Record<string, [Message, Use]> = {
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
  'new Request(url, request) reads what user code has hidden': [
    text,
    (request, { Request }) => {
      Object.defineProperty(request, 'method', { value: 'PUT' });
      return new Request('http://h/y', request).method;
    },
  ],
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

export const passedOn: Record<string, [Message, Use]> = {
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

export const objects: Record<string, [Message, Use]> = {
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
  'inspect() twice': [get, (request) => [inspect(request), inspect(request)]],
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

/** The known differences, by the row of docs/guide/speed.md that lists each. */
export const differences: { documented: string; message: Message; use: Use; native: unknown; light: unknown }[] = [
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

export async function chunksOf(body: ReadableStream<Uint8Array> | null): Promise<string> {
  const reader = body?.getReader();
  let seen = '';
  for (let read = await reader?.read(); read && !read.done; read = await reader?.read()) seen += toText(read.value);
  return seen;
}

export async function jsonOf(response: Promise<Response>): Promise<unknown> {
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
