import { AsyncLocalStorage } from 'node:async_hooks';
import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import net from 'node:net';
import { describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../../runtime/fixtures/collect-garbage.ts';
import { clientAddress, runTask } from '../../runtime/helpers.ts';
import type { ServerBuild } from '../../runtime/manifest.ts';
import { createListener } from './listener.ts';
import type { FetchOption, ServerOptions } from '../_http/options.ts';
import { LightResponse } from '../_light/light-response.ts';
import { listen } from './node-exchange.cases.ts';

type Route = (request: Request) => unknown;

function buildOf(route: Route, boundFetch = true): ServerBuild {
  const module = { GET: route, POST: route, HEAD: route };
  return {
    manifest: { version: 1, routes: [{ pattern: '/[...path]', file: 'route.js', methods: [] }], boundFetch },
    modules: { 'route.js': () => module },
  };
}

function serve(
  route: Route,
  { boundFetch, ...options }: Partial<ServerOptions> & { boundFetch?: boolean } = {},
): Promise<number> {
  return listen(
    http.createServer(createListener({ build: buildOf(route, boundFetch), onError: () => {}, ...options })),
  );
}

/** Sends bytes and collects the answer until `done` says it is complete or the server closes. */
async function exchange(port: number, text: string, done: (answer: string) => boolean = () => false): Promise<string> {
  const socket = net.connect(port, '127.0.0.1');
  socket.write(text);
  let answer = '';
  for await (const chunk of socket.setEncoding('latin1')) {
    answer += chunk as string;
    if (done(answer)) break;
  }
  socket.destroy();
  return answer;
}

describe('over HTTP/2', () => {
  async function fetchOverHttp2(
    port: number,
    headers: http2.OutgoingHttpHeaders,
    body?: string,
  ): Promise<[http2.IncomingHttpHeaders, string]> {
    const session = http2.connect(`http://127.0.0.1:${port}`);
    const stream = session.request(headers, { endStream: body === undefined });
    stream.end(body);
    const [answered] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk as string;
    session.close();
    return [answered, text];
  }

  it('answers, with the authority as host, without pseudo-headers or connection headers', async () => {
    const route: Route = async (request) =>
      Response.json(
        {
          url: request.url,
          names: [...request.headers.keys()].filter((name) => name.startsWith(':')),
          body: await request.text(),
        },
        {
          headers: [
            ['connection', 'close'],
            ['set-cookie', 'a=1'],
            ['set-cookie', 'b=2'],
          ],
        },
      );
    const port = await listen(http2.createServer(createListener({ build: buildOf(route) })));
    const [headers, text] = await fetchOverHttp2(
      port,
      { ':path': '/x?y=1', ':authority': 'shop.example', ':method': 'POST' },
      'hello',
    );
    expect(headers[':status']).toBe(200);
    expect(headers['set-cookie']).toEqual(['a=1', 'b=2']);
    expect(headers['connection']).toBeUndefined();
    expect(JSON.parse(text)).toEqual({ url: 'http://shop.example/x?y=1', names: [], body: 'hello' });
  });

  it('answers HEAD with the length of the body that GET would get', async () => {
    const port = await listen(http2.createServer(createListener({ build: buildOf(() => new LightResponse('text')) })));
    const [headers, text] = await fetchOverHttp2(port, { ':path': '/x', ':method': 'HEAD' });
    expect([headers[':status'], headers['content-length'], text]).toEqual([200, '4', '']);
  });

  it('reads a body whose chunks share memory', async () => {
    const route: Route = async (request) => new Response(await request.text());
    const port = await listen(http2.createServer(createListener({ build: buildOf(route) })));
    const body = Array.from({ length: 30_000 }, (_, index) => `${index},`).join('');
    const [, text] = await fetchOverHttp2(port, { ':path': '/x', ':method': 'POST' }, body);
    expect(text).toBe(body);
  });

  it('releases a body that was read in part, and its stream', async () => {
    const listener = createListener({
      build: buildOf(async (request) => {
        await request.body?.getReader().read();
        return new Response('partly read');
      }),
    });
    const session = http2.connect(`http://127.0.0.1:${await listen(http2.createServer(listener))}`);
    const stream = session.request({ ':path': '/x', ':method': 'POST' });
    stream.end('x'.repeat(600_000));
    let text = '';
    for await (const chunk of stream.setEncoding('utf8')) text += chunk as string;
    expect(text).toBe('partly read');
    await listener.drain();
    session.close();
  });

  it('streams', async () => {
    const parts = ['a', 'b', 'c'];
    const route: Route = () => new Response(ReadableStream.from(parts.map((part) => new TextEncoder().encode(part))));
    const port = await listen(http2.createServer(createListener({ build: buildOf(route) })));
    const [headers, text] = await fetchOverHttp2(port, { ':path': '/x' });
    expect([headers[':status'], text]).toEqual([200, 'abc']);
  });

  it('breaks off a stream that fails, so that it does not look complete', async () => {
    const route: Route = () => {
      let isBegun = false;
      const pull = (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> | void => {
        if (!isBegun) controller.enqueue(new Uint8Array(1));
        else return new Promise((resolve) => setImmediate(resolve)).then(() => controller.error(new Error('broken')));
        isBegun = true;
      };
      return new Response(new ReadableStream({ pull }));
    };
    const server = http2.createServer(createListener({ build: buildOf(route), onError: () => {} }));
    const session = http2.connect(`http://127.0.0.1:${await listen(server)}`);
    const stream = session.request({ ':path': '/x' }).resume();
    await expect(once(stream, 'close')).rejects.toThrow('NGHTTP2_INTERNAL_ERROR');
    session.close();
  });

  it('aborts request.signal when the client leaves before the answer, and ends the wait for its body', async () => {
    const reached = Promise.withResolvers<void>();
    const read = Promise.withResolvers<string>();
    const listener = createListener({
      build: buildOf(async (request) => {
        const aborted = once(request.signal, 'abort');
        reached.resolve();
        await aborted;
        read.resolve(request.text());
        return new Response();
      }),
    });
    const session = http2.connect(`http://127.0.0.1:${await listen(http2.createServer(listener))}`);
    const stream = session.request({ ':path': '/x', ':method': 'POST' });
    stream.write('a part');
    await reached.promise;
    stream.close(http2.constants.NGHTTP2_CANCEL);
    await expect(read.promise).rejects.toThrow('before it had sent the whole body');
    await listener.drain();
    session.close();
  });
});

describe('a client that leaves', () => {
  it('aborts request.signal even when the route has dropped the request and it was collected', async () => {
    const reached = Promise.withResolvers<void>();
    const aborted = Promise.withResolvers<void>();
    const never = Promise.withResolvers<never>();
    const port = await serve((request) => {
      request.signal.addEventListener('abort', () => aborted.resolve());
      reached.resolve();
      return never.promise;
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
    await reached.promise;
    await collectGarbage();
    socket.destroy();
    await aborted.promise;
  });

  it('gets its late answer dropped, and the body of that answer cancelled', async () => {
    const reached = Promise.withResolvers<void>();
    const cancelled = Promise.withResolvers<void>();
    const port = await serve(async (request) => {
      reached.resolve();
      await once(request.signal, 'abort');
      return new Response(new ReadableStream({ cancel: () => cancelled.resolve() }));
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
    await reached.promise;
    socket.destroy();
    await cancelled.promise;
  });
});

describe('code with a fetch function of its own', () => {
  const told: FetchOption = {
    fetch: (request, { clientAddress, platform }) => {
      const { request: nodeRequest, response } = platform as Record<string, http.ServerResponse>;
      return Response.json([
        request.method,
        clientAddress,
        nodeRequest instanceof http.IncomingMessage,
        response instanceof http.ServerResponse,
      ]);
    },
  };
  const ask = 'PROPFIND //x HTTP/1.1\r\nHost: a.test\r\nX-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n';

  it('receives the address of the client and the objects of Node', async () => {
    const port = await listen(http.createServer(createListener(told)));
    expect(await exchange(port, ask)).toContain('["PROPFIND","127.0.0.1",true,true]');
  });

  it('still has the objects of Node when the client has left before the answer', async () => {
    const reached = Promise.withResolvers<void>();
    const seen = Promise.withResolvers<unknown>();
    const leaving: FetchOption = {
      async fetch(request, context) {
        reached.resolve();
        await once(request.signal, 'abort');
        seen.resolve(context.platform);
        return new Response();
      },
    };
    const socket = net.connect(await listen(http.createServer(createListener(leaving))), '127.0.0.1');
    socket.write(ask);
    await reached.promise;
    socket.destroy();
    expect(await seen.promise).toHaveProperty('request.method', 'PROPFIND');
  });

  it('receives the address that a trusted proxy has added', async () => {
    const port = await listen(http.createServer(createListener({ ...told, trustProxy: true })));
    expect(await exchange(port, ask)).toContain('["PROPFIND","203.0.113.9",true,true]');
  });

  it('has the body limit, and its drain waits for promises passed to waitUntil', async () => {
    const task = Promise.withResolvers<void>();
    const listener = createListener({
      fetch: (_, { waitUntil }) => {
        waitUntil(task.promise);
        return new Response('first');
      },
      maxRequestBodySize: 4,
    });
    const port = await listen(http.createServer(listener));
    const post = (body: string): string =>
      `POST / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    expect(await exchange(port, post('large'))).toContain('413');
    expect(await exchange(port, post('fits'))).toContain('first');
    let isDrained = false;
    const drained = listener.drain().then(() => (isDrained = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(isDrained).toBe(false);
    task.resolve();
    await drained;
  });
});

describe('the address of the client', () => {
  const route = (): Response => new Response(clientAddress());
  const ask = 'GET /x HTTP/1.1\r\nHost: a.test\r\nX-Forwarded-For: 203.0.113.9\r\nConnection: close\r\n\r\n';
  const post = 'POST /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: 1\r\nConnection: close\r\n\r\na';

  it('is known to a route, whatever the client sends', async () => {
    expect(await exchange(await serve(route), ask)).toMatch(/\r\n\r\n127\.0\.0\.1$/);
    expect(await exchange(await serve(route), post)).toMatch(/\r\n\r\n127\.0\.0\.1$/);
  });

  it('is for a route the one that a trusted proxy has added', async () => {
    expect(await exchange(await serve(route, { trustProxy: true }), ask)).toMatch(/\r\n\r\n203\.0\.113\.9$/);
  });
});

describe('behind a proxy of the platform', () => {
  async function ask(headers: string[], trustProxy = 0): Promise<string> {
    const fetch: FetchOption['fetch'] = ({ url }, { clientAddress }) => new Response(`${url} of ${clientAddress}`);
    const port = await listen(
      http.createServer(createListener({ fetch, trustProxy }, { schemeAtEdge: () => 'https' })),
    );
    const lines = ['GET /x HTTP/1.1', 'Host: a.test', 'Connection: close', ...headers];
    const answer = await exchange(port, `${lines.join('\r\n')}\r\n\r\n`);
    return answer.slice(answer.indexOf('\r\n\r\n') + 4);
  }

  it('uses the scheme and client that the platform reports, whatever the client sends', async () => {
    const forged = ['X-Forwarded-Host: evil.test', 'X-Forwarded-For: 203.0.113.9', 'X-Forwarded-Proto: http'];
    expect(await ask([...forged, 'X-Forwarded-For: 198.51.100.7'])).toBe('https://a.test/x of 198.51.100.7');
  });

  it('uses host and client from a trusted proxy in front of the platform', async () => {
    const addresses = 'X-Forwarded-For: 203.0.113.9, 198.51.100.7, 192.0.2.1';
    const headers = ['X-Forwarded-Host: evil.test, shop.test', addresses];
    expect(await ask(headers, 1)).toBe('https://shop.test/x of 198.51.100.7');
  });
});

describe('a request body', () => {
  it('lets the next request on a connection through when the route has read only the start of a body', async () => {
    const port = await serve(async (request) => {
      await request.body?.getReader().read();
      return new Response('partly read');
    });
    const upload = `POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\n${'x'.repeat(300_000)}`;
    const next = 'POST /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\nContent-Length: 0\r\n\r\n';
    const answer = await exchange(port, upload + next);
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
  });

  it('goes on arriving after the answer for code that has begun to read it', async () => {
    for (const read of [
      (request: Request) => request.text(),
      (request: Request) => new Response(request.body).text(),
    ]) {
      const whole = Promise.withResolvers<string>();
      const port = await serve((request) => {
        read(request).then(whole.resolve, whole.reject);
        return new Response('answered');
      });
      const socket = net.connect(port, '127.0.0.1');
      socket.write('POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf');
      await once(socket, 'data');
      socket.write('done');
      expect(await whole.promise).toBe('halfdone');
      socket.destroy();
    }
  });

  it('arrives for code that has teed it and answers at once', async () => {
    const read = Promise.withResolvers<unknown>();
    const port = await serve((request) => {
      const branch = request.body?.tee()[0].getReader().read();
      branch?.then(({ value }) => read.resolve(new TextDecoder().decode(value)), read.reject);
      return new LightResponse('refused', { status: 401 });
    });
    const answer = await exchange(port, 'POST /x HTTP/1.1\r\nHost: a.test\r\nContent-Length: 5\r\n\r\nhello', (text) =>
      text.endsWith('refused'),
    );
    expect(answer).toContain('401');
    expect(await read.promise).toBe('hello');
  });

  it('lets the next request through after it was sent back and other code has ended the answer', async () => {
    const listener = createListener({ build: buildOf((request) => new Response(request.body)) });
    const responses: http.ServerResponse[] = [];
    const port = await listen(
      http.createServer((request, response) => {
        responses.push(response);
        listener(request, response);
      }),
    );
    const socket = net.connect(port, '127.0.0.1').setEncoding('latin1');
    socket.write('POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 300000\r\n\r\nhalf');
    let answer = '';
    socket.on('data', (text: string) => (answer += text));
    await vi.waitUntil(() => answer.includes('half'), { timeout: 60_000 });
    responses[0]?.end();
    socket.write(`${'x'.repeat(299_996)}POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nnext`);
    await vi.waitUntil(() => answer.endsWith('next') || answer.includes('next\r\n'), { timeout: 60_000 });
    expect(answer.match(/HTTP\/1\.1 200/g)).toHaveLength(2);
    socket.destroy();
  });

  it('fails for a task that reads it when the client leaves after the answer: the task would wait forever', async () => {
    const read = Promise.withResolvers<unknown>();
    const port = await serve((request) => {
      runTask(() => request.text().then(read.resolve, read.resolve));
      return new Response('answered');
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 8\r\n\r\nhalf');
    await once(socket, 'data');
    socket.destroy();
    expect(await read.promise).toMatchObject({ name: 'AbortError' });
  });

  it('that has arrived completely can be read even if the client has left', async () => {
    for (const boundFetch of [true, false]) {
      const read = Promise.withResolvers<unknown>();
      const reached = Promise.withResolvers<void>();
      const port = await serve(
        async (request) => {
          reached.resolve();
          await once(request.signal, 'abort');
          request.json().then(read.resolve, read.resolve);
          return new Response();
        },
        { boundFetch },
      );
      const socket = net.connect(port, '127.0.0.1');
      socket.write('POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 13\r\n\r\n{"paid":true}');
      await reached.promise;
      socket.destroy();
      expect(await read.promise).toEqual({ paid: true });
    }
  });

  it('that something in front has read fails with ERR_BODY_CONSUMED, in any form', async () => {
    for (const boundFetch of [true, false]) {
      const listener = createListener({
        build: buildOf(
          (request) => request.text().catch(({ code }) => new Response(code)) as Promise<Response>,
          boundFetch,
        ),
      });
      const port = await listen(
        http.createServer((request, response) => {
          request.resume().on('end', () => listener(request, response));
        }),
      );
      const answer = await fetch(`http://127.0.0.1:${port}/x`, { method: 'POST', body: '{"parsed":true}' });
      expect(await answer.text()).toBe('ERR_BODY_CONSUMED');
    }
  });

  it('disconnects a client that keeps sending a body far beyond the limit', async () => {
    const port = await serve((request) => request.text(), { maxRequestBodySize: 10 });
    const socket = net.connect(port, '127.0.0.1');
    // Not once(), which treats the reset as a failure.
    const closed = new Promise((resolve) => socket.once('close', resolve));
    socket.on('error', () => {}).resume();
    socket.write('POST /x HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n');
    const piece = `100000\r\n${'x'.repeat(0x10_0000)}\r\n`;
    const send = (): void => {
      while (!socket.destroyed && socket.write(piece));
    };
    socket.on('drain', send);
    send();
    await closed;
    // Far less than the 5 minutes that a slow request may take, and than the limit plus what the buffers hold beyond
    // it.
    expect(socket.bytesWritten).toBeLessThan(64 * 1024 * 1024);
  });

  it('fails with an AbortError when the client had left before it was read', async () => {
    const failed = Promise.withResolvers<unknown>();
    const reached = Promise.withResolvers<void>();
    const port = await serve(async (request) => {
      reached.resolve();
      await once(request.signal, 'abort');
      await request.text().catch(failed.resolve);
      return new Response();
    });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf');
    await reached.promise;
    socket.destroy();
    expect(await failed.promise).toMatchObject({ name: 'AbortError' });
  });

  it('reads an upload that breaks off as an AbortError, which is not reported', async () => {
    const onError = vi.fn();
    const failed = Promise.withResolvers<unknown>();
    const reached = Promise.withResolvers<void>();
    const port = await serve(
      async (request) => {
        reached.resolve();
        return request.text().catch((error: unknown) => {
          failed.resolve(error);
          throw error;
        });
      },
      { onError },
    );
    const socket = net.connect(port, '127.0.0.1');
    socket.write('POST /x HTTP/1.1\r\nHost: h\r\nContent-Length: 100\r\n\r\nhalf');
    await reached.promise;
    socket.destroy();
    expect(await failed.promise).toMatchObject({ name: 'AbortError' });
    // Anything that would be reported has been reported by the time another exchange is over.
    await exchange(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(onError.mock.calls.filter(([error]) => (error as Error).name === 'AbortError')).toEqual([]);
  });
});

describe('a response', () => {
  it('of unknown length never runs past a Content-Length of the route’s own', async () => {
    const onError = vi.fn();
    const route: Route = () => {
      const chunks = [new Uint8Array([65]), new Uint8Array([66, 67])];
      return new Response(ReadableStream.from(chunks), { headers: { 'content-length': '2' } });
    };
    const port = await serve(route, { onError });
    const answer = await exchange(port, 'GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
    expect(answer).not.toContain('BC');
    expect(onError).toHaveBeenCalledTimes(1);
  });

  it('that was sent is not reported as an error, from memory or as a stream', async () => {
    const onError = vi.fn();
    const port = await serve(
      ({ url }) =>
        url.endsWith('text') ? new LightResponse('A') : new Response(ReadableStream.from([new Uint8Array([65])])),
      { onError },
    );
    for (const path of ['text', 'stream']) {
      const answer = await exchange(port, `GET /${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      expect(answer).toContain('HTTP/1.1 200');
    }
    expect(onError).not.toHaveBeenCalled();
  });

  it('whose stream yields text instead of bytes is a 500 that says how to encode it', async () => {
    const onError = vi.fn();
    const port = await serve(() => new Response(ReadableStream.from(['text']) as never), { onError });
    const answer = await exchange(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 500');
    expect(String(onError.mock.calls[0]?.[0])).toContain('TextEncoderStream');
  });

  it('that fails before its first chunk is a 500', async () => {
    const route: Route = () =>
      new Response(
        new ReadableStream({
          pull() {
            throw new Error('secret');
          },
        }),
      );
    const port = await serve(route);
    const answer = await exchange(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 500');
    expect(answer).toContain('Internal server error');
    expect(answer).not.toContain('secret');
  });

  it('with a header value that Node refuses is a 500 and does not end the process, even when it streams', async () => {
    const onError = vi.fn();
    // Fetch allows control characters in values, node:http does not.
    const headers = { 'x-reflected': 'a\u0001b' };
    const never = new ReadableStream<Uint8Array>();
    const port = await serve(({ url }) => new Response(url.endsWith('stream') ? never : 'text', { headers }), {
      onError,
    });
    for (const path of ['text', 'stream']) {
      const answer = await exchange(port, `GET /${path} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      expect(answer).toContain('HTTP/1.1 500');
    }
    expect(onError).toHaveBeenCalledTimes(2);
  });

  it('in memory with such a value is a 500 as well', async () => {
    const onError = vi.fn();
    const route: Route = () => {
      const response = new LightResponse('text');
      response.headers.set('x-reflected', 'a\u0001b');
      return response;
    };
    const port = await serve(route, { onError });
    const answer = await exchange(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 500');
    expect(onError).toHaveBeenCalledOnce();
  });

  it('that fails while its first chunk waits for a slow client is reported, and ends only its connection', async () => {
    const reported = Promise.withResolvers<unknown>();
    let pulls = 0;
    const route: Route = () =>
      new Response(
        new ReadableStream<Uint8Array>(
          {
            async pull(controller) {
              pulls++;
              await new Promise((resolve) => setImmediate(resolve));
              if (pulls > 1) throw new Error('second');
              controller.enqueue(new Uint8Array(64 * 1024 * 1024));
            },
          },
          { highWaterMark: 0 },
        ),
      );
    const port = await serve(route, { onError: reported.resolve });
    const socket = net.connect(port, '127.0.0.1');
    socket.write('GET /x HTTP/1.1\r\nHost: h\r\n\r\n');
    socket.resume();
    expect(String(await reported.promise)).toContain('second');
    socket.destroy();
  });

  it('keeps the bytes of a header value, also on a stream', async () => {
    const body = (): ReadableStream<Uint8Array> => ReadableStream.from([new Uint8Array([65]), new Uint8Array([66])]);
    const port = await serve(() => new Response(body(), { headers: { 'x-name': 'caf\u00e9' } }));
    const answer = await exchange(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('x-name: caf\u00e9\r\n');
  });

  it('never carries headers that belong to the connection', async () => {
    const headers = { trailer: 'x', upgrade: 'h2c', 'keep-alive': 'timeout=1', 'transfer-encoding': 'gzip' };
    const port = await serve(() => new Response('x', { headers }));
    const answer = await exchange(port, 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
    expect(answer).toContain('HTTP/1.1 200');
    expect(answer).not.toMatch(/^(trailer|upgrade|keep-alive|transfer-encoding):/im);
  });

  // RFC 9110 section 8.6. A client that trusts this length would read the next response as the body.
  it('204 drops a Content-Length of the route’s own, and the connection keeps answering', async () => {
    const route: Route = ({ url }) =>
      url.endsWith('empty')
        ? new Response(null, { status: 204, headers: { 'content-length': '5' } })
        : new Response('next');
    const port = await serve(route);
    const next = 'GET /next HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n';
    for (const method of ['GET', 'HEAD']) {
      const answer = await exchange(port, `${method} /empty HTTP/1.1\r\nHost: h\r\n\r\n${next}`);
      const [empty, after] = answer.split(/(?=HTTP\/1\.1 )/);
      expect(empty).toMatch(/^HTTP\/1\.1 204 /);
      expect(empty).not.toMatch(/^content-length:/im);
      expect(after).toMatch(/^HTTP\/1\.1 200 /);
    }
  });

  it('to HEAD and a 304 keep a Content-Length of the route’s own: it describes the answer to GET', async () => {
    const route: Route = ({ url }) =>
      new Response(null, { status: url.endsWith('304') ? 304 : 200, headers: { 'content-length': '5' } });
    const port = await serve(route);
    for (const line of ['HEAD /x', 'GET /304']) {
      const answer = await exchange(port, `${line} HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n`);
      expect(answer).toMatch(/^content-length: 5\r$/im);
    }
  });

  it('keeps what a framework has set, and every cookie of both', async () => {
    const listener = createListener({
      build: buildOf(() => new Response('x', { headers: { 'set-cookie': 'route=1', 'x-both': 'route' } })),
    });
    const port = await listen(
      http.createServer((request, response) => {
        response.setHeader('set-cookie', 'framework=1');
        response.setHeader('x-both', 'framework');
        response.setHeader('x-framework', '1');
        listener(request, response);
      }),
    );
    const response = await fetch(`http://127.0.0.1:${port}/x`);
    expect(response.headers.getSetCookie()).toEqual(['framework=1', 'route=1']);
    expect([response.headers.get('x-both'), response.headers.get('x-framework')]).toEqual(['route', '1']);
  });

  it('is left alone when a framework has already answered', async () => {
    const onError = vi.fn();
    const listener = createListener({ build: buildOf(() => new Response('late')), onError });
    const port = await listen(
      http.createServer((request, response) => {
        response.write('fir');
        listener(request, response);
        setImmediate(() => response.end('st'));
      }),
    );
    expect(await (await fetch(`http://127.0.0.1:${port}/x`)).text()).toBe('first');
    // Nor is it an error: the listener has run by the time another exchange is over.
    expect(await (await fetch(`http://127.0.0.1:${port}/x`)).text()).toBe('first');
    expect(onError).not.toHaveBeenCalled();
  });
});

describe('a request', () => {
  it('of HTTP/1.0 without a Host is answered at the address it came to', async () => {
    const port = await serve((request) => new Response(request.url));
    expect(await exchange(port, 'GET /x HTTP/1.0\r\n\r\n')).toContain(`http://127.0.0.1:${port}/x`);
  });
});

describe('code that goes on after the answer', () => {
  it('does not keep the connection', async () => {
    const kept: unknown[] = [];
    const listener = createListener({
      build: buildOf((request) => {
        // As a timer or a pool does.
        kept.push(AsyncLocalStorage.snapshot(), request);
        return new Response('answered');
      }),
    });
    const messages: WeakRef<object>[] = [];
    const server = http.createServer((request, response) => {
      messages.push(new WeakRef(request), new WeakRef(response));
      listener(request, response);
    });
    expect(await exchange(await listen(server), 'GET /x HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n')).toContain(
      'answered',
    );
    const left = (): unknown[] => messages.filter((message) => message.deref());
    await collectGarbage(() => left().length === 0);
    expect([messages.length, left(), kept.length]).toEqual([2, [], 2]);
  });
});

describe('drain()', () => {
  it('waits for responses under way', async () => {
    const source = Promise.withResolvers<ReadableStreamDefaultController<Uint8Array>>();
    const body = new ReadableStream<Uint8Array>({ start: source.resolve });
    const listener = createListener({ build: buildOf(() => new Response(body)) });
    const port = await listen(http.createServer(listener));
    const response = await fetch(`http://127.0.0.1:${port}/x`);
    let drained = false;
    const draining = listener.drain().then(() => (drained = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(drained).toBe(false);
    (await source.promise).close();
    await response.text();
    await draining;
  });
});

describe('the options', () => {
  const build = buildOf(() => new Response());

  it('are refused with their value when they are invalid', () => {
    expect(() => createListener({ build, trustProxy: -1 })).toThrow('trustProxy is -1');
    expect(() => createListener({ build, trustProxy: 'yes' as never })).toThrow('trustProxy is yes');
    expect(() => createListener({ build, maxRequestBodySize: Number.NaN })).toThrow('maxRequestBodySize is NaN');
  });

  it('name the folder and the command when there is no server build', () => {
    expect(() => createListener({ build: '/nowhere/dist/server' })).toThrow(
      /no server build in \/nowhere\/dist\/server.*appkit export -p web/,
    );
  });
});

it('reports a stream that fails, but not one that fails because the client has left', async () => {
  const aborted = Promise.withResolvers<void>();
  const reported = Promise.withResolvers<unknown>();
  const bodyThatFails = (failed: Promise<never>): ReadableStream =>
    new ReadableStream({
      start: (controller) => void failed.catch((error: unknown) => controller.error(error)),
    });
  const port = await serve(
    ({ url, signal }) => {
      if (url.endsWith('/broken')) return new Response(bodyThatFails(Promise.reject(new Error('broken'))));
      // As the body of `fetch(url, { signal })`.
      const left = once(signal, 'abort').then((): never => {
        aborted.resolve();
        throw signal.reason;
      });
      return new Response(bodyThatFails(left));
    },
    { onError: reported.resolve },
  );
  const socket = net.connect(port, '127.0.0.1');
  socket.write('GET /upstream HTTP/1.1\r\nHost: h\r\n\r\n');
  await once(socket, 'data');
  socket.destroy();
  await aborted.promise;
  await exchange(port, 'GET /broken HTTP/1.1\r\nHost: h\r\nConnection: close\r\n\r\n');
  expect(await reported.promise).toMatchObject({ message: 'broken' });
});
