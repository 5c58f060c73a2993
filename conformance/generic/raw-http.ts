import { connect as connectTcp, isIP } from 'node:net';
import type { Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';

/** A request as it goes over the wire: only the line ends are added. */
export interface RawRequest {
  /** Default: `GET`. */
  method?: string;
  /** The request target, exactly as sent. */
  target: string;
  /** Default: `HTTP/1.1`. */
  version?: string;
  /** Header lines in order, duplicates included. */
  headers?: readonly (readonly [name: string, value: string])[];
  /** Sent after the head unchanged; `headers` must announce its length. */
  body?: string | Uint8Array;
}

/** The head of a response, with every header line as received. */
export interface RawHead {
  status: number;
  statusText: string;
  headers: (readonly [name: string, value: string])[];
  /** The value of a header that must come at most once; null when it is absent. */
  header(name: string): string | null;
  /** The values of every line of that name, in order. */
  values(name: string): string[];
}

/** A whole response. */
export interface RawResponse extends RawHead {
  body: Buffer;
  /** How the end of the body was marked. */
  framing: Framing;
}

/** How the end of a response body is marked (RFC 9112 section 6.3). */
export type Framing = 'none' | 'content-length' | 'chunked' | 'close';

/** One connection to a server, read with the framing rules of HTTP/1.1. */
export interface Connection {
  readonly socket: Socket;
  /** Sends a request, or any bytes. Resolves when the operating system has taken them. */
  write(data: RawRequest | string | Uint8Array): Promise<void>;
  /** Reads the next head, interim (1xx) ones included. */
  head(): Promise<RawHead>;
  /** Reads the body after `head` piece by piece, without its framing. */
  pieces(head: RawHead, requestMethod?: string): AsyncGenerator<Buffer, void, undefined>;
  /** Reads one final response with its complete body. `requestMethod` matters for `HEAD`. */
  response(requestMethod?: string): Promise<RawResponse>;
  /** Everything received and not read yet. */
  unread(): Buffer;
  /** Resolves when the server has ended or reset the connection. */
  closed(): Promise<void>;
  /** Ends the connection abruptly, as a closed browser tab does. */
  destroy(): void;
}

/**
 * Opens a connection on which a test controls every byte, where `fetch` would correct or hide it.
 *
 * @param origin – `http://host:port` or `https://host:port` of the server.
 */
export async function connect(origin: string): Promise<Connection> {
  const socket = await openSocket(new URL(origin));
  const incoming = receive(socket);

  const head = async (): Promise<RawHead> => parseHead(await incoming.until('\r\n\r\n'));
  const pieces = (of: RawHead, requestMethod = 'GET'): AsyncGenerator<Buffer, void, undefined> =>
    readBody(incoming, of, requestMethod);

  return {
    socket,
    write: (data) => send(socket, data),
    head,
    pieces,
    async response(requestMethod = 'GET') {
      let final = await head();
      while (final.status < 200) final = await head();
      const body: Buffer[] = [];
      for await (const piece of pieces(final, requestMethod)) body.push(piece);
      return { ...final, body: Buffer.concat(body), framing: framingOf(final, requestMethod) };
    },
    unread: () => incoming.unread(),
    closed: () => incoming.ended,
    destroy: () => socket.destroy(),
  };
}

function openSocket({ protocol, hostname, port }: URL): Promise<Socket> {
  const isSecure = protocol === 'https:';
  const to = { host: hostname, port: Number(port || (isSecure ? 443 : 80)), noDelay: true };
  // A certificate names hosts; for an address, TLS sends no server name.
  const servername = isIP(hostname) === 0 ? hostname : '';
  const socket = isSecure ? connectTls({ ...to, servername, ALPNProtocols: ['http/1.1'] }) : connectTcp(to);
  return new Promise((resolve, reject) => {
    socket.once(isSecure ? 'secureConnect' : 'connect', () => resolve(socket));
    socket.once('error', reject);
  });
}

/** The bytes of a request. */
export function formatRequest(request: RawRequest): Buffer {
  const { method = 'GET', target, version = 'HTTP/1.1', headers = [], body = '' } = request;
  const lines = [`${method} ${target} ${version}`, ...headers.map(([name, value]) => `${name}: ${value}`), '', ''];
  // latin1, so that a test can put any byte into a header by writing the character with that code
  return Buffer.concat([Buffer.from(lines.join('\r\n'), 'latin1'), Buffer.from(body)]);
}

/** How the end of the body after this head is marked. */
export function framingOf(head: RawHead, requestMethod: string): Framing {
  if (requestMethod === 'HEAD' || head.status < 200 || head.status === 204 || head.status === 304) return 'none';
  if (head.values('transfer-encoding').length > 0) return 'chunked';
  return head.header('content-length') === null ? 'close' : 'content-length';
}

function send(socket: Socket, data: RawRequest | string | Uint8Array): Promise<void> {
  const bytes = typeof data === 'string' || data instanceof Uint8Array ? data : formatRequest(data);
  return new Promise((resolve, reject) => {
    socket.write(bytes, (error) => (error ? reject(error) : resolve()));
  });
}

async function* readBody(incoming: Incoming, head: RawHead, method: string): AsyncGenerator<Buffer, void, undefined> {
  const framing = framingOf(head, method);
  if (framing === 'content-length') yield* readSized(incoming, Number(head.header('content-length')));
  if (framing === 'chunked') yield* readChunked(incoming);
  if (framing === 'close') yield* readToClose(incoming);
}

async function* readSized(incoming: Incoming, size: number): AsyncGenerator<Buffer, void, undefined> {
  for (let left = size; left > 0;) {
    const piece = await incoming.upTo(left);
    if (piece === null) throw new Error(`The connection closed ${left} bytes before the end of a body of ${size}.`);
    left -= piece.length;
    yield piece;
  }
}

async function* readChunked(incoming: Incoming): AsyncGenerator<Buffer, void, undefined> {
  for (;;) {
    const line = (await incoming.until('\r\n')).toString('latin1');
    const size = Number.parseInt(line, 16);
    if (!/^[\da-f]+\s*(;.*)?\r\n$/i.test(line)) throw new Error(`Not the size of a chunk: ${JSON.stringify(line)}.`);
    if (size === 0) break;
    yield* readSized(incoming, size);
    const end = (await incoming.until('\r\n')).toString('latin1');
    if (end !== '\r\n') throw new Error(`A chunk of ${size} bytes is followed by ${JSON.stringify(end)}.`);
  }
  while ((await incoming.until('\r\n')).length > 2);
}

async function* readToClose(incoming: Incoming): AsyncGenerator<Buffer, void, undefined> {
  for (let piece = await incoming.upTo(Infinity); piece !== null; piece = await incoming.upTo(Infinity)) yield piece;
}

function parseHead(bytes: Buffer): RawHead {
  const [statusLine = '', ...lines] = bytes.toString('latin1').split('\r\n').slice(0, -2);
  const status = /^HTTP\/1\.[01] (\d{3}) ?(.*)$/.exec(statusLine);
  if (status === null) throw new Error(`Not a status line: ${JSON.stringify(statusLine)}.`);
  const headers = lines.map((line): readonly [string, string] => {
    const colon = line.indexOf(':');
    if (colon < 1) throw new Error(`Not a header line: ${JSON.stringify(line)}.`);
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  const values = (name: string): string[] =>
    headers.filter(([key]) => key.toLowerCase() === name.toLowerCase()).map(([, value]) => value);
  return {
    status: Number(status[1]),
    statusText: status[2] ?? '',
    headers,
    values,
    header(name) {
      const [value = null, ...more] = values(name);
      if (more.length > 0) throw new Error(`Header ${name} came ${more.length + 1} times where one was expected.`);
      return value;
    },
  };
}

interface Incoming {
  /** Consumes everything up to and including `mark`. */
  until(mark: string): Promise<Buffer>;
  /** Consumes at least one byte and at most `size`; null at the end of the connection. */
  upTo(size: number): Promise<Buffer | null>;
  unread(): Buffer;
  ended: Promise<void>;
}

function receive(socket: Socket): Incoming {
  let bytes: Buffer = Buffer.alloc(0);
  let over = false;
  let wake = (): void => {};
  let change = new Promise<void>((resolve) => (wake = resolve));
  const notify = (): void => {
    wake();
    change = new Promise((resolve) => (wake = resolve));
  };
  let end = (): void => {};
  const ended = new Promise<void>((resolve) => (end = resolve));
  const finish = (): void => {
    over = true;
    notify();
    end();
  };
  socket.on('data', (data) => {
    const part = data as Buffer; // no encoding is set
    bytes = bytes.length === 0 ? part : Buffer.concat([bytes, part]);
    notify();
  });
  socket.on('end', finish);
  socket.on('close', finish);
  socket.on('error', finish);

  const take = (size: number): Buffer => {
    const taken = bytes.subarray(0, size);
    bytes = bytes.subarray(size);
    return taken;
  };
  return {
    async until(mark) {
      for (;;) {
        const at = bytes.indexOf(mark);
        if (at !== -1) return take(at + mark.length);
        if (over) throw new Error(`The connection closed before ${JSON.stringify(mark)}, after ${preview(bytes)}.`);
        await change;
      }
    },
    async upTo(size) {
      for (;;) {
        if (bytes.length > 0) return take(Math.min(size, bytes.length));
        if (over) return null;
        await change;
      }
    },
    unread: () => bytes,
    ended,
  };
}

function preview(bytes: Buffer): string {
  return bytes.length === 0 ? 'no bytes' : JSON.stringify(bytes.subarray(0, 200).toString('latin1'));
}
