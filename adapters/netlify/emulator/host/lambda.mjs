import { Writable } from 'node:stream';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

// The limit of an event, in which a body of bytes is Base64: https://docs.netlify.com/build/functions/configuration
const BODY_LIMIT = (6 * 1024 * 1024 * 3) / 4;

/**
 * Loads a bundled function, and returns a function that calls it as AWS Lambda would: with an event, and a stream for
 * the response.
 *
 * @param folder – the bundle's folder; it becomes the working directory.
 */
export async function createInvoker(folder) {
  process.chdir(folder);
  Object.assign(process.env, { LAMBDA_TASK_ROOT: folder, AWS_LAMBDA_FUNCTION_NAME: 'server' });
  // The bundle's entry point looks for it at once.
  globalThis.awslambda = {
    streamifyResponse: (handler) => handler,
    HttpResponseStream: { from: (stream, head) => Object.assign(stream, { head }) },
  };
  const { handler } = await import(pathToFileURL(path.join(folder, '___netlify-entry-point.mjs')).href);

  return async (request, response, target) => {
    const body = await readBody(request).catch(() => null);
    if (body === null) return;
    if (body === undefined) {
      response.writeHead(413, { connection: 'close' }).end('Request too large');
      return;
    }
    const event = {
      ...target,
      httpMethod: request.method,
      headers: toEventHeaders(request),
      body: body.byteLength > 0 ? body.toString('base64') : undefined,
      isBase64Encoded: body.byteLength > 0,
    };
    const context = { awsRequestId: crypto.randomUUID(), clientContext: {}, getRemainingTimeInMillis: () => 10_000 };
    const stream = toResponseStream(request, response);
    try {
      await handler(event, stream, context);
    } catch (error) {
      if (response.destroyed) return;
      console.error(error);
      if (response.headersSent) response.destroy();
      else response.writeHead(500, { 'content-type': 'text/plain' }).end('The function failed');
    }
  };
}

async function readBody(request) {
  if (Number(request.headers['content-length']) > BODY_LIMIT) return undefined;
  const chunks = [];
  let size = 0;
  for await (const chunk of request) {
    size += chunk.byteLength;
    if (size > BODY_LIMIT) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

// One value per name. Node would keep only the first for some names. The network in front reports the caller.
function toEventHeaders({ headersDistinct, socket }) {
  return {
    ...Object.fromEntries(
      Object.entries(headersDistinct).map(([name, values]) => [name, values.join(name === 'cookie' ? '; ' : ', ')]),
    ),
    'x-nf-client-connection-ip': socket.remoteAddress,
  };
}

// Lambda sends the head with the first bytes, not before.
function toResponseStream(request, response) {
  const sendHead = ({ statusCode, headers, multiValueHeaders }) => {
    const pairs = Object.entries(multiValueHeaders ?? headers).filter(([name]) => !name.startsWith('x-nf-'));
    response.strictContentLength = true;
    response.writeHead(statusCode, Object.fromEntries(pairs));
    // Not flushHeaders(), which would write bytes above 127 as UTF-8.
    response.write(Buffer.alloc(0));
  };
  const stream = new Writable({
    write(chunk, _encoding, callback) {
      try {
        if (!response.headersSent) sendHead(stream.head);
        if (request.method === 'HEAD' || response.write(chunk)) callback();
        else response.once('drain', callback);
      } catch (error) {
        callback(error);
      }
    },
    final(callback) {
      if (!response.headersSent) sendHead(stream.head);
      response.end(callback);
    },
  });
  // The output is no longer read: what the function still writes is not awaited.
  response.once('close', () => stream.destroy());
  return stream;
}
