import { setTimeout } from 'node:timers/promises';
import { format, inspect, isDeepStrictEqual } from 'node:util';
import { runInNewContext } from 'node:vm';
import { MessageChannel } from 'node:worker_threads';
import { observe, readAll, toText } from '../../runtime/fixtures/observe.ts';
import { LightResponse, takeWholeResponse } from './light-response.ts';
// The reference is the platform's class: each case runs with both, and must see no difference.

/** The class as a test needs it, to pass values that the types do not allow. */
export interface ResponseClass {
  new (body?: unknown, init?: unknown): Response;
  prototype: Response;
  json(data?: unknown, init?: unknown): Response;
  redirect(url: unknown, status?: unknown): Response;
  error(): Response;
}

export const Native = globalThis.Response as unknown as ResponseClass;
export const Light = LightResponse as unknown as ResponseClass;

const encode = (text: string): Uint8Array<ArrayBuffer> => new TextEncoder().encode(text);
// Missing in Node's types.
declare const WebAssembly: { compileStreaming(source: Response): Promise<object> };

const streamOf = (...texts: string[]): ReadableStream<Uint8Array> => ReadableStream.from(texts.map(encode));

/** How a Response is created, and perhaps changed. Both classes must read the same and send the same. */
export type Make = (R: ResponseClass) => Response;

export const bodies: Record<string, Make> = {
  'no body': (R) => new R(),
  null: (R) => new R(null),
  undefined: (R) => new R(undefined),
  'an empty text': (R) => new R(''),
  'a text': (R) => new R('hello'),
  'a text beyond ASCII': (R) => new R('é ☃ 😀'),
  'a text with lone surrogates': (R) => new R('a\ud800b\udc00'),
  'a text with a BOM': (R) => new R('\ufeffhello'),
  'a text with NUL and line ends': (R) => new R('a\0b\r\nc\u2028'),
  'a text of a megabyte': (R) => new R('é'.repeat(524_288)),
  'a String object': (R) => new R(new String('hello')),
  'a number': (R) => new R(12.5),
  zero: (R) => new R(0),
  false: (R) => new R(false),
  'a bigint': (R) => new R(10n),
  'a symbol': (R) => new R(Symbol('x')),
  'a function': (R) => new R(function given() {}),
  'an array': (R) => new R([1, [2, 'x']]),
  'an object': (R) => new R({ a: 1 }),
  'an object with toString()': (R) => new R({ toString: () => 'told' }),
  'an object without toString()': (R) => new R(Object.create(null)),
  'a promise': (R) => new R(Promise.resolve('x')),
  'a Map': (R) => new R(new Map([['a', 'b']])),
  bytes: (R) => new R(new Uint8Array([0, 255, 128])),
  'no bytes': (R) => new R(new Uint8Array()),
  'a Buffer': (R) => new R(Buffer.from('hello é')),
  'a Buffer that is a part of another': (R) => new R(Buffer.from('hello').subarray(1, 3)),
  'a part of bytes': (R) => new R(encode('hello').subarray(2)),
  'bytes of a class of user code': (R) => new R(new (class Bytes extends Uint8Array {})([65, 66])),
  Uint8ClampedArray: (R) => new R(new Uint8ClampedArray([65, 300])),
  Uint16Array: (R) => new R(new Uint16Array([65, 66])),
  'a DataView': (R) => new R(new DataView(encode('hello').buffer, 1, 2)),
  'an ArrayBuffer': (R) => new R(encode('hello').buffer),
  'bytes of another realm': (R) => new R(runInNewContext('new Uint8Array([65, 66])')),
  'shared bytes': (R) => new R(new Uint8Array(new SharedArrayBuffer(4))),
  'a SharedArrayBuffer': (R) => new R(new SharedArrayBuffer(4)),
  'bytes of a resizable buffer': (R) => new R(new Uint8Array(new ArrayBuffer(4, { maxByteLength: 8 }))),
  'bytes that were given away': (R) => new R(detached()),
  'a Proxy of bytes': (R) => new R(new Proxy(new Uint8Array(2), {})),
  'an object that inherits from bytes': (R) => new R(Object.create(new Uint8Array(2))),
  'a Blob': (R) => new R(new Blob(['hello'], { type: 'text/x' })),
  'a Blob without a type': (R) => new R(new Blob(['hello'])),
  'a File': (R) => new R(new File(['hello'], 'name.txt', { type: 'text/css' })),
  URLSearchParams: (R) => new R(new URLSearchParams({ a: 'b c', é: '&' })),
  'a stream': (R) => new R(streamOf('a', 'b')),
  'an empty stream': (R) => new R(streamOf()),
  'a stream of texts': (R) => new R(ReadableStream.from(['a'])),
  'a stream that fails': (R) => new R(new ReadableStream({ pull: () => Promise.reject(new Error('broken')) })),
  'a stream that is locked': (R) => {
    const stream = streamOf('a');
    stream.getReader();
    return new R(stream);
  },
  'an async generator': (R) =>
    new R(
      (async function* () {
        yield encode('a');
      })(),
    ),
  'a generator': (R) =>
    new R(
      (function* () {
        yield encode('a');
      })(),
    ),
  'a native Response': (R) => new R(new Native('inner')),
  'a light Response': (R) => new R(new Light('inner')),
  'the body of a native Response': (R) => new R(new Native('inner').body),
  'the body of a light Response': (R) => new R(new Light('inner').body),
};

export const copies: Record<string, Make> = {
  'bytes that are changed later': (R) => changedLater(R, new Uint8Array([1, 2, 3])),
  'a Buffer that is changed later': (R) => changedLater(R, Buffer.from('abc')),
  'a part of a Buffer that is changed later': (R) => changedLater(R, Buffer.from('abc').subarray(1)),
  'an ArrayBuffer that is changed later': (R) => {
    const { buffer } = encode('abc');
    const response = new R(buffer);
    new Uint8Array(buffer).fill(9);
    return response;
  },
  'headers that are changed later': (R) => {
    const headers: Record<string, string> = { a: '1' };
    const response = new R('x', { headers });
    headers['a'] = '2';
    headers['b'] = '3';
    return response;
  },
  'a Headers object that is changed later': (R) => {
    const headers = new Headers({ a: '1' });
    const response = new R('x', { headers });
    headers.set('a', '2');
    return response;
  },
  'an init that is changed later': (R) => {
    const init = { status: 201, statusText: 'A' };
    const response = new R('x', init);
    Object.assign(init, { status: 202, statusText: 'B' });
    return response;
  },
};

export const statuses: Record<string, Make> = Object.fromEntries([
  ...[200, 201, 299, 300, 404, 500, 599, 199, 600, 101, 100, 99, 0, -1, 65_736, 201.5, Infinity, Number.NaN].map(
    (status): [string, Make] => [`the status ${status}`, (R) => new R('x', { status })],
  ),
  ...['201', ' 201 ', '201x', '', null, true, 201n, Symbol('x'), {}, { valueOf: () => 201 }, undefined].map(
    (status): [string, Make] => [`the status ${describeValue(status)}`, (R) => new R('x', { status })],
  ),
  ...[204, 205, 304].flatMap((status): [string, Make][] => [
    [`${status} with null`, (R) => new R(null, { status })],
    [`${status} without a body`, (R) => new R(undefined, { status, headers: { a: 'b' } })],
    [`${status} with an empty text`, (R) => new R('', { status })],
    [`${status} with a text`, (R) => new R('x', { status })],
    [`${status} with no bytes`, (R) => new R(new Uint8Array(), { status })],
    [`${status} with a stream`, (R) => new R(streamOf('a'), { status })],
  ]),
]);

export const phrases: Record<string, Make> = Object.fromEntries(
  [
    ['Created', '', ' ', '\t a', 'Élan', 'Ā', 'a\r\nb', 'a\n', 'a\0', '\u007f', '\u0001', '😀'],
    [5, null, undefined, Symbol('x'), { toString: () => 'told' }, ['a', 'b'], new String('boxed')],
  ]
    .flat()
    .map((statusText): [string, Make] => [
      `the status text ${describeValue(statusText)}`,
      (R) => new R('x', { statusText }),
    ]),
);

const values = [
  ['b', '', ' ', ' b ', '\tb\t', 'b  c', 'é', ' é', 'Ā', 'a\r\nb', '\r\nb', 'b\r\n', 'b\n', 'a\0', '\u007f', '\u0001'],
  ['\u00a0b', 'x'.repeat(20_000), `a ${' '.repeat(20_000)}\n`],
  [5, 0, null, undefined, true, Symbol('x'), ['b', 'c'], { toString: () => 'told' }, new String('boxed'), 1n],
].flat();
const names = [
  ['a', 'X-Upper', 'x_y', '1', '', ' ', 'a b', 'a:', 'é', 'a\n', '😀', "!#$%&'*+-.^_`|~", '__proto__', 'constructor'],
  ['set-cookie', 'Set-Cookie2', 'content-length', 'Transfer-Encoding', 'connection', 'content-type', 'CONTENT-TYPE'],
].flat();

export const headers: Record<string, Make> = {
  ...Object.fromEntries(
    values.map((value): [string, Make] => [
      `the header value ${describeValue(value)}`,
      (R) => new R('x', { headers: { a: value } }),
    ]),
  ),
  ...Object.fromEntries(
    names.map((name): [string, Make] => [
      `the header name ${JSON.stringify(name)}`,
      (R) => new R('x', { headers: { [name]: 'text/x' } }),
    ]),
  ),
  'headers undefined': (R) => new R('x', { headers: undefined }),
  'headers null': (R) => new R('x', { headers: null }),
  'headers that are a text': (R) => new R('x', { headers: 'a' }),
  'headers that are a number': (R) => new R('x', { headers: 5 }),
  'headers that are a symbol': (R) => new R('x', { headers: Symbol('x') }),
  'headers that are a function': (R) => new R('x', { headers: Object.assign(() => {}, { a: 'b' }) }),
  'no headers': (R) => new R('x', { headers: {} }),
  'one name in two cases': (R) => new R('x', { headers: { 'X-A': '1', 'x-a': '2' } }),
  'cookies in two cases': (R) => new R('x', { headers: { 'Set-Cookie': 'a=1', 'set-cookie': 'b=2' } }),
  'a content type without a body': (R) => new R(null, { headers: { 'Content-Type': 'text/x' } }),
  'an empty content type': (R) => new R('x', { headers: { 'content-type': '' } }),
  'a content type for bytes': (R) => new R(encode('x'), { headers: { 'Content-type': 'image/x' } }),
  'many headers': (R) =>
    new R('x', { headers: Object.fromEntries(Array.from({ length: 99 }, (_, n) => [`x-${n}`, 'v'])) }),
  'headers out of order': (R) => new R('x', { headers: { b: '2', a: '1', c: '3' } }),
  'a symbol as header name': (R) => new R('x', { headers: { a: 'b', [Symbol('x')]: 'c' } }),
  'a Headers object': (R) => new R('x', { headers: new Headers({ A: '1', b: '2' }) }),
  'a Headers object with cookies': (R) =>
    new R('x', {
      headers: new Headers([
        ['set-cookie', 'a=1'],
        ['set-cookie', 'b=2'],
      ]),
    }),
  'a Headers object with a content type': (R) => new R('x', { headers: new Headers({ 'content-type': 'text/x' }) }),
  'a Headers object of a subclass': (R) => new R('x', { headers: new (class extends Headers {})({ a: 'b' }) }),
  'the headers of a light Response': (R) => new R('x', { headers: new Light('y', { headers: { a: 'b' } }).headers }),
  pairs: (R) =>
    new R('x', {
      headers: [
        ['a', '1'],
        ['A', '2'],
        ['set-cookie', 'c=1'],
        ['set-cookie', 'd=2'],
      ],
    }),
  'pairs that are no pairs': (R) => new R('x', { headers: [['a', '1', '2']] }),
  'pairs of one': (R) => new R('x', { headers: [['a']] }),
  'pairs that are texts': (R) => new R('x', { headers: ['ab'] }),
  'no pairs': (R) => new R('x', { headers: [] }),
  'a Map': (R) => new R('x', { headers: new Map([['a', '1']]) }),
  'a Set': (R) => new R('x', { headers: new Set([['a', '1']]) }),
  'an iterator': (R) => new R('x', { headers: new Map([['a', '1']]).entries() }),
  'a record that can be iterated': (R) =>
    new R('x', { headers: { a: '1', [Symbol.iterator]: () => [['b', '2']].values() } }),
  'URLSearchParams as headers': (R) => new R('x', { headers: new URLSearchParams('a=1&a=2') }),
  'a record without a prototype': (R) => new R('x', { headers: Object.assign(Object.create(null), { a: '1' }) }),
  'a record that inherits': (R) =>
    new R('x', { headers: Object.create({ a: '1' }, { b: { value: '2', enumerable: true } }) }),
  'a record of a class': (R) =>
    new R('x', {
      headers: new (class {
        a = '1';
      })(),
    }),
  'a record of another realm': (R) => new R('x', { headers: runInNewContext('({ a: "1" })') }),
  'a frozen record': (R) => new R('x', { headers: Object.freeze({ a: '1' }) }),
  'a record with a getter': (R) =>
    new R('x', {
      headers: {
        get a() {
          return '1';
        },
      },
    }),
  'a Date as headers': (R) => new R('x', { headers: new Date(0) }),
};

export const inits: Record<string, Make> = {
  ...Object.fromEntries(
    [null, 5, '', 'x', true, Symbol('x'), 1n, [], () => {}, new Date(0), /x/].map((init): [string, Make] => [
      `the init ${describeValue(init)}`,
      (R) => new R('x', init),
    ]),
  ),
  'an empty init': (R) => new R('x', {}),
  'an init with more in it': (R) => new R('x', { status: 201, url: 'http://h', ok: false, body: 'y', type: 'error' }),
  'a frozen init': (R) => new R('x', Object.freeze({ status: 201 })),
  'an init without a prototype': (R) => new R('x', Object.assign(Object.create(null), { status: 201 })),
  'an init of a class': (R) =>
    new R(
      'x',
      new (class {
        status = 201;
      })(),
    ),
  'an init of a class with getters': (R) =>
    new R(
      'x',
      new (class {
        get status() {
          return 201;
        }
      })(),
    ),
  'an init that inherits': (R) => new R('x', Object.create({ status: 201 })),
  'an init of another realm': (R) => new R('x', runInNewContext('({ status: 201, headers: { a: "1" } })')),
  'a native Response as init': (R) =>
    new R('x', new Native('y', { status: 201, statusText: 'A', headers: { a: '1' } })),
  'a light Response as init': (R) => new R('x', new Light('y', { status: 201, statusText: 'A', headers: { a: '1' } })),
  'body and init of a light Response': (R) => again(R, new Light('y', { status: 201, headers: { a: '1' } })),
  'body and init of a native Response': (R) => again(R, new Native('y', { status: 201, headers: { a: '1' } })),
  'a Request as init': (R) => new R('x', new Request('http://h/', { headers: { a: '1' } })),
  'everything at once': (R) =>
    new R('x', { status: 418, statusText: "I'm a teapot", headers: { 'X-A': 'b', 'Content-Type': 'a/b' } }),
  'several mistakes at once': (R) => new R('x', { status: 99, statusText: '\n', headers: { '': '' } }),
  'a mistake beside a header that is fine': (R) => new R('x', { status: 204, headers: { a: '1' } }),
};

const circular: Record<string, unknown> = {};
circular['self'] = circular;

export const statics: Record<string, Make> = {
  ...Object.fromEntries(
    [{ a: [1, { b: null }] }, null, 'text', '\ufeff', '\ud800', 0, true, [], new Date(0), new Map(), { a: undefined }]
      .concat([
        undefined,
        () => {},
        Symbol('x'),
        1n,
        circular,
        { toJSON: () => undefined },
        { toJSON: () => 'told' },
      ] as never[])
      .map((data, index): [string, Make] => [`json() of ${index}: ${describeValue(data)}`, (R) => R.json(data)]),
  ),
  'json() without data': (R) => R.json(),
  'json() with an init': (R) => R.json({ a: 1 }, { status: 201, statusText: 'Made', headers: { 'X-A': 'b' } }),
  'json() with a type of its own': (R) => R.json(1, { headers: { 'CONTENT-TYPE': 'application/problem+json' } }),
  'json() with a Headers object': (R) => R.json(1, { headers: new Headers({ a: '1' }) }),
  'json() with pairs': (R) => R.json(1, { headers: [['content-type', 'a/b']] }),
  'json() with the init null': (R) => R.json(1, null),
  'json() with the init 5': (R) => R.json(1, 5),
  'json() with status 204': (R) => R.json(1, { status: 204 }),
  'json() with status 99': (R) => R.json(1, { status: 99 }),
  'json() with a header that cannot be': (R) => R.json(1, { headers: { 'a b': 'c' } }),
  'json() of what cannot be, with an init that cannot be': (R) => R.json(1n, { status: 99 }),
  'error()': (R) => R.error(),
  'redirect()': (R) => R.redirect('http://h/a b?é'),
  'redirect() with a status': (R) => R.redirect(new URL('http://h/'), 301),
  'redirect() with a status that is no redirect': (R) => R.redirect('http://h/', 200),
  'redirect() to no URL': (R) => R.redirect('//'),
  'a subclass': (R) => new (class Mine extends R {})('x', { status: 201 }),
  'json() of a subclass': (R) => class Mine extends R {}.json({ a: 1 }),
  'a function that constructs it': (R) => Reflect.construct(R, ['x', { status: 201 }]),
  'a bound constructor': (R) => new (R.bind(null, 'x') as unknown as ResponseClass)(),
};

export const changes: Record<string, Make> = {
  'a header set': (R) => changed(new R('x', { headers: { a: '1' } }), ({ headers }) => headers.set('A', '2')),
  'a header appended': (R) => changed(new R('x', { headers: { a: '1' } }), ({ headers }) => headers.append('a', '2')),
  'cookies appended': (R) =>
    changed(new R('x', { headers: { 'set-cookie': 'a=1' } }), ({ headers }) => headers.append('set-cookie', 'b=2')),
  'a header deleted': (R) => changed(new R('x', { headers: { a: '1' } }), ({ headers }) => headers.delete('a')),
  'the content type deleted': (R) => changed(new R('x'), ({ headers }) => headers.delete('content-type')),
  'the content type deleted, then cloned': (R) =>
    changed(new R('x'), ({ headers }) => headers.delete('content-type')).clone(),
  'the content type changed, then cloned': (R) =>
    changed(new R('x'), ({ headers }) => headers.set('content-type', 'a/b')).clone(),
  'a header set on null': (R) => changed(new R(null, { status: 204 }), ({ headers }) => headers.set('a', '1')),
  'a header set after clone()': (R) =>
    changed(new R('x'), (response) => {
      response.clone();
      response.headers.set('a', '1');
    }),
  'a header set after the body was looked at': (R) =>
    changed(new R('x'), (response) => {
      void response.body;
      response.headers.set('a', '1');
    }),
  'a header set on json()': (R) => changed(R.json(1), ({ headers }) => headers.set('a', '1')),
  'a header set when built with a Headers object': (R) =>
    changed(new R('x', { headers: new Headers({ a: '1' }) }), ({ headers }) => headers.set('a', '2')),
  'a header set that is read by a clone': (R) => changed(new R('x'), ({ headers }) => headers.set('a', '1')).clone(),
  'a header set twice around two clones': (R) => {
    const response = changed(new R('x'), ({ headers }) => headers.set('a', '1'));
    response.clone();
    response.headers.set('a', '2');
    response.headers.append('b', '3');
    return response.clone();
  },
  'the body cancelled': (R) => changed(new R('x'), ({ body }) => void body?.cancel()),
  'the body locked': (R) => changed(new R('x'), ({ body }) => void body?.getReader()),
  read: (R) => changed(new R('x'), (response) => void response.text()),
  'a clone': (R) => new R('é', { status: 201, statusText: 'A', headers: { a: '1' } }).clone(),
  'a clone of a clone': (R) => new R('x').clone().clone(),
  'what was cloned': (R) => changed(new R('x'), (response) => void response.clone()),
  'a clone of null': (R) => new R(null, { status: 304 }).clone(),
  'an error changed': (R) => changed(R.error(), ({ headers }) => headers.set('a', '1')),
  'a redirect changed': (R) => changed(R.redirect('http://h/'), ({ headers }) => headers.set('a', '1')),
};

/** What code does with a Response, and what it then sees. */
export type Use = (R: ResponseClass) => unknown;

export const readers: Record<string, Use> = {
  'text() drops a BOM': (R) => new R('\ufeffhello').text(),
  'text() drops one BOM of bytes': (R) => new R(new Uint8Array([239, 187, 191, 239, 187, 191, 65])).text(),
  'text() of broken UTF-8': (R) => new R(new Uint8Array([65, 255, 195])).text(),
  'json() drops a BOM': (R) => new R('\ufeff{"a":1}').json(),
  'json() of what is none': (R) => new R('{').json(),
  'json() of nothing': (R) => new R().json(),
  'bytes()': async (R) => toText(await new R('é').bytes()),
  'arrayBuffer() gives an ArrayBuffer': async (R) => (await new R('é').arrayBuffer()).constructor === ArrayBuffer,
  'bytes() gives bytes of its own': async (R) => {
    const given = encode('abc');
    const bytes = await new R(given).bytes();
    return [bytes.constructor === Uint8Array, bytes.buffer === given.buffer, bytes.byteOffset];
  },
  'blob() has the type': async (R) => blobOf(new R('x', { headers: { 'content-type': 'Text/X; A=B' } })),
  'blob() of a text': async (R) => blobOf(new R('x')),
  'blob() of null': async (R) => blobOf(new R()),
  'blob() after the type was set': async (R) =>
    blobOf(changed(new R('x'), ({ headers }) => headers.set('content-type', 'a/b'))),
  'blob() after the type was set, when the body was looked at': async (R) => {
    const response = new R('x');
    void response.body;
    response.headers.set('content-type', 'a/b');
    return blobOf(response);
  },
  'blob() after the type was deleted': async (R) =>
    blobOf(changed(new R('x'), ({ headers }) => headers.delete('content-type'))),
  'formData() of URLSearchParams': async (R) => [...(await new R(new URLSearchParams('a=1&a=2&b=é')).formData())],
  'formData() of a text': (R) => new R('a=1').formData(),
  'formData() by the type that was set': async (R) => {
    const response = new R('a=1');
    response.headers.set('content-type', 'application/x-www-form-urlencoded');
    return [...(await response.formData())];
  },
  'formData() of FormData': async (R) => {
    const form = new FormData();
    form.append('a', '1');
    form.append('file', new File(['é'], 'name', { type: 'text/x' }));
    const response = new R(form);
    const isMultipart = response.headers.get('content-type')?.startsWith('multipart/form-data; boundary=');
    const read = await response.formData();
    const file = read.get('file') as File;
    return [isMultipart, read.get('a'), file.name, file.type, await file.text()];
  },
  'text() twice': (R) => twice(new R('x'), 'text', 'text'),
  'json(), then text()': (R) => twice(new R('1'), 'json', 'text'),
  'arrayBuffer(), then blob()': (R) => twice(new R('x'), 'arrayBuffer', 'blob'),
  'text(), then clone()': (R) => twice(new R('x'), 'text', 'clone'),
  'text() twice at once': (R) => {
    const response = new R('x');
    return Promise.all([observe(() => response.text()), observe(() => response.text())]);
  },
  'text() twice of null': (R) => twice(new R(null), 'text', 'text'),
  'bodyUsed before, during and after': async (R) => {
    const response = new R('x');
    const seen = [response.bodyUsed];
    const text = response.text();
    seen.push(response.bodyUsed);
    await text;
    return [...seen, response.bodyUsed];
  },
  'bodyUsed of null': async (R) => {
    const response = new R(null);
    await response.text();
    return response.bodyUsed;
  },
  'the body is the same one': (R) => {
    const response = new R('x');
    return [response.body === response.body, response.body?.constructor === ReadableStream, response.body?.locked];
  },
  'the body of null': (R) => new R(null).body,
  'the body, chunk by chunk': async (R) => {
    const chunks: string[] = [];
    for await (const chunk of new R('héllo').body as ReadableStream<Uint8Array>) chunks.push(toText(chunk));
    return chunks;
  },
  'the chunk of bytes is a copy': async (R) => {
    const given = encode('abc');
    const response = new R(given);
    const read = await response.body?.getReader().read();
    read?.value?.fill(0);
    return [toText(given), read?.value?.constructor === Uint8Array];
  },
  'the body by a BYOB reader': async (R) => {
    const reader = new R('hello').body?.getReader({ mode: 'byob' });
    const read = await reader?.read(new Uint8Array(2));
    return [read?.done, toText(read?.value as Uint8Array)];
  },
  'a reader, then text()': async (R) => {
    const response = new R('x');
    const reader = response.body?.getReader();
    const locked = await observe(() => response.text());
    reader?.releaseLock();
    return [locked, response.bodyUsed, await observe(() => response.text()), response.bodyUsed];
  },
  'a chunk, then text()': async (R) => {
    const response = new R('x');
    const reader = response.body?.getReader();
    await reader?.read();
    reader?.releaseLock();
    return [response.bodyUsed, await observe(() => response.text())];
  },
  'cancelled, then text()': async (R) => {
    const response = new R('x');
    await response.body?.cancel();
    return [response.bodyUsed, await observe(() => response.text())];
  },
  'tee() of the body': async (R) => {
    const response = new R('x');
    const both = response.body?.tee() ?? [];
    return [response.bodyUsed, response.body?.locked, await Promise.all(both.map((body) => new Native(body).text()))];
  },
  'pipeThrough() of the body': async (R) => {
    const chunks: string[] = [];
    const texts = new R('é').body?.pipeThrough(new TextDecoderStream()) as ReadableStream<string>;
    for await (const text of texts) chunks.push(text);
    return chunks;
  },
  'clone() before reading': async (R) => {
    const response = new R('x', { headers: { a: '1' } });
    const clone = response.clone();
    return [await readAll(response), await readAll(clone)];
  },
  'clone(), and the clone read first': async (R) => {
    const response = new R(streamOf('a', 'b'));
    const clone = response.clone();
    return [await clone.text(), response.bodyUsed, await response.text()];
  },
  'clone() of one that is locked': (R) => {
    const response = new R('x');
    response.body?.getReader();
    return response.clone();
  },
  'clone() of a clone that was read': async (R) => {
    const clone = new R('x').clone();
    await clone.text();
    return observe(() => clone.clone());
  },
  'clone() has headers of its own': (R) => {
    const response = new R('x');
    const clone = response.clone();
    response.headers.set('a', '1');
    clone.headers.set('b', '2');
    return [[...response.headers], [...clone.headers]];
  },
  'clone() of bytes shares nothing': async (R) => {
    const response = new R(encode('abc'));
    const clone = response.clone();
    (await response.bytes()).fill(0);
    return clone.text();
  },
};

export const objects: Record<string, Use> = {
  'headers are the same object': (R) => {
    const response = new R('x');
    const { headers } = response;
    void response.body;
    return [headers === response.headers, headers.constructor === Headers, headers instanceof Headers];
  },
  'headers are the same object after clone() and text()': async (R) => {
    const response = new R('x');
    response.clone();
    const { headers } = response;
    await response.text();
    return headers === response.headers;
  },
  'headers that refuse': (R) => {
    const { headers } = new R('x');
    return Promise.all([
      observe(() => headers.set('a b', 'c')),
      observe(() => headers.append('a', 'b\nc')),
      observe(() => Reflect.apply(headers.get, headers, [])),
    ]);
  },
  instanceof: (R) => [new R() instanceof Native, new R() instanceof Light, R.error() instanceof R, {} instanceof R],
  'instanceof of what is no object': (R) => [null, undefined, 5, 'x'].map((value) => (value as unknown) instanceof R),
  'instanceof of a native one': (R) => [new Native() instanceof R, new Native().clone() instanceof R],
  'instanceof of a subclass': (R) => {
    class Mine extends R {}
    class Other extends Mine {}
    const all = [new R(), new Native(), new Light(), new Mine(), new Other()];
    return [R, Mine, Other].map((type) => all.map((one) => one instanceof type));
  },
  'a subclass with members': async (R) => {
    // The platform's types declare methods as fields.
    class Page extends (R as unknown as new (...args: unknown[]) => { text(): Promise<string>; ok: boolean }) {
      static of(title: string): Page {
        return new this(title, { status: 201, headers: { 'content-type': 'text/html' } });
      }
      #views = 1;
      title = 'own';
      get views(): number {
        return this.#views;
      }
      override async text(): Promise<string> {
        return `<p>${await super.text()}</p>`;
      }
      get status(): number {
        return (Reflect.get(R.prototype, 'status', this) as number) + 100;
      }
    }
    const page = Page.of('x');
    return [
      page.views,
      page.title,
      page.status,
      page.ok,
      Object.keys(page),
      page.constructor === Page,
      await page.text(),
    ];
  },
  'a subclass of the old kind': (R) => {
    function Old(this: unknown, body: unknown): Response {
      return Reflect.construct(R, [body], Old);
    }
    Object.setPrototypeOf(Old.prototype, R.prototype as object);
    const made = new (Old as unknown as ResponseClass)('x');
    return [made instanceof R, made instanceof Native, made.text()];
  },
  'clone() of a subclass': (R) => {
    class Mine extends R {}
    const clone = new Mine('x').clone();
    return [clone instanceof Mine, clone instanceof R];
  },
  'its text form': (R) => [String(new R()), `${new R()}`, Object.prototype.toString.call(new R()), new R().toString()],
  'its tag': (R) => [(new R() as never)[Symbol.toStringTag], (R.prototype as never)[Symbol.toStringTag]],
  'its keys': (R) => [Object.keys(new R('x')), Reflect.ownKeys(new R('x')), Object.entries(new R('x'))],
  'a spread': (R) => ({ ...new R('x', { status: 201 }) }),
  'JSON.stringify()': (R) => JSON.stringify({ response: new R('x') }),
  'a for…in loop': (R) => {
    const names: string[] = [];
    for (const name in new R('x')) names.push(name);
    return names.sort();
  },
  in: (R) => ['status', 'bytes', 'body', 'nothing'].map((name) => name in new R('x')),
  'a member of user code': (R) => {
    const response = Object.assign(new R('x'), { user: 1, [Symbol.for('x')]: 2 });
    return [(response as { user?: number }).user, Object.keys(response), 'user' in response.clone()];
  },
  'a member that hides another': (R) => {
    const response = Object.defineProperty(new R('x', { status: 201 }), 'status', { value: 299 });
    return [response.status, response.ok, response.clone().status];
  },
  'a member that cannot be set': (R) => [Reflect.set(new R('x'), 'status', 5), Reflect.set(new R('x'), 'body', 'y')],
  'freeze()': async (R) => {
    const response = Object.freeze(new R('x'));
    response.headers.set('a', '1');
    return [response.headers.get('a'), await response.text(), response.bodyUsed];
  },
  'an object that inherits from it': (R) => Object.create(new R('x')).text(),
  'inspect()': (R) => inspect(new R('x', { status: 201, headers: { a: '1' } })),
  'inspect() of one built by Headers': (R) => inspect(new R('x', { headers: new Headers({ a: '1' }) })),
  'inspect() deep inside': (R) => inspect({ a: [{ b: new R(null) }], c: { d: { e: new R('x') } } }, { depth: 3 }),
  'inspect() with a depth of 0': (R) => [inspect(new R('x'), { depth: 0 }), inspect([new R('x')], { depth: 0 })],
  'inspect() with colours': (R) => inspect(new R('x'), { colors: true }),
  'inspect() of a subclass': (R) => inspect(new (class Mine extends R {})('x')),
  'inspect() without custom ones': (R) => inspect(new R('x'), { customInspect: false }).startsWith('Response {'),
  'inspect() leaves the body': async (R) => {
    const response = new R('x');
    inspect(response);
    return [response.bodyUsed, await response.text()];
  },
  'inspect() after a header was set': (R) => inspect(changed(new R('x'), ({ headers }) => headers.set('a', '1'))),
  'format()': (R) => format('%s %o %O %j', new R('x'), new R(null), new R('y'), new R('z')).length > 0,
  'structuredClone()': (R) => structuredClone(new R('x')),
  'structuredClone() inside of another': (R) => structuredClone({ a: [new R('x')] }),
  'postMessage()': (R) => {
    const { port1 } = new MessageChannel();
    try {
      port1.postMessage(new R('x'));
    } finally {
      port1.close();
    }
  },
  'isDeepStrictEqual()': (R) => [isDeepStrictEqual(new R('x'), new R('x')), isDeepStrictEqual(new R('x'), {})],
  'as a key of a Map and a WeakMap': (R) => {
    const response = new R('x');
    return [new Map([[response, 1]]).get(response), new WeakMap([[response, 2]]).get(response)];
  },
  awaited: async (R) => (await new R('x')) instanceof R,
  'members of the prototype': (R) =>
    Reflect.ownKeys(R.prototype)
      .map((key) => describeMember(key, Object.getOwnPropertyDescriptor(R.prototype, key) as PropertyDescriptor))
      .sort(),
  'names and lengths': (R) => [R.name, R.length, typeof R, R.prototype.constructor === (R as unknown)],
  'methods on a native one': async (R) => Promise.all(methodsOf(R, () => new Native('{"a":1}'))),
  'methods on one of its own': async (R) => Promise.all(methodsOf(R, () => new R('{"a":1}'))),
  'methods on one of another kind': async (R) => Promise.all(methodsOf(R, () => ({}))),
  'text() on what is no object': (R) =>
    Promise.all([null, undefined, 5, 'x'].map((receiver) => observe(() => R.prototype.text.call(receiver as never)))),
  'clone() on what is no object': (R) =>
    Promise.all([null, undefined, 5, 'x'].map((receiver) => observe(() => R.prototype.clone.call(receiver as never)))),
  'methods taken off it': async (R) => observe(() => Reflect.apply(new R('x').text, undefined, [])),
  'a method replaced on the prototype': async (R) => {
    const json = Object.getOwnPropertyDescriptor(R.prototype, 'json') as PropertyDescriptor;
    Object.assign(R.prototype, { json: async () => 'replaced' });
    try {
      return [await new R('x').json(), await R.json(1).json()];
    } finally {
      Object.defineProperty(R.prototype, 'json', json);
    }
  },
  'a method added to the native prototype': (R) => {
    const prototype = Native.prototype as Response & { added?: () => number };
    prototype.added = () => 5;
    try {
      return (new R('x') as { added?: () => number }).added?.();
    } finally {
      delete prototype.added;
    }
  },
};

export const others: Record<string, Use> = {
  'as the body of a Request': async (R) => {
    const { body } = new R('x');
    return new Request('http://h/', { method: 'POST', body, duplex: 'half' }).text();
  },
  'as init of a Request': (R) => [
    ...new Request('http://h/', new R('x', { headers: { a: '1' } }) as RequestInit).headers,
  ],
  'as the source of WebAssembly': async (R) => {
    const module = new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0]);
    const response = new R(module, { headers: { 'content-type': 'application/wasm' } });
    return String(await WebAssembly.compileStreaming(response));
  },
  'as the source of WebAssembly, of another type': async (R) => {
    const failed = await observe(() => WebAssembly.compileStreaming(new R('x')));
    return JSON.stringify(failed).includes('ERR_WEBASSEMBLY_RESPONSE') || failed;
  },
  'from a fetch that a test has replaced': async (R) => {
    const fetch = async (): Promise<Response> => R.json({ a: 1 });
    const response = await fetch();
    return [response.ok, await response.json()];
  },
  'raced and passed through promises': async (R) => {
    const response = await Promise.race([Promise.resolve(new R('x')), setTimeout(1000, undefined, { ref: false })]);
    return (response as Response).text();
  },
  'from one to the other and back': async (R) => {
    const first = new R('x', { status: 201, headers: { a: '1' } });
    const second = new Native(first.body, first);
    const third = new R(second.body, second);
    return readAll(third);
  },
  'init is read once, in order': (R) => {
    const reads: string[] = [];
    const read = <T>(name: string, value: T): T => {
      reads.push(name);
      return value;
    };
    const init = {
      get status() {
        return read('status', 201);
      },
      get statusText() {
        return read('statusText', 'A');
      },
      get headers() {
        return read('headers', { a: '1' });
      },
    };
    const response = new R('x', init);
    return [reads, response.status, response.statusText];
  },
  'init that is not taken over is read once, too': (R) => {
    const reads: string[] = [];
    const init = {
      get status() {
        return reads.push('status') && 201;
      },
      get statusText() {
        return reads.push('statusText') && 'É';
      },
      get headers() {
        return reads.push('headers') && new Headers();
      },
    };
    return [new R('x', init).statusText, reads];
  },
  'headers are read once, in order': (R) => {
    const reads: string[] = [];
    const headers = {
      get b() {
        return reads.push('b') && '1';
      },
      get a() {
        return reads.push('a') && '2';
      },
    };
    return [[...new R('x', { headers }).headers], reads];
  },
  'headers that are not taken over are read once, too': (R) => {
    const reads: string[] = [];
    const headers = {
      get b() {
        return reads.push('b') && 'é';
      },
      get a() {
        return reads.push('a') && 5;
      },
    };
    return [[...new R('x', { headers }).headers], reads];
  },
  'a getter that throws': (R) => {
    const init = {
      get status(): number {
        throw new RangeError('mine');
      },
    };
    return new R('x', init);
  },
  'toJSON() is asked once': (R) => {
    let asked = 0;
    const data = { toJSON: () => ++asked };
    return [R.json(data).status, R.json(data, { headers: new Headers() }).status, asked];
  },
  'json() reads init, then data': (R) => {
    const reads: string[] = [];
    const init = {
      get status() {
        return reads.push('init') && 201;
      },
    };
    R.json({ toJSON: () => reads.push('data') }, init);
    return reads;
  },
  'json() without data reads init once': async (R) => {
    const reads: string[] = [];
    const init = {
      get status() {
        return reads.push('init') && 201;
      },
    };
    return [await observe(() => R.json(undefined, init)), reads];
  },
  'toString() of a body is asked once': (R) => {
    let asked = 0;
    const response = new R({ toString: () => `told ${++asked}` }, { status: 201 });
    return [asked, response.text()];
  },
};

/** The known differences, by the row of docs/guide/speed.md that lists each. */
export const differences: { documented: string; use: Use; native: unknown; light: unknown }[] = [
  {
    documented:
      '`Response` is not the one that `const { Response } = globalThis` or `Reflect.get(globalThis, name)` gives',
    use: (R) => [
      (R as unknown) === globalThis.Response,
      new R().constructor === globalThis.Response,
      Object.getPrototypeOf(new R()) === globalThis.Response.prototype,
    ],
    native: { gave: [true, true, true] },
    light: { gave: [false, false, false] },
  },
  {
    documented: '`response.clone()`, `Response.error()` and `Response.redirect()` give native ones',
    use: (R) => [new R().clone(), R.error(), R.redirect('http://h/')].map((one) => one.constructor === (R as unknown)),
    native: { gave: [true, true, true] },
    light: { gave: [false, false, false] },
  },
  {
    documented: 'methods and getters of the native prototype refuse a light one',
    use: (R) => [
      Native.prototype.text.call(new R('x')) instanceof Promise,
      Reflect.get(Native.prototype, 'status', new R()),
    ],
    native: { gave: [true, 200] },
    light: illegal('Cannot read private member #state from an object whose class did not declare it'),
  },
  {
    documented: 'getters of `Response.prototype` refuse a native one',
    use: (R) => Reflect.get(R.prototype, 'status', new Native('x', { status: 201 })),
    native: { gave: 201 },
    light: illegal('Cannot read private member #native from an object whose class did not declare it'),
  },
  {
    documented: 'own properties of the class and their order, and the prototypes of both',
    use: (R) => [
      [Object.keys(R).sort(), R.json.length, Object.keys(R.prototype)[0]],
      [Object.getPrototypeOf(R) === Function.prototype, Object.getPrototypeOf(R.prototype) === Object.prototype],
    ],
    native: {
      gave: [
        [['error', 'json', 'redirect'], 1, 'type'],
        [true, true],
      ],
    },
    light: {
      gave: [
        [[], 0, 'status'],
        [false, false],
      ],
    },
  },
  {
    documented: 'the order in which headers of different names are sent',
    use: (R) => {
      const response = new R('x', { headers: { 'x-b': '1', a: '2' } });
      const { headers } = takeWholeResponse(response) ?? response;
      return headers instanceof Headers ? [...headers.keys()] : headers.filter((_, index) => index % 2 === 0);
    },
    native: { gave: ['a', 'content-type', 'x-b'] },
    light: { gave: ['x-b', 'a', 'content-type'] },
  },
  {
    documented: 'the wording of a TypeError that names the class or a private member',
    use: (R) => Reflect.apply(R as unknown as () => unknown, undefined, []),
    native: illegal("Class constructor _Response cannot be invoked without 'new'"),
    light: illegal("Class constructor Light cannot be invoked without 'new'"),
  },
  {
    documented: 'the wording of a TypeError that names the class or a private member',
    use: (R) => Object.assign(new R(), { status: 5 }),
    native: illegal('Cannot set property status of #<_Response> which has only a getter'),
    light: illegal('Cannot set property status of #<Light> which has only a getter'),
  },
  {
    documented: 'the wording of a TypeError that names the class or a private member',
    use: (R) => R.prototype.status,
    native: illegal('Illegal invocation'),
    light: illegal('Cannot read private member #native from an object whose class did not declare it'),
  },
  {
    documented: 'all of `init` is read before any of it is checked',
    use: (R) => {
      const init = {
        status: Symbol('x'),
        get statusText(): string {
          throw new RangeError('mine');
        },
      };
      return new R('x', init);
    },
    native: illegal('Cannot convert a Symbol value to a number'),
    light: { threw: { name: 'RangeError', kind: 'RangeError', message: 'mine' } },
  },
  {
    documented: 'a Proxy given as `init` is asked for its prototype',
    use: (R) => trapsOf((proxy) => new R('x', proxy)),
    native: { gave: ['get headers', 'get status', 'get statusText'] },
    light: { gave: ['getPrototypeOf', 'get headers', 'get status', 'get statusText'] },
  },
  {
    documented: '`inspect()` shows the names of headers in lower case',
    use: (R) => /X-A/i.exec(inspect(new R('x', { headers: { 'X-A': '1' } })))?.[0],
    native: { gave: 'X-A' },
    light: { gave: 'x-a' },
  },
  {
    documented: 'a list of header values that ends with an empty one loses its last space in a copy',
    use: (R) => {
      const response = new R('x', { headers: { a: '1' } });
      response.headers.append('a', '');
      return [response, response.clone()].map(({ headers }) => headers.get('a'));
    },
    native: { gave: ['1, ', '1, '] },
    light: { gave: ['1, ', '1,'] },
  },
  {
    documented: 'header names that are not enumerable are left out',
    use: (R) => [...new R(null, { headers: Object.defineProperty({}, 'a', { value: '1' }) }).headers],
    native: { gave: [['a', '1']] },
    light: { gave: [] },
  },
];

/**
 * What an adapter sends of a Response: the result of `takeWholeResponse()`, if any, must agree with the public members.
 */
export async function sent(response: Response): Promise<unknown> {
  const whole = takeWholeResponse(response);
  const { status, statusText, headers, body } = whole ?? { ...headOf(response), body: await bytesOf(response) };
  const pairs = Array.isArray(headers)
    ? headers.flatMap((name: string, index) => (index % 2 === 0 ? [[name, headers[index + 1]]] : []))
    : [...(headers as Headers)];
  const bytes = typeof body === 'string' ? Buffer.from(body) : body;
  return { status, statusText, headers: pairs.map(String).sort(), body: bytes && toText(bytes) };
}

async function bytesOf(response: Response): Promise<Uint8Array | null> {
  return response.body ? new Uint8Array(await response.arrayBuffer()) : null;
}

function headOf({ status, statusText, headers }: Response): Pick<Response, 'status' | 'statusText' | 'headers'> {
  return { status, statusText, headers };
}

function changedLater(R: ResponseClass, bytes: Uint8Array): Response {
  const response = new R(bytes);
  bytes.fill(9);
  return response;
}

export function changed(response: Response, change: (response: Response) => void): Response {
  change(response);
  return response;
}

function again(R: ResponseClass, response: Response): Response {
  return new R(response.body, response);
}

function detached(): Uint8Array {
  const bytes = new Uint8Array(4);
  structuredClone(bytes, { transfer: [bytes.buffer] });
  return bytes;
}

async function blobOf(response: Response): Promise<unknown> {
  const blob = await response.blob();
  return [blob.type, blob.size, await blob.text(), blob.constructor === Blob];
}

async function twice(response: Response, ...methods: ('text' | 'json' | 'arrayBuffer' | 'blob' | 'clone')[]) {
  const seen: unknown[] = [];
  for (const method of methods) {
    const outcome = (await observe(() => Reflect.apply(response[method] as () => unknown, response, []))) as {
      threw?: unknown;
    };
    seen.push(response.bodyUsed, outcome.threw);
  }
  return seen;
}

function methodsOf(R: ResponseClass, make: () => unknown): Promise<unknown>[] {
  const methods = ['text', 'json', 'arrayBuffer', 'bytes', 'blob', 'formData', 'clone'] as const;
  return methods.map(async (method) => {
    const outcome = await observe(() => Reflect.apply(R.prototype[method] as () => unknown, make(), []));
    return [method, Object.keys(outcome as object), (outcome as { threw?: unknown }).threw];
  });
}

function describeMember(key: PropertyKey, member: PropertyDescriptor): string {
  const { enumerable, configurable, writable, value, get } = member;
  const method =
    typeof value === 'function' && key !== 'constructor' ? `${value.name}/${value.length}` : (get?.name ?? 'none');
  return [String(key), enumerable, configurable, writable, method].join(' ');
}

function describeValue(value: unknown): string {
  return inspect(value, { depth: 1 }).replaceAll(/\s+/g, ' ').slice(0, 40);
}

function illegal(message: string): unknown {
  return { threw: { name: 'TypeError', kind: 'TypeError', message } };
}

export async function twiceRead(response: Response): Promise<string> {
  await response.text();
  return response.text();
}

function trapsOf(use: (proxy: object) => unknown): string[] {
  const traps: string[] = [];
  const handler = new Proxy({} as ProxyHandler<object>, {
    get:
      (_target, trap: keyof ProxyHandler<object>) =>
      (target: object, ...args: unknown[]) => {
        traps.push([trap, ...(trap === 'get' ? [args[0]] : [])].join(' '));
        return Reflect.apply(Reflect[trap] as () => unknown, Reflect, [target, ...args]);
      },
  });
  use(new Proxy({ status: 201 }, handler));
  return traps;
}
