import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';
import type { RawResponse } from '../raw-http.ts';

interface Seen {
  url: string;
}

function seen(response: RawResponse): Seen {
  expect(response.status, response.body.toString()).toBe(200);
  return JSON.parse(response.body.toString()) as Seen;
}

behaviour('takes the host from the Host header', { standard: 'RFC 9110 section 7.1' }, async (server) => {
  const response = await server.send({ path: '/request/head', headers: [['Host', 'shop.test:8443']] });
  expect(seen(response).url).toBe(
    `${new URL(server.origin).protocol}//shop.test:8443${server.target('/request/head')}`,
  );
});

behaviour('accepts an IPv6 address as host', { standard: 'RFC 3986 section 3.2.2' }, async (server) => {
  const response = await server.send({ path: '/request/head', headers: [['Host', '[::1]:8080']] });
  expect(seen(response).url).toBe(`${new URL(server.origin).protocol}//[::1]:8080${server.target('/request/head')}`);
});

behaviour('answers 400 to a Host header with a path', { standard: 'RFC 9112 section 3.2' }, async (server) => {
  const response = await server.send({ path: '/request/head', headers: [['Host', 'evil.com/path']] });
  expect(response.status).toBe(400);
});

behaviour(
  'answers 400 to a Host header with user information',
  { standard: 'RFC 9112 section 3.2' },
  async (server) => {
    const response = await server.send({ path: '/request/head', headers: [['Host', 'user@evil.com']] });
    expect(response.status).toBe(400);
  },
);

behaviour('answers 400 to a Host header that is no host', { standard: 'RFC 9112 section 3.2' }, async (server) => {
  for (const value of ['a b', 'shop.test:port', 'shop.test?x', 'shop.test#x']) {
    const response = await server.send({ path: '/request/head', headers: [['Host', value]] });
    expect([value, response.status]).toEqual([value, 400]);
  }
});

behaviour('answers 400 to two Host headers', { standard: 'RFC 9112 section 3.2' }, async (server) => {
  const response = await server.send({ path: '/request/head', headers: [server.hostHeader, ['Host', 'evil.com']] });
  expect(response.status).toBe(400);
});

behaviour('answers 400 to HTTP/1.1 without Host', { standard: 'RFC 9112 section 3.2' }, async (server) => {
  const connection = await server.connect();
  await connection.write({ target: server.target('/request/head') });
  expect((await connection.response()).status).toBe(400);
  connection.destroy();
});

behaviour('answers HTTP/1.0 without Host', { quality: 'health checks of old balancers send it' }, async (server) => {
  const response = await server.send({ path: '/request/head', version: 'HTTP/1.0' });
  expect([200, 400]).toContain(response.status);
  if (response.status === 200) expect(new URL(seen(response).url).pathname).toBe(server.target('/request/head'));
});

behaviour('refuses two Content-Length headers that differ', { standard: 'RFC 9112 section 6.3' }, async (server) => {
  const response = await server.send({
    method: 'POST',
    path: '/body/text',
    headers: [
      ['Content-Length', '1'],
      ['Content-Length', '2'],
    ],
    body: 'ab',
  });
  expect(response.status).toBe(400);
});

behaviour(
  'refuses Content-Length beside Transfer-Encoding or closes after the answer',
  { standard: 'RFC 9112 section 6.1' },
  async (server) => {
    const connection = await server.connect();
    await connection.write({
      method: 'POST',
      target: server.target('/body/ignored'),
      headers: [server.hostHeader, ['Content-Length', '5'], ['Transfer-Encoding', 'chunked']],
      body: '0\r\n\r\nGET /hello HTTP/1.1\r\n\r\n',
    });
    const response = await connection.response();
    if (response.status !== 400) await connection.closed();
    connection.destroy();
  },
);

behaviour('answers 400 to a target that is no path', { standard: 'RFC 9112 section 3.2' }, async (server) => {
  const connection = await server.connect();
  await connection.write(`GET hello HTTP/1.1\r\nHost: ${server.hostHeader[1]}\r\n\r\n`);
  expect((await connection.response()).status).toBe(400);
  connection.destroy();
});

behaviour('keeps two slashes inside a path', { standard: 'RFC 9112 section 3.3' }, async (server) => {
  const response = await server.send({ path: '/url/a//evil.com/x' });
  expect(seen(response).url).toBe(`${server.origin}${server.target('/url/a//evil.com/x')}`);
});
