import { createServer } from 'node:net';
import type { Server } from 'node:net';
import { afterEach, expect, it } from 'vitest';
import { connect } from './raw-http.ts';
import type { Connection } from './raw-http.ts';

const open: { server: Server; connection: Connection }[] = [];

afterEach(() => {
  for (const { server, connection } of open.splice(0)) {
    connection.destroy();
    server.close();
  }
});

/** A connection to a server that sends exactly this, then ends. */
async function connectionTo(...parts: string[]): Promise<Connection> {
  const server = createServer((socket) => {
    for (const part of parts) socket.write(part, 'latin1');
    socket.end();
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server has no port.');
  const connection = await connect(`http://127.0.0.1:${address.port}`);
  open.push({ server, connection });
  return connection;
}

it('reads a body by its content-length and leaves the rest', async () => {
  const connection = await connectionTo(
    'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\nabcHTTP/1.1 204 No Content\r\n\r\n',
  );
  expect(await connection.response()).toMatchObject({ status: 200, statusText: 'OK', framing: 'content-length' });
  expect(await connection.response()).toMatchObject({ status: 204, framing: 'none' });
});

it('reads a chunked body with extensions and trailers', async () => {
  const chunks = '3;x=y\r\nabc\r\n2\r\nde\r\n0\r\nx-trailer: 1\r\n\r\n';
  const connection = await connectionTo(`HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n${chunks}`);
  const response = await connection.response();
  expect([response.framing, response.body.toString()]).toEqual(['chunked', 'abcde']);
});

it('reads a body without a length to the end of the connection', async () => {
  const connection = await connectionTo('HTTP/1.1 200 OK\r\n\r\n', 'all of it');
  const response = await connection.response();
  expect([response.framing, response.body.toString()]).toEqual(['close', 'all of it']);
});

it('reads no body after HEAD', async () => {
  const connection = await connectionTo('HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n');
  expect((await connection.response('HEAD')).body.length).toBe(0);
});

it('skips interim responses', async () => {
  const connection = await connectionTo('HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n');
  expect((await connection.response()).status).toBe(200);
});

it('refuses a body that ends before its length', async () => {
  const connection = await connectionTo('HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nabc');
  await expect(connection.response()).rejects.toThrow('closed 2 bytes before the end');
});

it('refuses a chunked body without its last chunk', async () => {
  const connection = await connectionTo('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n');
  await expect(connection.response()).rejects.toThrow('The connection closed');
});

it('refuses a chunk longer than its size', async () => {
  const connection = await connectionTo('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabcd\r\n0\r\n\r\n');
  await expect(connection.response()).rejects.toThrow('followed by');
});

it('refuses a single-valued header that came twice', async () => {
  const connection = await connectionTo('HTTP/1.1 204 No Content\r\nX-One: a\r\nX-One: b\r\n\r\n');
  const head = await connection.head();
  expect(head.values('x-one')).toEqual(['a', 'b']);
  expect(() => head.header('x-one')).toThrow('came 2 times');
});
