import { once } from 'node:events';
import http from 'node:http';
import http2 from 'node:http2';
import type net from 'node:net';
import { onTestFinished } from 'vitest';
import { ArrivingBody } from './arriving-body.ts';
import type { BodySource } from './arriving-body.ts';
import { connect, listen } from './node-exchange.cases.ts';

/** The body of a request that a test's own client sends. */
export interface Arrival {
  client: net.Socket;
  request: http.IncomingMessage;
  response: http.ServerResponse;
  body: ArrivingBody;
  tasks: { running: number };
}

/** Sends the start of a POST to a server, whose request no code has read yet. */
export async function arrive(headers: string, start: string, limit = 1_000_000): Promise<Arrival> {
  const server = http.createServer();
  const port = await listen(server);
  const client = connect(port, `POST /x HTTP/1.1\r\nHost: h\r\n${headers}\r\n\r\n${start}`);
  const [request, response] = (await once(server, 'request')) as [http.IncomingMessage, http.ServerResponse];
  const tasks = { running: 0 };
  return { client, request, response, body: new ArrivingBody(request, limit, { answer: response, tasks }), tasks };
}

/** What a test's own client has begun to send over HTTP/2. */
export interface Http2Arrival {
  session: http2.ClientHttp2Session;
  stream: http2.ClientHttp2Stream;
  request: http2.Http2ServerRequest;
}

/** Sends the headers of a request to an HTTP/2 server. */
export async function arriveOverHttp2(
  headers: http2.OutgoingHttpHeaders,
  { endStream = false } = {},
): Promise<Http2Arrival> {
  const server = http2.createServer();
  const session = http2.connect(`http://127.0.0.1:${await listen(server)}`);
  onTestFinished(() => session.destroy());
  const requested = once(server, 'request');
  const stream = session.request({ ':authority': 'shop.test', ...headers }, { endStream }).on('error', () => {});
  const [request] = (await requested) as [http2.Http2ServerRequest];
  return { session, stream, request };
}

/** A body from a stream in place of a request. With `isAnswered`, the request has been answered. */
export function bodyFrom(
  source: BodySource,
  { isAnswered = false, running = 0, limit = 100_000_000 } = {},
): ArrivingBody {
  return new ArrivingBody(source, limit, { answer: { writableEnded: isAnswered }, tasks: { running } });
}

/** Takes a body, and returns its text once it has ended. */
export function take(body: ArrivingBody): Promise<string> {
  return new Promise((resolve, reject) => {
    let text = '';
    body.take({ take: (chunk) => (text += Buffer.from(chunk).toString()), end: () => resolve(text), fail: reject });
  });
}

/** Takes a body, and notes each part, the end and the error in order. */
export function record(body: ArrivingBody, onPart: () => void = () => {}): string[] {
  const seen: string[] = [];
  body.take({
    take(chunk) {
      seen.push(Buffer.from(chunk).toString());
      onPart();
    },
    end: () => seen.push('end'),
    fail: ({ message }) => seen.push(message),
  });
  return seen;
}

/** Waits for the end of a request or connection, also if it fails. */
export function closeOf(emitter: NodeJS.EventEmitter): Promise<void> {
  return new Promise((resolve) => emitter.once('close', resolve));
}

/** Waits until what has been scheduled for the next turns of the event loop has run. */
export async function turns(): Promise<void> {
  for (let turn = 0; turn < 5; turn++) await new Promise((resolve) => setImmediate(resolve));
}
