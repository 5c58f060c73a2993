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
  /** The answers of which nothing has been read yet. The caller may destroy them. */
  unread: Set<IncomingMessage>;
}

/** Ends the exchange of a body that no code can read any more. Otherwise the host would wait for ever to send the rest. */
const unreachable = new FinalizationRegistry<IncomingMessage>((answer) => void answer.destroy());

/** Sends a request of code in this process to a host, with the URL that the app has for its visitors. */
export async function fetchFromHost(
  request: Request,
  { to, onConnect, onEnd, unread }: FetchFromHostOptions,
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
  return new Response(isEmpty ? null : toBody(answer, unread), { status, headers: pairs });
}

/** The connection refers to the stream of Node. It does not refer to this one while nobody reads, so it can be garbage. */
function toBody(answer: IncomingMessage, unread: Set<IncomingMessage>): ReadableStream<Uint8Array<ArrayBuffer>> {
  const reader = (Readable.toWeb(answer) as ReadableStream<Uint8Array<ArrayBuffer>>).getReader(); // the types of Node and of the web differ
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>(
    {
      async pull(controller) {
        unread.delete(answer);
        const { done, value } = await reader.read();
        if (done) controller.close();
        else controller.enqueue(value);
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
  unread.add(answer);
  answer.once('close', () => unread.delete(answer));
  unreachable.register(body, answer);
  return body;
}
