import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';
import { NotApplicable } from '../not-applicable.ts';

behaviour('answers with the status and body of the Response', { standard: 'RFC 9110 section 15' }, async (server) => {
  const response = await server.fetch('/response/not-found');
  expect(response.status).toBe(404);
  expect(response.headers.get('content-type')).toMatch(/^text\/plain/);
  expect(await response.text()).toBe('No such thing');
});

behaviour('answers with any status from 200 to 599', { standard: 'RFC 9110 section 15' }, async (server) => {
  for (const status of [200, 201, 207, 299, 304, 400, 418, 451, 500, 503, 599]) {
    expect((await server.fetch(`/response/status/${status}`)).status).toBe(status);
  }
});

behaviour(
  'sends the status text of the Response',
  { quality: 'it is optional since RFC 9112 section 4, but Fetch has it' },
  async (server) => {
    const response = await server.send({ path: '/response/status-text' });
    expect([response.status, response.statusText]).toEqual([299, 'Mostly Fine']);
  },
);

behaviour('sends the headers of the Response', { standard: 'RFC 9110 section 5' }, async (server) => {
  const response = await server.send({ path: '/response/headers' });
  expect(response.header('x-mixed-case')).toBe('kept');
  expect(response.header('x-empty')).toBe('');
});

behaviour('keeps every value of a repeated header', { standard: 'RFC 9110 section 5.3' }, async (server) => {
  const response = await server.send({ path: '/response/headers' });
  expect(response.values('link').join(', ')).toBe('</a>; rel=preload, </b>; rel=preload');
  // A response that might be compressed announces that there, too.
  expect(response.values('vary').join(', ')).toMatch(/^accept, cookie(?:, Accept-Encoding)?$/);
});

behaviour(
  'sends a header value byte for byte',
  { standard: 'Fetch, isomorphic encode of header values' },
  async (server) => {
    const response = await server.send({ path: '/response/headers' });
    expect(response.header('x-latin1')).toBe('caf\u00e9');
  },
);

behaviour('lets no header value break out of its line', { standard: 'Fetch, header value' }, async (server) => {
  const response = await server.send({ path: '/response/bad-header' });
  expect(response.status).toBe(500);
  expect(response.values('x-injected')).toEqual([]);
});

behaviour('sends Response.redirect with its Location', { standard: 'Fetch, Response.redirect()' }, async (server) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const response = await server.fetch(`/response/redirect/${status}`);
    expect(response.status).toBe(status);
    expect(response.headers.get('location')).toBe(`${server.origin}/hello?from=redirect`);
  }
});

behaviour(
  'answers 500 to a redirect with another status',
  { quality: 'Fetch refuses to make such a Response' },
  async (server) => {
    expect((await server.fetch('/response/redirect/200')).status).toBe(500);
  },
);

behaviour(
  'answers 500 to a status that cannot end a request',
  { quality: 'Fetch refuses to make such a Response' },
  async (server) => {
    for (const status of [101, 199]) {
      const connection = await server.connect();
      await connection.write({ target: server.target(`/response/status/${status}`), headers: [server.hostHeader] });
      expect((await connection.head()).status).toBe(500);
      connection.destroy();
    }
  },
);

behaviour('passes on a Response that came from fetch', { quality: 'proxies are made so' }, async (server) => {
  const url = encodeURIComponent(`${server.origin}${server.target('/response/not-found')}`);
  const response = await server.fetch(`/response/fetched?url=${url}`);
  expect([response.status, await response.text()]).toEqual([404, 'No such thing']);
});

behaviour(
  'passes on what another server has compressed',
  { quality: 'fetch has decoded it, but keeps its headers' },
  async (server) => {
    const { hostname } = new URL(server.origin);
    if (!isLoopback(hostname)) throw new NotApplicable(`${hostname} cannot reach a server on this machine.`);
    const text = 'from afar '.repeat(300);
    const upstream = createServer((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip', 'x-from': 'upstream' });
      response.end(gzipSync(text));
    });
    upstream.listen(0, '127.0.0.1');
    await once(upstream, 'listening');
    try {
      const url = encodeURIComponent(`http://127.0.0.1:${(upstream.address() as AddressInfo).port}/`);
      for (const accept of ['identity', 'gzip']) {
        const headers = { 'accept-encoding': accept };
        const response = await server.fetch(`/response/fetched?url=${url}`, { headers });
        expect([response.status, response.headers.get('x-from')]).toEqual([200, 'upstream']);
        expect(await response.text()).toBe(text);
      }
    } finally {
      upstream.close();
    }
  },
);

behaviour(
  'sends no header of a route that is for the connection',
  { quality: 'they belong to the server alone (RFC 9110 section 7.6.1)' },
  async (server) => {
    const response = await server.send({ path: '/response/connection' });
    expect([response.status, response.body.toString(), response.header('x-kept')]).toEqual([200, 'kept apart', 'yes']);
    // A host may announce how long it keeps the connection.
    expect(response.header('keep-alive')).not.toBe('timeout=1234');
    for (const name of ['proxy-connection', 'te', 'trailer', 'upgrade']) expect(response.header(name), name).toBeNull();
  },
);

behaviour('sends no Content-Length with a 204', { standard: 'RFC 9110 section 8.6' }, async (server) => {
  const connection = await server.connect();
  await connection.write({ target: server.target('/response/no-content'), headers: [server.hostHeader] });
  const response = await connection.response();
  expect([response.status, response.header('content-length')]).toEqual([204, null]);
  // A client that believed the header would read this as the body.
  if (response.header('connection') !== 'close') {
    await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] });
    expect((await connection.response()).status).toBe(200);
  }
  connection.destroy();
});

function isLoopback(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || hostname.startsWith('127.');
}
