import { request as httpRequest } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';

/** Headers of one connection, which are not those of the next. */
const OF_CONNECTION = new Set(['connection', 'keep-alive', 'proxy-connection', 'upgrade', 'expect']);

/** Where a request goes, and what to do with answers that are none. */
export interface ForwardOptions {
  url: URL;
  /** The browser speaks HTTPS to us. */
  isSecure: boolean;
  /** Whether somebody else gives the client its answer. */
  takes(answer: IncomingMessage): boolean;
  /** Called when there is no connection. The request is as it was. */
  onRefused(error: Error): void;
  /** Called when there is no answer. */
  onFailure(error: Error): void;
  /** Called when the exchange is over, however it has ended. */
  onEnd(): void;
}

/** Passes a request on as it came, and the answer back. */
export function forward(
  request: IncomingMessage,
  response: ServerResponse,
  { url, isSecure, takes, onRefused, onFailure, onEnd }: ForwardOptions,
): void {
  const headers = [...withoutConnection(request.rawHeaders), ...(isSecure ? ['X-Forwarded-Proto', 'https'] : [])];
  // A connection of its own: one that is kept may belong to a process that has just ended.
  const sent = httpRequest({
    hostname: url.hostname,
    port: url.port,
    method: request.method,
    path: request.url,
    headers,
    agent: false,
  });
  let isConnected = false;
  response.once('close', () => {
    sent.destroy();
    onEnd();
  });
  sent.once('error', (error) => {
    if (response.destroyed) return;
    if (!isConnected) onRefused(error);
    else if (response.headersSent) response.destroy();
    else onFailure(error);
  });
  sent.once('response', (answer) => {
    if (takes(answer)) return;
    response.writeHead(answer.statusCode ?? 500, answer.statusMessage, withoutConnection(answer.rawHeaders));
    // A stream may be quiet for long.
    response.flushHeaders();
    answer.once('error', () => response.destroy());
    answer.pipe(response);
  });
  sent.once('socket', (socket) => {
    socket.once('connect', () => {
      isConnected = true;
      // What came together goes on together: Deno 2.9 never ends a body whose last chunk comes alone after the answer has begun.
      request.on('data', () => {
        socket.cork();
        setImmediate(() => socket.uncork());
      });
      request.pipe(sent);
    });
  });
}

function withoutConnection(rawHeaders: readonly string[]): string[] {
  const kept: string[] = [];
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const [name = '', value = ''] = rawHeaders.slice(index, index + 2);
    if (!OF_CONNECTION.has(name.toLowerCase())) kept.push(name, value);
  }
  return kept;
}
