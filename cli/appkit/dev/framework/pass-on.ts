import { request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { pipeline } from 'node:stream';
import type { Duplex } from 'node:stream';
import { buffer } from 'node:stream/consumers';

/** Where requests are passed on to, and the scheme they arrived by. */
export interface Destination {
  /** On 127.0.0.1. */
  port: number;
  scheme: 'http' | 'https';
  /** Resolves when it accepts connections, and rejects when it has ended. */
  ready(): Promise<void>;
}

/** Those that have answered a request. */
const answering = new WeakSet<Destination>();
/** How often a request is passed on again because its connection broke. */
const MAX_TRIES = 100;

/**
 * Passes a request on unchanged, and the answer back. The `Host` stays, so that the framework can build URLs from it
 * or refuse it. A request waits while nobody listens there: Vite listens again after a change of its configuration, and
 * opens its port for a moment before it listens at all. So until the first answer, the request is kept whole, to pass it on again if its
 * connection breaks.
 */
export function passOn(request: IncomingMessage, response: ServerResponse, destination: Destination): void {
  if (answering.has(destination)) return pass(request, response, { destination, body: request });
  buffer(request).then(
    (body) => pass(request, response, { destination, body }),
    () => response.destroy(), // the client has left
  );
}

function pass(
  request: IncomingMessage,
  response: ServerResponse,
  { destination, body, tries = 0 }: { destination: Destination; body: IncomingMessage | Buffer; tries?: number },
): void {
  const { method, url } = request;
  const { port, scheme, ready } = destination;
  const headers = toHeaders(request, scheme);
  const onward = httpRequest({ host: '127.0.0.1', port, method, path: url, headers, setHost: false });
  response.once('close', () => onward.destroy());
  const fail = (error: Error): void => {
    onward.destroy();
    if (response.headersSent) response.destroy();
    else
      response
        .writeHead(502, 'Bad Gateway', { 'content-type': 'text/plain; charset=utf-8' })
        .end(`No answer: ${error.message}\n`);
  };
  onward.once('error', (error: NodeJS.ErrnoException) => {
    const isBroken = error.code === 'ECONNRESET' && Buffer.isBuffer(body) && !response.headersSent;
    if (error.code !== 'ECONNREFUSED' && !(isBroken && tries < MAX_TRIES)) return fail(error);
    ready().then(() => {
      if (!response.destroyed) pass(request, response, { destination, body, tries: tries + 1 });
    }, fail);
  });
  onward.once('response', (answer) => {
    answering.add(destination);
    try {
      response.writeHead(answer.statusCode ?? 502, answer.statusMessage, answer.rawHeaders);
    } catch (error) {
      return fail(error as Error); // a status that Node's client accepts but its server does not send
    }
    response.write(new Uint8Array()); // sends the head at once, for a stream that has no data yet
    pipeline(answer, response, () => undefined);
  });
  if (Buffer.isBuffer(body)) return void onward.end(body);
  onward.once('socket', (socket) => {
    const send = (): void => {
      request.pipe(onward);
      // The framework may have answered without reading the entire request.
      onward.once('close', () => request.resume());
    };
    if (socket.connecting) socket.once('connect', send);
    else send();
  });
}

/** Passes on a connection that becomes a WebSocket, by which a page is notified of changes. */
export function passUpgradeOn(
  request: IncomingMessage,
  { socket, head }: { socket: Duplex; head: Buffer },
  { port, scheme }: Omit<Destination, 'ready'>,
): void {
  const { method, url } = request;
  const onward = connect(port, '127.0.0.1');
  const headers = toHeaders(request, scheme);
  const lines = headers.flatMap((name, index) => (index % 2 === 0 ? [`${name}: ${headers[index + 1]}`] : []));
  onward.write(`${method} ${url} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`, 'latin1');
  onward.write(head);
  pipeline(socket, onward, socket, () => undefined);
}

/** The headers as they came, but with our own X-Forwarded-Proto only. */
function toHeaders({ rawHeaders }: IncomingMessage, scheme: string): string[] {
  const isScheme = (index: number): boolean => rawHeaders[index - (index % 2)]?.toLowerCase() === 'x-forwarded-proto';
  return [...rawHeaders.filter((_, index) => !isScheme(index)), 'X-Forwarded-Proto', scheme];
}
