import { once } from 'node:events';
import type http from 'node:http';
import http2 from 'node:http2';
import type https from 'node:https';
import net from 'node:net';
import type { AddressInfo } from 'node:net';
import { onTestFinished } from 'vitest';

/** Listens on a free port until the test is over. */
export async function listen(server: http.Server | https.Server | http2.Http2Server): Promise<number> {
  const sockets = new Set<net.Socket>();
  server.on('connection', (socket: net.Socket) => sockets.add(socket));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(async () => {
    for (const socket of sockets) socket.destroy();
    server.close();
    await once(server, 'close');
  });
  return (server.address() as AddressInfo).port;
}

/** A connection on which the text was sent. It reads nothing by itself, and ends with the test. */
export function connect(port: number, text: string): net.Socket {
  const socket = net.connect(port, '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  // What has arrived before the server broke off counts.
  socket.on('error', () => {});
  socket.write(text);
  return socket;
}

/** Everything that a server sends in answer to the text, one character per byte, until it closes the connection. */
export async function askFor(port: number, text: string): Promise<string> {
  const socket = connect(port, text);
  let answer = '';
  socket.setEncoding('latin1').on('data', (part: string) => (answer += part));
  await once(socket, 'close');
  return answer;
}

/** The head of an HTTP/2 answer, and the stream of its body. */
export async function askOverHttp2(
  port: number,
  method = 'GET',
): Promise<[http2.IncomingHttpHeaders, http2.ClientHttp2Stream]> {
  const session = http2.connect(`http://127.0.0.1:${port}`);
  onTestFinished(() => session.destroy());
  const stream = session.request({ ':path': '/', ':method': method });
  const [headers] = (await once(stream, 'response')) as [http2.IncomingHttpHeaders];
  return [headers, stream];
}
