import { once } from 'node:events';

const DELIMITER = Buffer.alloc(8);

/** Sends a runtime's answer to an event. */
export async function sendAnswer({ kind, request, isStream }, response, { limit }) {
  if (isStream) return sendStream(request, response);
  const payload = Buffer.concat(await request.toArray());
  if (kind === 'error' || payload.byteLength > limit) return sendFailure(response);
  const { body = '', isBase64Encoded, multiValueHeaders, ...rest } = JSON.parse(payload);
  const head = multiValueHeaders ? { ...rest, headers: multiValueHeaders, cookies: [] } : rest;
  const bytes = Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8');
  const isCounted = response.req.method !== 'HEAD' && head.statusCode !== 204 && head.statusCode !== 304;
  if (isCounted) head.headers['content-length'] = String(bytes.byteLength);
  writeHead(response, head);
  response.end(bytes);
}

// The head comes first, in JSON, and eight zero bytes after it. A client that leaves stops nothing:
// https://docs.aws.amazon.com/lambda/latest/dg/configuration-response-streaming.html
async function sendStream(source, response) {
  let head;
  let pending = Buffer.alloc(0);
  for await (const chunk of source) {
    pending = Buffer.concat([pending, chunk]);
    const end = head === undefined ? pending.indexOf(DELIMITER) : 0;
    if (end === -1) continue;
    if (head === undefined) {
      head = toStreamHead(JSON.parse(pending.subarray(0, end)));
      pending = pending.subarray(end + DELIMITER.byteLength);
    }
    // Not before there is a chunk to send with it:
    // https://github.com/aws/aws-lambda-nodejs-runtime-interface-client/issues/94
    if (pending.byteLength > 0 && !response.destroyed) {
      if (!response.headersSent) writeHead(response, head);
      if (!response.write(pending)) await Promise.race([once(response, 'drain'), once(response, 'close')]);
    }
    pending = Buffer.alloc(0);
  }
  if (source.trailers['lambda-runtime-function-error-type'] !== undefined || head === undefined) {
    if (response.headersSent) response.destroy();
    else sendFailure(response);
    return;
  }
  if (!response.headersSent) writeHead(response, head);
  response.end();
}

// A stream has no length: https://github.com/cargo-lambda/cargo-lambda/issues/862
function toStreamHead({ headers, ...head }) {
  const pairs = Object.entries(headers);
  const remap = (name) => (name === 'content-length' ? 'x-amzn-remapped-content-length' : name);
  return { ...head, headers: Object.fromEntries(pairs.map(([name, value]) => [remap(name), value])) };
}

function writeHead(response, { statusCode, headers, cookies }) {
  if (cookies.length > 0) response.setHeader('set-cookie', cookies);
  response.writeHead(statusCode, headers);
  // Not flushHeaders(), which would write bytes above 127 as UTF-8.
  response.write(Buffer.alloc(0));
}

function sendFailure(response) {
  response.writeHead(502, { 'content-type': 'application/json' }).end('{"message":"Internal Server Error"}');
}
