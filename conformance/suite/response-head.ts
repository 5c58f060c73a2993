import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { brotliCompressSync, deflateSync, gzipSync, zstdCompressSync } from 'node:zlib';
import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withOptions } from '../configurations.ts';

behaviour('answers 500 to Response.error()', { source: 'adapters.md case 13', needs: 'plainErrors' }, async (host) => {
  const response = await host.fetch('/response/invalid/error');
  expect(response.status).toBe(500);
  expect(await response.text()).toBe('Internal server error');
});

behaviour(
  'answers 500 to a handler that returns nothing',
  { source: 'adapters.md case 15', needs: 'plainErrors' },
  async (host) => {
    const response = await host.fetch('/response/invalid/undefined');
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('Internal server error');
  },
);

behaviour('answers 500 to a handler that returns something else', 'adapters.md case 15', async (host) => {
  for (const kind of ['null', 'object', 'text', 'number']) {
    expect((await host.fetch(`/response/invalid/${kind}`)).status).toBe(500);
  }
  expect((await host.fetch('/hello')).status).toBe(200);
});

behaviour(
  'answers 500 to a Response whose stream other code has taken',
  { source: 'Fetch, "body is unusable"', needs: 'plainErrors' },
  async (host) => {
    const response = await host.fetch('/response/taken');
    expect(response.status).toBe(500);
    expect(await response.text()).toBe('Internal server error');
    expect((await host.fetch('/hello')).status).toBe(200);
  },
);

behaviour(
  'answers 500 to a header value with a control character, and goes on',
  { source: 'RFC 9110 section 5.5', needs: 'plainErrors' },
  async (given) => {
    const host = await given.configured(withOptions);
    for (const code of [1, 8, 11, 27, 31, 127]) {
      for (const late of ['', '&late', '&name=content-type']) {
        const response = await host.send({ path: `/response/control?code=${code}${late}` });
        expect([code, late, response.status, response.header('x-name')]).toEqual([code, late, 500, null]);
        expect(response.body.toString()).toBe('Internal server error');
      }
    }
    // Node says it in its own words.
    await host.waitForOutput(/onError: GET \S+: .*"x-name"/);
    const tab = await host.send({ path: '/response/control?code=9' });
    expect([tab.status, tab.header('x-name')]).toEqual([200, 'a\tb']);
  },
);

behaviour('lets a route return the same Response again', 'B5', async (host) => {
  const first = await host.fetch('/response/shared?name=Ada');
  const second = await host.fetch('/response/shared');
  expect([first.status, second.status]).toEqual([403, 403]);
  expect(first.headers.get('x-name')).toBe('Ada');
  expect(second.headers.get('x-name')).toBe(null);
});

behaviour('sends a text whole whose route states another length', 'RFC 9110 section 8.6', async (host) => {
  const response = await host.send({ path: '/response/other-length' });
  expect([response.status, response.body.toString()]).toEqual([200, 'changed']);
  expect(['7', null]).toContain(response.header('content-length'));
});

behaviour('sends HEAD of a text with its type', 'RFC 9110 section 9.3.2', async (host) => {
  const get = await host.send({ path: '/response/same-head' });
  const head = await host.send({ method: 'HEAD', path: '/response/same-head' });
  expect([get.body.toString(), get.header('content-type')?.toLowerCase()]).toEqual([
    'a text',
    'text/plain;charset=utf-8',
  ]);
  for (const name of ['content-type', 'x-own']) {
    expect([name, head.header(name)?.toLowerCase()]).toEqual([name, get.header(name)?.toLowerCase()]);
  }
});

behaviour('states no length for HEAD of a stream', 'RFC 9110 section 8.6', async (host) => {
  const connection = await host.connect();
  await connection.write({
    method: 'HEAD',
    target: host.target('/response/length-unknown'),
    headers: [host.hostHeader],
  });
  const head = await connection.response('HEAD');
  expect([head.status, head.header('x-head'), head.header('content-length')]).toEqual([200, 'yes', null]);
  await connection.write({ target: host.target('/response/length-unknown'), headers: [host.hostHeader] });
  expect((await connection.response()).body.toString()).toBe('late');
  connection.destroy();
});

behaviour(
  'closes a connection as the client asks, whatever the route says of it',
  'RFC 9112 section 9.6',
  async (host) => {
    for (const version of ['HTTP/1.0', 'HTTP/1.1']) {
      const connection = await host.connect();
      await connection.write({
        version,
        target: host.target('/response/kept'),
        headers: [host.hostHeader, ['Connection', 'close']],
      });
      const response = await connection.response();
      expect([response.status, response.body.toString(), response.header('x-kept')]).toEqual([200, 'kept', 'yes']);
      // A server that keeps the connection open announces it.
      expect(response.header('connection') ?? '').not.toMatch(/keep-alive|x-hop/i);
      await connection.closed();
    }
  },
);

behaviour(
  'passes on what another server has compressed, whichever coding fetch decodes',
  'RFC 9110 section 8.4',
  async (host) => {
    void host.local; // a deployed host cannot reach a server on this machine
    const text = 'from afar '.repeat(300);
    const coders = {
      gzip: gzipSync,
      'x-gzip': gzipSync,
      deflate: deflateSync,
      br: brotliCompressSync,
      zstd: zstdCompressSync,
    };
    const encode = (coding: string): Buffer =>
      coding.split(', ').reduce((bytes, one) => coders[one as keyof typeof coders](bytes), Buffer.from(text));
    const upstream = createServer(({ url = '' }, response) => {
      const coding = decodeURIComponent(url.slice(1));
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': coding }).end(encode(coding));
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    try {
      const { port } = upstream.address() as AddressInfo;
      for (const coding of [...Object.keys(coders), 'gzip, br']) {
        const url = encodeURIComponent(`http://127.0.0.1:${port}/${encodeURIComponent(coding)}`);
        const response = await host.send({ path: `/response/fetched?url=${url}` });
        const sent = response.header('content-encoding');
        expect([coding, response.status]).toEqual([coding, 200]);
        // As it came, with its coding, or decoded.
        expect([coding, sent, response.body.equals(sent === null ? Buffer.from(text) : encode(sent))]).toEqual([
          coding,
          sent,
          true,
        ]);
      }
    } finally {
      upstream.close();
    }
  },
);

behaviour('adds headers to a Response that came from fetch', 'adapters.md case 12', async (host) => {
  const url = encodeURIComponent(`${host.origin}${host.target('/status-error/string')}`);
  const response = await host.fetch(`/response/fetched?url=${url}`);
  expect(response.status).toBe(418);
  expect(response.headers.get('x-added')).toBe('yes');
  expect(await response.json()).toEqual({ error: 'short and stout' });
});
