import http from 'node:http';
import https from 'node:https';
import { pipeline } from 'node:stream';

/** A server that passes each request on over TLS unchanged. */
export function bridgeToHttp1(origin, ca) {
  const agent = new https.Agent({ ca, keepAlive: true, servername: 'localhost' });
  return http.createServer((request, response) => {
    const { method, url, rawHeaders, socket } = request;
    // The suite compares URLs, which have the bridge's scheme.
    const forwarded = ['X-Forwarded-Proto', 'http', 'X-Forwarded-For', socket.remoteAddress];
    const onward = https.request(origin, {
      method,
      path: url,
      headers: [...rawHeaders, ...forwarded],
      agent,
      setHost: false,
    });
    response.once('close', () => onward.destroy());
    onward.once('error', () => response.destroy());
    onward.once('response', (answer) => {
      response.writeHead(answer.statusCode, answer.statusMessage, answer.rawHeaders);
      response.write(new Uint8Array()); // Not flushHeaders, which writes the head as UTF-8.
      pipeline(answer, response, () => {});
    });
    request.pipe(onward);
    // The server has answered without reading the whole request.
    onward.once('close', () => request.resume());
  });
}
