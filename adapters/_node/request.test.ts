import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import http from 'node:http';
import https from 'node:https';
import net from 'node:net';
import path from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import { arriveOverHttp2 } from './arrivals.cases.ts';
import type { NodeRequest } from './host-types.ts';
import { listen } from './node-exchange.cases.ts';
import { createToRequest, hasBody, headerOf } from './request.ts';

const toRequest = createToRequest(0, () => {});

/** The URL of the Request, or that there is none. */
function urlOf(nodeRequest: NodeRequest, target?: string): string {
  const request = toRequest(nodeRequest, target, null);
  return request === undefined ? 'none' : request.url;
}

/** Sends the head of a request and returns it as Node has read it. */
async function arrive(...lines: string[]): Promise<http.IncomingMessage> {
  const server = http.createServer({ requireHostHeader: false });
  const socket = net.connect(await listen(server), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.write(`${lines.join('\r\n')}\r\n\r\n`);
  const [request] = (await once(server, 'request')) as [http.IncomingMessage];
  return request;
}

describe('the URL of a request', () => {
  it('has the host of the Host header and the path as it was sent', async () => {
    const request = toRequest(await arrive('DELETE /a%20b?c=d HTTP/1.1', 'Host: shop.test:8080'), undefined, null);
    expect([request?.method, request?.url]).toEqual(['DELETE', 'http://shop.test:8080/a%20b?c=d']);
  });

  it('has the scheme of an encrypted connection', async () => {
    const pem = await readFile(path.join(import.meta.dirname, '../../conformance/fixtures/localhost.pem'));
    const server = https.createServer({ key: pem, cert: pem });
    const port = await listen(server);
    const arrived = once(server, 'request');
    const sent = https.get(`https://127.0.0.1:${port}/x`, {
      rejectUnauthorized: false,
      headers: { host: 'shop.test' },
    });
    onTestFinished(() => void sent.on('error', () => {}).destroy());
    const [request] = (await arrived) as [http.IncomingMessage];
    expect(urlOf(request)).toBe('https://shop.test/x');
  });

  it('is normalized in the way of the URL parser', async () => {
    expect(urlOf(await arrive('GET /a/../b"c HTTP/1.1', 'Host: shop.test'))).toBe('http://shop.test/b%22c');
  });

  it('has the target that a framework passes on instead of the one that it has changed', async () => {
    expect(urlOf(await arrive('GET /mounted HTTP/1.1', 'Host: shop.test'), '/all/mounted')).toBe(
      'http://shop.test/all/mounted',
    );
  });

  it('has only the path of a target in absolute form: the Host header counts', async () => {
    expect(urlOf(await arrive('GET http://other.test/x?y=1 HTTP/1.1', 'Host: shop.test'))).toBe(
      'http://shop.test/x?y=1',
    );
    const request = await arrive('GET /x HTTP/1.1', 'Host: shop.test');
    expect(urlOf(request, 'HTTPS://other.test:1/x/')).toBe('http://shop.test/x/');
    expect(urlOf(request, 'http://other.test')).toBe('http://shop.test/');
    expect(urlOf(request, 'http://other.test?y=1')).toBe('http://shop.test/?y=1');
  });

  it('is missing for a target that a route cannot answer', async () => {
    expect(urlOf(await arrive('OPTIONS * HTTP/1.1', 'Host: shop.test'))).toBe('none');
    const request = await arrive('GET /x HTTP/1.1', 'Host: shop.test');
    for (const target of ['*', 'shop.test:443', 'xhttp://shop.test/x', 'http:///x']) {
      expect(urlOf(request, target)).toBe('none');
    }
  });

  it('is missing when the Host header is, or when there are two', async () => {
    expect(urlOf(await arrive('GET /x HTTP/1.1'))).toBe('none');
    expect(urlOf(await arrive('GET /x HTTP/1.1', 'Host: a.test', 'Host: b.test'))).toBe('none');
  });

  it('has the address of the connection for HTTP/1.0 without a Host, which later requests do not get', async () => {
    const old = await arrive('GET /x HTTP/1.0');
    expect(urlOf(old)).toBe(`http://127.0.0.1:${old.socket.localPort}/x`);
    expect(urlOf(await arrive('GET /x HTTP/1.1'))).toBe('none');
  });

  it('has brackets around an IPv6 address of the connection', async () => {
    const request = await arrive('GET /x HTTP/1.0');
    // Not every machine that runs the tests has IPv6.
    Object.defineProperty(request.socket, 'localAddress', { value: '2001:db8::1' });
    expect(urlOf(request)).toBe(`http://[2001:db8::1]:${request.socket.localPort}/x`);
  });

  it('has the host localhost for HTTP/1.0 without a Host on a Unix socket', async () => {
    const request = await arrive('GET /x HTTP/1.0');
    // What Node says of such a socket.
    Object.defineProperties(request.socket, { localAddress: { value: undefined }, localPort: { value: undefined } });
    expect(urlOf(request)).toBe('http://localhost/x');
  });
});

describe('hasBody', () => {
  it('is true for a length other than zero and for a transfer coding', async () => {
    expect(hasBody(await arrive('POST /x HTTP/1.1', 'Host: h', 'Content-Length: 1'))).toBe(true);
    expect(hasBody(await arrive('POST /x HTTP/1.1', 'Host: h', 'Transfer-Encoding: chunked'))).toBe(true);
    expect(hasBody(await arrive('POST /x HTTP/1.1', 'Host: h', 'Content-Length: 0'))).toBe(false);
    expect(hasBody(await arrive('POST /x HTTP/1.1', 'Host: h'))).toBe(false);
  });

  it('is false for methods whose body a Request cannot have', async () => {
    for (const method of ['GET', 'HEAD', 'TRACE']) {
      expect(hasBody(await arrive(`${method} /x HTTP/1.1`, 'Host: h', 'Content-Length: 1'))).toBe(false);
    }
  });

  it('is true over HTTP/2 until the stream has ended with the headers', async () => {
    const open = await arriveOverHttp2({ ':method': 'POST' });
    expect(hasBody(open.request)).toBe(true);
    const ended = await arriveOverHttp2({ ':method': 'POST' }, { endStream: true });
    expect(hasBody(ended.request)).toBe(false);
  });
});

describe('headerOf', () => {
  it('joins several lines, in any case', async () => {
    const request = await arrive(
      'GET /x HTTP/1.1',
      'Host: h',
      'X-Forwarded-For: 192.0.2.1',
      'x-forwarded-for: 192.0.2.2',
    );
    expect(headerOf(request, 'x-forwarded-for')).toBe('192.0.2.1, 192.0.2.2');
    expect(headerOf(request, 'x-forwarded-host')).toBeUndefined();
  });

  it('returns the authority of HTTP/2 as the host, and as nothing else', async () => {
    const { request } = await arriveOverHttp2({}, { endStream: true });
    expect(headerOf(request, 'host')).toBe('shop.test');
    expect(headerOf(request, 'accept')).toBeUndefined();
  });
});
