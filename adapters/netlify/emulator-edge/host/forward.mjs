import { request as sendRequest } from 'node:http';
import { pipeline } from 'node:stream';

/** Headers that concern only one connection, or that the network in front sets. */
const dropped = /^(?:connection|keep-alive|expect|upgrade|te|x-nf-.*|x-forwarded-(?:host|proto))$/;

/**
 * Creates the function that passes a request to the isolate, with the headers by which Netlify's network describes the
 * request, and passes its answer to the client.
 */
export function createForwarder({ port, name, manifest, originPort }) {
  const route = manifest.routes.findIndex((entry) => entry.function === name);
  const metadata = { function_config: manifest.function_config, req_routes: [route], routes: manifest.routes };
  const about = {
    'x-nf-edge-functions': name,
    'x-nf-edge-functions-metadata': toBase64(metadata),
    'x-nf-passthrough': 'passthrough',
    'x-nf-passthrough-host': `127.0.0.1:${originPort}`,
    'x-nf-passthrough-proto': 'http:',
    'x-nf-geo': toBase64({ city: 'Springfield', country: { code: 'US', name: 'United States' } }),
    'x-nf-site-info': toBase64({ id: 'site', name: 'conformance', url: 'http://localhost' }),
  };

  return (request, response, { target }) => {
    const { method, headersDistinct, socket } = request;
    const headers = {
      ...toHeaders(headersDistinct),
      ...about,
      'x-nf-request-id': crypto.randomUUID(),
      'x-nf-client-connection-ip': socket.remoteAddress,
    };
    const forwarded = sendRequest({ host: '127.0.0.1', port, method, path: target, headers, agent: false });
    forwarded.once('response', (answer) => {
      const lines = toPairs(answer.rawHeaders).filter(
        ([line]) => !/^(?:connection|keep-alive|transfer-encoding|x-nf-.*)$/i.test(line),
      );
      response.writeHead(answer.statusCode, answer.statusMessage, lines.flat());
      // Sends the head now. Not flushHeaders(), which would write bytes above 127 as UTF-8.
      response.write(Buffer.alloc(0));
      pipeline(answer, response, () => {
        // The part of the request that the function has not read is read here, so that the connection can be reused.
        request.unpipe(forwarded).resume();
        forwarded.destroy();
      });
    });
    forwarded.on('error', () => {
      if (response.headersSent) response.destroy();
      else if (!response.destroyed) response.writeHead(502).end();
    });
    response.once('close', () => forwarded.destroy());
    request.pipe(forwarded);
    // A body that arrives later than its head is sent later too.
    setImmediate(() => {
      const hasBody = 'content-length' in headers || 'transfer-encoding' in headers;
      if (hasBody && !forwarded.headersSent) forwarded.write(Buffer.alloc(0));
    });
  };
}

// One value per name: Node would keep only the first for some names.
function toHeaders(headersDistinct) {
  const kept = Object.entries(headersDistinct).filter(([name]) => !dropped.test(name));
  return Object.fromEntries(kept.map(([name, values]) => [name, values.join(name === 'cookie' ? '; ' : ', ')]));
}

function toPairs(rawHeaders) {
  return rawHeaders.flatMap((name, index) => (index % 2 === 0 ? [[name, rawHeaders[index + 1]]] : []));
}

function toBase64(value) {
  return Buffer.from(JSON.stringify(value)).toString('base64');
}
