import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Server, Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createUpgradableServer } from '../upgradable-server.ts';
import { forward } from './forward.ts';
import { ReadingSocket } from './reading-socket.ts';
import { createUpgradeResponse, isForWebSocket } from './upgrade-response.ts';

const OFFER = 'GET / HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';
const ACCEPTED = 'HTTP/1.1 101 Switching Protocols\r\nConnection: Upgrade\r\nUpgrade: websocket\r\n\r\n';

/** A request that a server has received. */
interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
}

/** A host and the server in front of it. The test passes the requests on, and answers them. */
async function start() {
  const host = await listen(createServer());
  const server = await listen(createUpgradableServer(undefined, isForWebSocket));
  const exchange = new Promise<Exchange>((resolve) => {
    server.on('request', (request, response) => resolve({ request, response }));
    server.on('upgrade', (request: IncomingMessage, socket: Socket, head: Buffer) => {
      socket.unshift(head);
      resolve({ request, response: createUpgradeResponse(request, socket) });
    });
  });
  const client = connect({ port: portOf(server), host: '127.0.0.1', allowHalfOpen: true });
  onTestFinished(() => void client.destroy());
  const onEnd = vi.fn<() => void>();
  return {
    client,
    onEnd,
    /** Sends a request. */
    async send(head: string): Promise<Exchange> {
      client.write(head);
      return exchange;
    },
    /** Passes it on, and returns what the host has received and its connection. */
    async pass({ request, response }: Exchange): Promise<[received: string, socket: Socket]> {
      const connected = once(host, 'connection');
      passOn(request, response);
      const [socket] = (await connected) as [Socket];
      return [String((await once(socket, 'data'))[0]), socket];
    },
    passOn,
  };

  function passOn(request: IncomingMessage, response: ServerResponse): void {
    const url = new URL(`http://127.0.0.1:${portOf(host)}`);
    const fail = (error: Error): never => expect.fail(error.message);
    forward(request, response, {
      url,
      isSecure: false,
      takes: () => false,
      onRefused: fail,
      onFailure: fail,
      onEnd,
    });
  }
}

async function listen<Any extends Server>(server: Any): Promise<Any> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return server;
}

function portOf(server: Server): number {
  return (server.address() as AddressInfo).port;
}

it('passes the head of a request on before its body arrives', async () => {
  const { send, pass } = await start();
  const [received] = await pass(await send('POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\n'));
  expect(received).toMatch(/^POST \/ /);
});

it('passes the bytes of header values on, either way', async () => {
  const { client, send, pass } = await start();
  const [received, socket] = await pass(
    await send('POST / HTTP/1.1\r\nHost: a\r\nX-Bytes: café\r\nContent-Length: 5\r\n\r\n'),
  );
  expect(received).toContain('X-Bytes: café\r\n');
  socket.write('HTTP/1.1 200 OK\r\nX-Bytes: naïve\r\nTransfer-Encoding: chunked\r\n\r\n');
  expect(String((await once(client, 'data'))[0])).toContain('X-Bytes: naïve\r\n');
});

it('answers a client of HTTP/1.0 without chunks', async () => {
  const { client, send, pass } = await start();
  const [, socket] = await pass(await send('GET / HTTP/1.0\r\nHost: a\r\n\r\n'));
  socket.write('HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n');
  const answer = await text(client);
  expect(answer).toMatch(/\r\n\r\nhello$/);
  expect(answer).not.toContain('chunked');
});

it('answers an offer with a long body, and closes the connection though the client does not', async () => {
  const { client, onEnd, send, pass } = await start();
  const exchange = await send(OFFER);
  const closed = once(exchange.request.socket, 'close');
  const [, socket] = await pass(exchange);
  const body = 'x'.repeat(1_000_000);
  socket.end(`HTTP/1.1 426 Upgrade Required\r\nContent-Length: ${body.length}\r\n\r\n${body}`);
  const answer = await text(client);
  expect(answer).toMatch(/^HTTP\/1\.1 426 /);
  expect(answer.endsWith(`\r\n\r\n${body}`)).toBe(true);
  await closed;
  expect(onEnd).toHaveBeenCalledOnce();
});

it.each([OFFER, 'GET / HTTP/1.1\r\nHost: a\r\n\r\n'])(
  'asks no host if the client has left while its request waited (%j)',
  async (head) => {
    const { client, onEnd, send, passOn } = await start();
    const { request, response } = await send(head);
    client.resetAndDestroy();
    await once(response, 'close');
    passOn(request, response);
    expect(onEnd).toHaveBeenCalledOnce();
  },
);

it.each(['end', 'resetAndDestroy'] as const)(
  'ends the request when the client leaves before the answer (%s)',
  async (leave) => {
    const { client, onEnd, send, pass } = await start();
    const exchange = await send(OFFER);
    const left = once(exchange.response, 'close');
    const [, socket] = await pass(exchange);
    const closed = once(socket, 'close');
    client[leave]();
    await Promise.all([left, closed]);
    expect(onEnd).toHaveBeenCalledOnce();
  },
);

it('ends the WebSocket of a client that leaves while its answer is being sent', async () => {
  const { onEnd, send, pass } = await start();
  const exchange = await send(OFFER);
  vi.spyOn(exchange.response, 'end').mockImplementation(() => {
    exchange.request.socket.destroy();
    return exchange.response;
  });
  const [, socket] = await pass(exchange);
  const closed = once(socket, 'close');
  socket.write(ACCEPTED);
  await closed;
  expect(onEnd).toHaveBeenCalledOnce();
});

it('closes the connection when the host breaks its own before the answer has been sent', async () => {
  const connecting = vi.spyOn(ReadingSocket.prototype, 'connect');
  onTestFinished(() => connecting.mockRestore());
  const { client, send, pass } = await start();
  const exchange = await send(OFFER);
  const ending = new Promise<void>((resolve) => {
    vi.spyOn(exchange.response, 'end').mockImplementationOnce(() => {
      resolve();
      return exchange.response;
    });
  });
  const [, socket] = await pass(exchange);
  const connection = connecting.mock.results[0]?.value as Socket;
  const broken = new Promise((resolve) => connection.once('close', resolve));
  socket.write(ACCEPTED);
  await ending;
  socket.resetAndDestroy();
  await broken;
  exchange.response.end();
  expect(await text(client)).toMatch(/^HTTP\/1\.1 101 /);
});

it('passes on all that either side sends early, and its end', async () => {
  const { client, send, pass } = await start();
  const exchange = await send(`${OFFER}first,`);
  const [, socket] = await pass(exchange);
  client.end('second');
  const told = text(client);
  socket.write(`${ACCEPTED}hello`);
  expect(await text(socket)).toBe('first,second');
  expect(await told).toMatch(/\r\n\r\nhello$/);
});

it('takes only a GET for the offer of a WebSocket, so that the body of another request stays', async () => {
  const { send, pass } = await start();
  const [received, socket] = await pass(
    await send(OFFER.replace('GET', 'POST').replace('\r\n\r\n', '\r\nContent-Length: 6\r\n\r\na body')),
  );
  expect(received).toMatch(/\r\n\r\na body$/);
  expect(received).not.toContain('pgrade');
  socket.end('HTTP/1.1 204 No Content\r\n\r\n');
});
