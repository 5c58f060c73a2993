import { behaviour } from '../behaviour.ts';
import { expect } from '../expect.ts';

behaviour(
  'keeps a connection for the next request',
  { quality: 'RFC 9112 section 9.3 recommends it' },
  async (server) => {
    const connection = await server.connect();
    for (let request = 0; request < 3; request++) {
      await connection.write({ target: server.target('/hello'), headers: [server.hostHeader] });
      expect((await connection.response()).status).toBe(200);
    }
    connection.destroy();
  },
);

behaviour('closes a connection when the request asks for it', { standard: 'RFC 9112 section 9.6' }, async (server) => {
  const connection = await server.connect();
  await connection.write({ target: server.target('/hello'), headers: [server.hostHeader, ['Connection', 'close']] });
  expect((await connection.response()).status).toBe(200);
  await connection.closed();
  expect(connection.unread().length).toBe(0);
});

behaviour('sends HTTP/1.0 nothing in chunks', { standard: 'RFC 9112 section 6.1' }, async (server) => {
  const connection = await server.connect();
  await connection.write({ target: server.target('/stream/text'), version: 'HTTP/1.0', headers: [server.hostHeader] });
  const response = await connection.response();
  expect(response.values('transfer-encoding')).toEqual([]);
  expect(response.body.toString()).toBe('one two three');
  connection.destroy();
});

behaviour('says when it has answered', { standard: 'RFC 9110 section 6.6.1' }, async (server) => {
  for (const path of ['/hello', '/response/not-found', '/response/redirect/307']) {
    const date = (await server.send({ path })).header('date') ?? '';
    expect([path, new Date(date).toUTCString()]).toEqual([path, date]);
  }
});

behaviour('reads the name of a transfer coding in any case', { standard: 'RFC 9112 section 7' }, async (server) => {
  const response = await server.send({
    method: 'POST',
    path: '/body/text',
    headers: [
      ['Transfer-Encoding', 'Chunked'],
      ['Content-Type', 'text/plain'],
    ],
    body: '3\r\none\r\n0\r\n\r\n',
  });
  expect(JSON.parse(response.body.toString())).toMatchObject({ text: 'one' });
});

behaviour('refuses a Content-Length that is no number', { standard: 'RFC 9112 section 6.3' }, async (server) => {
  for (const length of ['two', '-1', '1.5']) {
    const response = await server.send({ method: 'POST', path: '/body/text', headers: [['Content-Length', length]] });
    expect([length, response.status]).toEqual([length, 400]);
  }
});

behaviour('refuses white space before the colon of a header', { standard: 'RFC 9112 section 5.1' }, async (server) => {
  const connection = await server.connect();
  await connection.write(
    `GET ${server.target('/hello')} HTTP/1.1\r\nHost: ${server.hostHeader[1]}\r\nX-Spaced : yes\r\n\r\n`,
  );
  expect((await connection.response()).status).toBe(400);
  connection.destroy();
});
