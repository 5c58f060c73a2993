import { once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { collectGarbage } from '../../runtime/fixtures/collect-garbage.ts';
import { observe, rowsOf } from '../../runtime/fixtures/observe.ts';
import { ArrivingBody } from '../_node/arriving-body.ts';
import { createLightRequest, LightRequest, releaseConnection } from './light-request.ts';
import {
  NativeRequest,
  chunksOf,
  copies,
  differences,
  headers,
  heads,
  jsonOf,
  native,
  objects,
  passedOn,
  post,
  readers,
  streams,
  text,
} from './light-request.cases.ts';
import type { Message, Names, Use } from './light-request.cases.ts';
import * as ownCopy from './light-response.ts';
import { createListener } from '../_node/listener.ts';
import { toRequestBody } from '../_node/request-body.ts';
import { toImmutableRequest } from '../../runtime/request/immutable-request.ts';
import { quickHeader, quickView } from '../../runtime/request/quick-request.ts';
import { trackHeaderReads } from '../../runtime/request/track-headers.ts';

// Requests name the echo server as their host, so that code can pass them on.
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

/** Sends a message to a server, and returns what the server's code has seen. */
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
describe('a light Request is used like a native one', () => {
  const tables = { readers, streams, heads, headers, copies, passedOn, objects };
  for (const [kind, cases] of Object.entries(tables)) {
    it.each(Object.entries(cases))(`${kind}: %s`, async (_name, [message, use]) => {
      const reference = await ask(nativePort, message, use);
      expect(reference).toBeDefined();
      expect(await ask(lightPort, message, use)).toEqual(reference);
    });
  }
});

describe('the differences from a native Request', () => {
  it.each(differences)('$documented', async ({ message, use, native, light }) => {
    expect(await ask(nativePort, message, use)).toEqual(native);
    expect(await ask(lightPort, message, use)).toEqual(light);
    expect(light).not.toEqual(native);
  });

  it('is what the guide lists', async () => {
    const rows = await rowsOf('Request');
    expect(new Set(rows)).toEqual(new Set(differences.map(({ documented }) => documented)));
  });

  it('do not occur with what the guide recommends: clone(), or the request as init', async () => {
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
  /** Sends a message, and leaves once the server's code holds the object under test. */
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

  const aborted = (signal: AbortSignal): Promise<unknown> => once(signal, 'abort');

  it('fires when the client leaves, even after the request and a native copy of it were collected', async () => {
    const fired = Promise.withResolvers<unknown>();
    const finish = await leave((request) => {
      request.clone();
      aborted(request.signal).then(fired.resolve, fired.reject);
    }, collectGarbage);
    await fired.promise;
    finish();
  });

  it('fires on the signal of a copy and of a clone, after the request itself was dropped', async () => {
    const kept: Request[] = [];
    const fired = Promise.withResolvers<unknown>();
    const finish = await leave((request, { Request }) => {
      kept.push(request.clone(), new Request(request));
      Promise.all(kept.map(({ signal }) => aborted(signal))).then(fired.resolve, fired.reject);
    }, collectGarbage);
    await fired.promise;
    expect(kept.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    finish();
  });

  it("fires on the signal of a copy of the middleware's request", async () => {
    const kept: Request[] = [];
    const fired = Promise.withResolvers<unknown>();
    const finish = await leave((request, { Request }) => {
      const view = toImmutableRequest(request);
      kept.push(view, new Request(view), view.clone());
      Promise.all(kept.map(({ signal }) => aborted(signal))).then(fired.resolve, fired.reject);
    }, collectGarbage);
    await fired.promise;
    expect(kept.map(({ signal }) => signal.aborted)).toEqual([true, true, true]);
    finish();
  });

  it('is already aborted for code that asks too late', async () => {
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

  it('is lost for code that reads it too late, with any reader', async () => {
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

  it('is still empty when it is read late if there was none', async () => {
    const request = createLightRequest({ method: 'GET', url: 'http://h/', headers: [], body: null });
    releaseConnection(request);
    expect(await request.text()).toBe('');
  });
});

describe('the headers of a light Request', () => {
  it('join cookies that HTTP/2 has split, and contain no pseudo-headers', () => {
    const rawHeaders = [':path', '/x', 'cookie', 'a=1', 'Cookie', 'b=2', 'x-a', '1', 'X-A', '2'];
    const { headers } = createLightRequest({ method: 'GET', url: 'http://h/x', headers: rawHeaders, body: null });
    expect([...headers]).toEqual([
      ['cookie', 'a=1; b=2'],
      ['x-a', '1, 2'],
    ]);
  });
});

describe('what the runtime reads of a light Request', () => {
  const headers = ['X-A', '1', 'x-a', '2'];
  const bodyless = (): Request => createLightRequest({ method: 'GET', url: 'http://h/x', headers, body: null });

  it('is a single header, also one that code has changed', () => {
    const request = bodyless();
    expect([quickHeader(request, 'x-a'), quickHeader(request, 'x-b')]).toEqual(['1, 2', null]);
    request.headers.set('x-a', '3');
    expect(quickHeader(request, 'x-a')).toBe('3');
  });

  it("is the middleware's view, which cannot be changed", async () => {
    const request = bodyless();
    request.headers.set('x-b', '3');
    const view = quickView(request) as Request;
    expect([view.method, view.url, [...view.headers]]).toEqual([
      'GET',
      'http://h/x',
      [
        ['x-a', '1, 2'],
        ['x-b', '3'],
      ],
    ]);
    expect(view.headers).toBe(view.headers);
    expect(() => view.headers.set('x-a', '4')).toThrow(expect.objectContaining({ code: 'ERR_REQUEST_IMMUTABLE' }));
    expect(await view.text()).toBe('');
  });

  it("leaves the body to the route, not to the middleware's view", async () => {
    const body = { whole: async () => Buffer.from('body'), forNative: () => new Uint8Array() };
    const request = createLightRequest({ method: 'POST', url: 'http://h/x', headers, body });
    await expect(quickView(request)?.text()).rejects.toMatchObject({ code: 'ERR_REQUEST_IMMUTABLE' });
    expect(await request.text()).toBe('body');
  });

  it('is noted as read in whole when a native request is made of it', () => {
    const request = bodyless();
    const reads = trackHeaderReads(request);
    expect(reads.isAll).toBe(false);
    expect(new LightRequest(request).headers.get('x-a')).toBe('1, 2');
    expect(reads.isAll).toBe(true);
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

/** Answers with what arrived, except the headers about the framing of the body. */
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
