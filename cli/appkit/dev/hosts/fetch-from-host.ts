import { once } from 'node:events';
import { request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { ReadingSocket } from './reading-socket.ts';

/** Where a request goes, and what happens to it. */
export interface FetchFromHostOptions {
  /** The URL of the host. */
  to: URL;
  /** Called when the host has accepted the connection. The request has not been read before. */
  onConnect(): void;
  /** Called when the exchange is over, successful or not. */
  onEnd(): void;
}

/** Sends a request of code in this process to a host, with the URL that the app has for its visitors. */
export async function fetchFromHost(
  request: Request,
  { to, onConnect, onEnd }: FetchFromHostOptions,
): Promise<Response> {
  const { method, url, headers, body, signal } = request;
  const { host, protocol, pathname, search } = new URL(url);
  const socket = new ReadingSocket();
  const sent = httpRequest({
    method,
    path: pathname + search,
    headers: {
      ...Object.fromEntries(headers),
      host,
      'accept-encoding': 'identity',
      'x-forwarded-proto': protocol.slice(0, -1),
    },
    createConnection: () => socket.connect(Number(to.port), to.hostname),
    signal,
  });
  // An answer that breaks off says so itself.
  sent.on('error', () => undefined);
  sent.once('close', onEnd);
  const connected = once(socket, 'connect');
  await Promise.race([connected, once(sent, 'error').then(([error]) => Promise.reject(error))]);
  onConnect();
  const answered = once(sent, 'response') as Promise<[IncomingMessage]>; // documented by Node
  // A host may answer without reading the whole body.
  if (body) pipeline(Readable.fromWeb(body), sent).catch(() => undefined);
  else sent.end();
  const [answer] = await answered;
  const pairs = answer.rawHeaders.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, answer.rawHeaders[index + 1] ?? '']] : [],
  );
  const { statusCode: status = 500 } = answer;
  const isEmpty = method === 'HEAD' || [204, 205, 304].includes(status);
  if (isEmpty) answer.resume();
  // The types of Node and of the web differ in their readers.
  const content = isEmpty ? null : (Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>);
  return new Response(content, { status, headers: pairs });
}
