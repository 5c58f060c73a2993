import { once } from 'node:events';
import http from 'node:http';
import type { ServerResponse } from 'node:http';
import http2 from 'node:http2';
import compression from 'compression';
import { describe, expect, it } from 'vitest';
import { LightResponse } from '../_light/light-response.ts';
import { createListener } from './listener.ts';
import { askFor, askOverHttp2, connect, listen } from './node-exchange.cases.ts';
import { respond } from './respond.ts';

type Controller = ReadableStreamDefaultController<Uint8Array>;

const GET = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
const HEAD = GET.replace('GET', 'HEAD');

const toBytes = (text: string): Uint8Array => new TextEncoder().encode(text);

/** A body without an end of its own, with what fills it and the reason for which it was cancelled. */
async function openBody(): Promise<{ body: ReadableStream; controller: Controller; cancelled: Promise<unknown> }> {
  const source = Promise.withResolvers<Controller>();
  const cancelled = Promise.withResolvers<unknown>();
  const body = new ReadableStream({ start: source.resolve, cancel: cancelled.resolve });
  return { body, controller: await source.promise, cancelled: cancelled.promise };
}

/** A server that answers with the Response, after other code has had the answer. */
async function serve(response: Response, front?: (nodeResponse: ServerResponse) => void): Promise<Served> {
  const responded = Promise.withResolvers<ServerResponse>();
  const server = http.createServer((nodeRequest, nodeResponse) => {
    front?.(nodeResponse);
    new Promise((resolve) => resolve(respond(response, nodeResponse, nodeRequest.method))).then(
      () => responded.resolve(nodeResponse),
      responded.reject,
    );
  });
  return { port: await listen(server), server, responded: responded.promise };
}

interface Served {
  port: number;
  server: http.Server;
  /** Resolves or rejects as `respond` did. */
  responded: Promise<ServerResponse>;
}

async function ask(response: Response, text = GET): Promise<{ head: string; body: string }> {
  const { port } = await serve(response);
  const [head = '', body = ''] = (await askFor(port, text)).split(/\r\n\r\n(.*)/s);
  return { head, body };
}

const inUtf8 = (text: string): string => Buffer.from(text).toString('latin1');

describe('a body in memory', () => {
  it('is sent as UTF-8 with its length in bytes, and header values as they are', async () => {
    for (const text of ['plain', 'déjà €']) {
      const response = new LightResponse(text);
      response.headers.set('x-name', 'caf\u00e9');
      const { head, body } = await ask(response);
      expect(body).toBe(inUtf8(text));
      expect(head).toMatch(new RegExp(`^content-length: ${body.length}$`, 'm'));
      expect(head).toContain('x-name: caf\u00e9\r\n');
    }
  });

  it('is sent as it is when it is bytes', async () => {
    const { head, body } = await ask(new LightResponse(new Uint8Array([0, 0xe9, 0xff])));
    expect(body).toBe('\0\u00e9\u00ff');
    expect(head).toContain('content-length: 3');
  });

  it('is left out of the answer to HEAD, which has its length', async () => {
    const { head, body } = await ask(new LightResponse('hello'), HEAD);
    expect([head.includes('content-length: 5'), body]).toEqual([true, '']);
  });

  it('is left out of the answer to HEAD over HTTP/2', async () => {
    const server = http2.createServer((_, nodeResponse) => {
      respond(new LightResponse('hello'), nodeResponse, 'HEAD');
    });
    const [headers, stream] = await askOverHttp2(await listen(server), 'HEAD');
    expect(headers['content-length']).toBe('5');
    await once(stream.resume(), 'close');
    expect(stream.rstCode).toBe(http2.constants.NGHTTP2_NO_ERROR);
  });
});

describe('a stream', () => {
  it('sends its head before its first chunk', async () => {
    const { body, controller } = await openBody();
    const { port } = await serve(new Response(body, { status: 201 }));
    const socket = connect(port, GET).setEncoding('latin1');
    expect(String(await once(socket, 'data'))).toMatch(/^HTTP\/1\.1 201 /);
    controller.enqueue(toBytes('first'));
    expect(String(await once(socket, 'data'))).toContain('first');
  });

  it('sends its head before its first chunk over HTTP/2', async () => {
    const { body, controller } = await openBody();
    const server = http2.createServer((_, nodeResponse) => {
      void respond(new Response(body, { status: 201 }), nodeResponse, 'GET');
    });
    const [headers, stream] = await askOverHttp2(await listen(server));
    expect(headers[':status']).toBe(201);
    controller.enqueue(toBytes('first'));
    expect(String(await once(stream, 'data'))).toBe('first');
  });

  it('sends its head before its first chunk through middleware that compresses', async () => {
    const { body } = await openBody();
    const response = new Response(body, { headers: { 'content-type': 'text/event-stream' } });
    const compress = compression();
    const server = http.createServer((nodeRequest, nodeResponse) => {
      compress(nodeRequest as never, nodeResponse as never, () => void respond(response, nodeResponse, 'GET'));
    });
    // Unlike gzip, Brotli sends nothing by itself before the first bytes.
    const request = http.get({ port: await listen(server), headers: { 'accept-encoding': 'br' } });
    const [{ headers }] = (await once(request, 'response')) as [http.IncomingMessage];
    expect(headers['content-encoding']).toBe('br');
    request.on('error', () => {}).destroy();
  });

  it('is not read for HEAD, but cancelled, and its length is unknown', async () => {
    const { body, cancelled } = await openBody();
    const { head } = await ask(new Response(body), HEAD);
    expect(head).toMatch(/^HTTP\/1\.1 200 /);
    expect(head).not.toContain('content-length');
    await cancelled;
  });

  it('is cancelled with the reason when the client leaves', async () => {
    const { body, cancelled } = await openBody();
    const { port } = await serve(new Response(body));
    const socket = connect(port, GET);
    await once(socket, 'data');
    socket.destroy();
    expect(String(await cancelled)).toContain('The client closed the connection');
  });

  it('is cancelled when a chunk cannot be sent, and the answer does not look complete', async () => {
    const { body, controller, cancelled } = await openBody();
    const { port, responded } = await serve(new Response(body));
    const socket = connect(port, GET).setEncoding('latin1');
    const closed = once(socket, 'close');
    let answer = '';
    socket.on('data', (text: string) => {
      if (answer === '') controller.enqueue('text' as never);
      answer += text;
    });
    await expect(responded).rejects.toThrow('gave a string instead of a Uint8Array');
    await cancelled;
    await closed;
    expect(answer).not.toContain('\r\n0\r\n');
  });

  it('is cancelled when its first chunk cannot be sent, and the answer is left to the caller', async () => {
    const { body, controller, cancelled } = await openBody();
    controller.enqueue('text' as never);
    const { port, server, responded } = await serve(new Response(body));
    const requested = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    connect(port, GET);
    await expect(responded).rejects.toThrow('gave a string instead of a Uint8Array');
    await cancelled;
    const [, nodeResponse] = await requested;
    expect([nodeResponse.headersSent, nodeResponse.destroyed]).toEqual([false, false]);
  });
});

describe('a request body that is sent back', () => {
  const POST = GET.replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 5\r\n\r\nhello');

  it('has the head of its Response', async () => {
    const init = { status: 201, headers: { 'x-route': '1' } };
    const listener = createListener({ fetch: ({ body }) => new Response(body, init) });
    const answer = await askFor(await listen(http.createServer(listener)), POST);
    expect(answer).toMatch(/^HTTP\/1\.1 201 .*\r\nx-route: 1\r\n.*hello/s);
  });

  it('never runs past a Content-Length of the route’s own', async () => {
    const failed = Promise.withResolvers<unknown>();
    const fetch = ({ body }: Request): Response => new Response(body, { headers: { 'content-length': '2' } });
    const listener = createListener({ fetch, onError: failed.resolve });
    // Without its end, since a complete body has its real length.
    const answer = await askFor(await listen(http.createServer(listener)), POST.slice(0, -1));
    expect(answer).not.toContain('hell');
    expect(await failed.promise).toMatchObject({ code: 'ERR_HTTP_CONTENT_LENGTH_MISMATCH' });
  });
});

describe('an exchange that other code breaks off', () => {
  /** A stream whose answer is destroyed once its head has been sent. */
  async function destroyMidway() {
    const { body, controller, cancelled } = await openBody();
    const { port, server, responded } = await serve(new Response(body));
    const requested = once(server, 'request') as Promise<[unknown, ServerResponse]>;
    const socket = connect(port, GET);
    await once(socket, 'data');
    const [, nodeResponse] = await requested;
    nodeResponse.destroy();
    return { controller, cancelled, responded };
  }

  it('cancels a stream that sends its next chunk before the connection has closed', async () => {
    const { controller, cancelled, responded } = await destroyMidway();
    controller.enqueue(toBytes('late'));
    await cancelled;
    expect((await responded).writableEnded).toBe(false);
  });

  it('does not make the answer look sent when its stream ends before the connection has closed', async () => {
    const { controller, responded } = await destroyMidway();
    controller.close();
    expect((await responded).writableEnded).toBe(false);
  });

  it('does not make an answer look sent that was destroyed before', async () => {
    const { port, responded } = await serve(new LightResponse('late'), (nodeResponse) => void nodeResponse.destroy());
    expect(await askFor(port, GET)).toBe('');
    expect((await responded).writableEnded).toBe(false);
  });

  it('does not make the answer to HEAD look sent', async () => {
    let nodeResponse: ServerResponse | undefined;
    const body = new ReadableStream({ cancel: () => void nodeResponse?.destroy() });
    const { port, responded } = await serve(new Response(body), (own) => (nodeResponse = own));
    expect(await askFor(port, HEAD)).toBe('');
    expect((await responded).writableEnded).toBe(false);
  });
});

it('leaves an answer alone that other code has begun, and cancels the stream', async () => {
  const { body, cancelled } = await openBody();
  for (const response of [new Response(body), new Response()]) {
    const { port, responded } = await serve(response, (nodeResponse) => void nodeResponse.end('other'));
    expect(await askFor(port, GET)).toMatch(/other$/);
    await responded;
  }
  await cancelled;
});
