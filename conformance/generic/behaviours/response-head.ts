import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { gzipSync } from 'node:zlib';
import { expect } from 'vitest';
import { behaviour } from '../../behaviour.ts';

behaviour(
  'answers with the status and body of the Response',
  'Errors: Route returns its own Response',
  async (host) => {
    const response = await host.fetch('/response/not-found');
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toBe('text/plain');
    expect(await response.text()).toBe('No such thing');
  },
);

behaviour('answers with any status from 200 to 599', 'Server routes: Response', async (host) => {
  for (const status of [200, 201, 207, 299, 304, 400, 418, 451, 500, 503, 599]) {
    expect((await host.fetch(`/response/status/${status}`)).status).toBe(status);
  }
});

behaviour('sends the status text of the Response', 'adapters.md case 8, RFC 9112 section 4', async (host) => {
  const response = await host.send({ path: '/response/status-text' });
  expect([response.status, response.statusText]).toEqual([299, 'Mostly Fine']);
});

behaviour('sends the headers of the Response', 'Server routes: Response', async (host) => {
  const response = await host.send({ path: '/response/headers' });
  expect(response.header('x-mixed-case')).toBe('kept');
  expect(response.header('x-empty')).toBe('');
});

behaviour('keeps every value of a repeated header', 'adapters.md case 5, RFC 9110 section 5.3', async (host) => {
  const response = await host.send({ path: '/response/headers' });
  expect(response.values('link').join(', ')).toBe('</a>; rel=preload, </b>; rel=preload');
  // An answer that might be compressed says so there too.
  expect(response.values('vary').join(', ')).toMatch(/^accept, cookie(?:, Accept-Encoding)?$/);
});

behaviour('sends a header value byte for byte', 'Fetch byte strings', async (host) => {
  const response = await host.send({ path: '/response/headers' });
  expect(response.header('x-latin1')).toBe('caf\u00e9');
});

behaviour('lets no header value break out of its line', 'adapters.md case 6', async (host) => {
  const response = await host.send({ path: '/response/bad-header' });
  expect(response.status).toBe(500);
  expect(response.values('x-injected')).toEqual([]);
});

behaviour('sends Response.redirect with its Location', 'adapters.md case 11', async (host) => {
  for (const status of [301, 302, 303, 307, 308]) {
    const response = await host.fetch(`/response/redirect/${status}`);
    expect(response.status).toBe(status);
    expect(response.headers.get('location')).toBe(`${host.origin}/hello?from=redirect`);
  }
});

behaviour('answers 500 to a redirect with another status', 'adapters.md case 11', async (host) => {
  expect((await host.fetch('/response/redirect/200')).status).toBe(500);
});

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

behaviour('answers 500 to a status that cannot end a request', 'adapters.md case 21', async (host) => {
  for (const status of [101, 199]) {
    const connection = await host.connect();
    await connection.write({ target: host.target(`/response/status/${status}`), headers: [host.hostHeader] });
    expect((await connection.head()).status).toBe(500);
    connection.destroy();
  }
});

behaviour('passes on a Response that came from fetch', 'adapters.md case 12', async (host) => {
  const url = encodeURIComponent(`${host.origin}${host.target('/status-error/string')}`);
  const response = await host.fetch(`/response/fetched?url=${url}`);
  expect(response.status).toBe(418);
  expect(response.headers.get('x-added')).toBe('yes');
  expect(await response.json()).toEqual({ error: 'short and stout' });
});

behaviour('passes on what another server has compressed', 'Fetch section 4.6', async (host) => {
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
      const response = await host.fetch(`/response/fetched?url=${url}`, { headers });
      expect([response.status, response.headers.get('x-from')]).toEqual([200, 'upstream']);
      expect(await response.text()).toBe(text);
    }
  } finally {
    upstream.close();
  }
});

behaviour('lets a route return the same Response again', 'B5', async (host) => {
  const first = await host.fetch('/response/shared?name=Ada');
  const second = await host.fetch('/response/shared');
  expect([first.status, second.status]).toEqual([403, 403]);
  expect(first.headers.get('x-name')).toBe('Ada');
  expect(second.headers.get('x-name')).toBe(null);
});

behaviour('sends no header of a route that is for the connection', 'RFC 9110 section 7.6.1', async (host) => {
  const response = await host.send({ path: '/response/connection' });
  expect([response.status, response.body.toString(), response.header('x-kept')]).toEqual([200, 'kept apart', 'yes']);
  // A host may say of itself how long it keeps the connection.
  expect(response.header('keep-alive')).not.toBe('timeout=1234');
  for (const name of ['proxy-connection', 'te', 'trailer', 'upgrade']) expect(response.header(name), name).toBeNull();
});

behaviour('sends no Content-Length with a 204', 'RFC 9110 section 8.6', async (host) => {
  const connection = await host.connect();
  await connection.write({ target: host.target('/response/no-content'), headers: [host.hostHeader] });
  const response = await connection.response();
  expect([response.status, response.header('content-length')]).toEqual([204, null]);
  // A client that believed in one would take this for the body.
  if (response.header('connection') !== 'close') {
    await connection.write({ target: host.target('/hello'), headers: [host.hostHeader] });
    expect((await connection.response()).status).toBe(200);
  }
  connection.destroy();
});
