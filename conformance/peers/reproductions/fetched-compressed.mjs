/** The server passes on what another server has compressed (quality). */
import { once } from 'node:events';
import { createServer } from 'node:http';
import { gzipSync } from 'node:zlib';

const upstream = createServer((_, response) => {
  response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('from afar'));
});
upstream.listen(0, '127.0.0.1');
await once(upstream, 'listening');

// The body is decoded, the header is still there.
const { fetch: fetchUpstream } = globalThis;
export const fetch = () => fetchUpstream(`http://127.0.0.1:${upstream.address().port}/`);
export const send = 'GET / HTTP/1.1\r\nHost: a.test\r\nConnection: close\r\n\r\n';
export const expected = 'no Content-Encoding with the decoded body';
export const isRight = (received) => received.includes('from afar') !== /^content-encoding: gzip/im.test(received);
