import { request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { pipeline } from 'node:stream';
import { ReadingSocket } from './reading-socket.ts';
import { isForWebSocket } from './upgrade-response.ts';

/** Headers of one connection, which must not be passed to the next. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'expect']);
const OF_ANSWER = new Set([...OF_CONNECTION, 'transfer-encoding']);

/** Writing it sends the head. Not `flushHeaders()`, which writes it as UTF-8: header values are bytes (RFC 9110 section 5.5). */
const NOTHING = new Uint8Array();

/** Where a request goes, and what to do if no answer comes. */
export interface ForwardOptions {
  url: URL;
  /** The browser connects to us by HTTPS. */
  isSecure: boolean;
  /** Whether other code answers the client. */
  takes(answer: IncomingMessage): boolean;
  /** Called when the connection fails. The request has not been read. */
  onRefused(error: Error): void;
  /** Called when no answer comes. */
  onFailure(error: Error): void;
  /** Called when the exchange is over, successful or not. */
  onEnd(): void;
}

/** Passes a request on unchanged, and the answer back. If that is a WebSocket, passes on all that is sent either way. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { url, isSecure, takes, onRefused, onFailure, onEnd }: ForwardOptions,
): void {
  // The client may have left while the request waited.
  if (request.socket.destroyed) return onEnd();
  // Otherwise a host that has answered closes, and the rest of the body that nobody reads breaks the connection with the answer in it.
  const connection = isForWebSocket(request)
    ? ['Connection', 'Upgrade', 'Upgrade', 'websocket']
    : ['Connection', 'keep-alive'];
  const headers = [...withoutHeaders(request.rawHeaders, OF_CONNECTION), ...connection];
  if (isSecure) headers.push('X-Forwarded-Proto', 'https');
  // A new connection: a kept one may belong to a process that has just ended.
  const sent = httpRequest({
    method: request.method,
    path: request.url,
    headers,
    createConnection: () => new ReadingSocket().connect(Number(url.port), url.hostname),
  });
  let isConnected = false;
  let isAnswered = false;
  response.once('close', () => {
    // Does nothing after an upgrade: the connection of a WebSocket goes on without them.
    sent.destroy();
    onEnd();
  });
  sent.once('error', (error) => {
    if (response.destroyed || isAnswered) return;
    if (!isConnected) onRefused(error);
    else if (response.headersSent) response.destroy();
    else onFailure(error);
  });
  sent.once('response', (answer) => {
    if (takes(answer)) return;
    // Without a length, Node sends chunks, but none to a client of HTTP/1.0.
    const headers = withoutHeaders(answer.rawHeaders, OF_ANSWER);
    response.writeHead(answer.statusCode ?? 500, answer.statusMessage, headers);
    // A stream may send nothing for a long time.
    response.write(NOTHING);
    answer.once('error', () => response.destroy());
    answer.once('end', () => (isAnswered = true));
    answer.pipe(response);
  });
  sent.once('upgrade', (answer, socket, head) => {
    const client = request.socket;
    socket.unshift(head);
    socket.on('error', () => undefined); // an error also closes it
    response.once('close', () => {
      // A pipeline with a closed part throws.
      if (!client.destroyed && !socket.destroyed) return void pipeline(client, socket, client, () => undefined);
      client.destroy();
      socket.destroy();
    });
    response.writeHead(101, answer.statusMessage, answer.rawHeaders).end();
  });
  sent.once('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true;
      // Pass on together what came together: Deno 2.9 never ends a body whose last chunk comes alone after the answer has begun.
      let hasBegun = false;
      request.on('data', () => {
        hasBegun = true;
        socket.cork();
        setImmediate(() => socket.uncork());
      });
      request.pipe(sent);
      // The host may answer before the body arrives, such as by a refusal. What has come with the head goes along with it.
      setImmediate(() => {
        if (!hasBegun && !sent.writableEnded) sent.write(NOTHING);
      });
    });
  });
}

function withoutHeaders(rawHeaders: readonly string[], names: ReadonlySet<string>): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!names.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
