import { expect } from 'vitest';
import { behaviour } from '../../behaviour.ts';
import type { RawResponse } from '../raw-http.ts';

interface Seen {
  path: string;
  url: string;
  origin: string;
}

function seen(response: RawResponse): Seen {
  expect(response.status, response.body.toString()).toBe(200);
  return JSON.parse(response.body.toString()) as Seen;
}

behaviour('keeps the host for a target that starts with two slashes', 'B14, adapters.md case 65', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.send({ path: '//evil.com/x' });
  // no route matches the empty segment; what the middleware saw tells
  expect(response.status).toBe(404);
  expect(response.header('x-middleware-url')).toBe(`${server.origin}${server.target('//evil.com/x')}`);
  expect(response.header('x-middleware-origin')).toBe(server.origin);
});

behaviour('keeps empty segments inside a rest', 'B12, B14', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { path, url } = seen(await server.send({ path: '/x//evil.com/' }));
  expect(path).toBe('x//evil.com');
  expect(url).toBe(`${server.origin}${server.target('/x//evil.com/')}`);
});

behaviour('keeps the host for an absolute-form target', 'B14, adapters.md case 67', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const response = await server.send({ target: `http://evil.com${server.target('/x?y=1')}` });
  const { path, url, origin } = seen(response);
  expect(url).toBe(`${server.origin}${server.target('/x?y=1')}`);
  expect(path).toBe('x');
  expect(origin).toBe(server.origin);
});

behaviour('keeps the scheme for an absolute-form target', 'B14, adapters.md case 67', async (host) => {
  const server = await host.configured({ app: 'app-catch-all' });
  const { url } = seen(await server.send({ target: `https://user:secret@evil.com${server.target('/x')}` }));
  expect(url).toBe(`${server.origin}${server.target('/x')}`);
});

behaviour('takes the host from the Host header', 'Server routes: Request', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['Host', 'shop.test:8443']] });
  expect(seen(response).url).toBe(`${new URL(host.origin).protocol}//shop.test:8443${host.target('/request/head')}`);
});

behaviour('accepts an IPv6 address as host', 'RFC 3986 section 3.2.2', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['Host', '[::1]:8080']] });
  expect(seen(response).url).toBe(`${new URL(host.origin).protocol}//[::1]:8080${host.target('/request/head')}`);
});

behaviour('answers 400 to a Host header with a path', 'RFC 9112 section 3.2', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['Host', 'evil.com/path']] });
  expect(response.status).toBe(400);
});

behaviour('answers 400 to a Host header with user information', 'RFC 9112 section 3.2', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [['Host', 'user@evil.com']] });
  expect(response.status).toBe(400);
});

behaviour('answers 400 to a Host header that is no host', 'RFC 9112 section 3.2', async (host) => {
  for (const value of ['a b', 'shop.test:port', 'shop.test?x', 'shop.test#x', 'a,b']) {
    const response = await host.send({ path: '/request/head', headers: [['Host', value]] });
    expect([value, response.status]).toEqual([value, 400]);
  }
});

behaviour('answers 400 to two Host headers', 'adapters.md case 63, RFC 9112 section 3.2', async (host) => {
  const response = await host.send({ path: '/request/head', headers: [host.hostHeader, ['Host', 'evil.com']] });
  expect(response.status).toBe(400);
});

behaviour('answers 400 to HTTP/1.1 without Host', 'RFC 9112 section 3.2', async (host) => {
  const connection = await host.connect();
  await connection.write({ target: host.target('/request/head') });
  expect((await connection.response()).status).toBe(400);
  connection.destroy();
});

behaviour('answers HTTP/1.0 without Host', 'adapters.md case 75', async (host) => {
  const response = await host.send({ path: '/request/head', version: 'HTTP/1.0' });
  expect([200, 400]).toContain(response.status);
  if (response.status === 200) expect(new URL(seen(response).url).pathname).toBe(host.target('/request/head'));
});

behaviour(
  'refuses two Content-Length headers that differ',
  'adapters.md case 63, RFC 9112 section 6.3',
  async (host) => {
    const response = await host.send({
      method: 'POST',
      path: '/body/text',
      headers: [
        ['Content-Length', '1'],
        ['Content-Length', '2'],
      ],
      body: 'ab',
    });
    expect(response.status).toBe(400);
  },
);

behaviour(
  'refuses Content-Length beside Transfer-Encoding or closes after the answer',
  'RFC 9112 section 6.1',
  async (host) => {
    const connection = await host.connect();
    await connection.write({
      method: 'POST',
      target: host.target('/body/ignored'),
      headers: [host.hostHeader, ['Content-Length', '5'], ['Transfer-Encoding', 'chunked']],
      body: '0\r\n\r\nGET /hello HTTP/1.1\r\n\r\n',
    });
    const response = await connection.response();
    if (response.status !== 400) await connection.closed();
    connection.destroy();
  },
);

behaviour('answers 400 to a target that is no path', 'RFC 9112 section 3.2', async (host) => {
  const connection = await host.connect();
  await connection.write(`GET hello HTTP/1.1\r\nHost: ${host.hostHeader[1]}\r\n\r\n`);
  expect((await connection.response()).status).toBe(400);
  connection.destroy();
});
