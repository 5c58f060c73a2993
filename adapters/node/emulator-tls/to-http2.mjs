import http from 'node:http';
import http2 from 'node:http2';
import { pipeline } from 'node:stream';

/** Headers about a connection in HTTP/1.1, which HTTP/2 forbids: RFC 9113 section 8.2.2. */
const ofConnection = new Set(['connection', 'host', 'keep-alive', 'proxy-connection', 'transfer-encoding', 'upgrade']);

/** A server that passes the requests of each connection on as streams of one HTTP/2 connection. */
export function bridgeToHttp2(origin, ca) {
  const connections = new WeakMap();
  const connect = (socket) => {
    const connection = http2.connect(origin, { ca });
    connection.on('error', () => socket.destroy());
    socket.once('close', () => connection.destroy());
    connections.set(socket, connection);
    return connection;
  };
  return http.createServer((request, response) => {
    const connection = connections.get(request.socket) ?? connect(request.socket);
    const hasBody =
      request.headers['content-length'] !== undefined || request.headers['transfer-encoding'] !== undefined;
    const onward = connection.request(toHead(request), { endStream: !hasBody });
    response.once('close', () => onward.close(http2.constants.NGHTTP2_CANCEL));
    onward.once('error', () => response.destroy());
    onward.once('response', (head, _, rawHeaders) => {
      response.writeHead(
        head[':status'],
        rawHeaders.flatMap((name, index) => (index % 2 || name.startsWith(':') ? [] : [name, rawHeaders[index + 1]])),
      );
      response.write(new Uint8Array()); // Not flushHeaders, which writes the head as UTF-8.
      pipeline(onward, response, () => {});
    });
    if (!hasBody) return;
    request.pipe(onward);
    request.once('aborted', () => onward.close(http2.constants.NGHTTP2_CANCEL));
    // The server has answered without reading the whole request.
    onward.once('close', () => request.resume());
  });
}

function toHead({ method, url, headersDistinct, headers, socket }) {
  const kept = Object.entries(headersDistinct).filter(([name]) => !ofConnection.has(name));
  return {
    ':method': method,
    ':path': url,
    ':scheme': 'https',
    ':authority': headers.host,
    ...Object.fromEntries(kept),
    // The suite compares URLs, which have the bridge's scheme.
    'x-forwarded-proto': 'http',
    'x-forwarded-for': [...(headersDistinct['x-forwarded-for'] ?? []), socket.remoteAddress].join(', '),
  };
}
