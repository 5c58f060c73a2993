import { ServerResponse } from 'node:http';
import { cancelUnread, readerOf } from '../../runtime/host.ts';
import { breakOff, isGone } from '../_http/exchange.ts';
import type { NodeResponse } from './host-types.ts';
import { takeWholeResponse } from '../_light/light-response.ts';
import type { WholeResponse } from '../_light/light-response.ts';
import { peek } from '../_http/peek.ts';
import type { BodyReader } from '../_http/peek.ts';
import { pipeBack } from './request-body.ts';
import { StreamWriter } from './stream-writer.ts';
import { writeHead } from './write-head.ts';
import type { Head } from './write-head.ts';

/**
 * Sends a Response, synchronously if its body is in memory. A promise rejects if the response's own body fails, after
 * the connection has been closed or before anything was sent; `nodeResponse.headersSent` tells which.
 */
export function respond(
  response: Response,
  nodeResponse: NodeResponse,
  method: string | undefined,
): Promise<void> | undefined {
  // The client has left, or the framework's middleware has answered.
  if (isGone(nodeResponse) || nodeResponse.writableEnded || nodeResponse.headersSent) {
    return response.body ? cancelUnread(response.body) : undefined;
  }

  const mayHaveBody = method !== 'HEAD' && response.status !== 204 && response.status !== 304;
  const whole = takeWholeResponse(response);
  if (whole) return sendWhole(whole, nodeResponse, mayHaveBody);
  if (!response.body) return sendWhole({ ...headOf(response), body: null }, nodeResponse, mayHaveBody);
  // If the route sets a length, one byte too many is an error that only sendStream catches. Only sendStream flushes compressed parts.
  const mayPipe = mayHaveBody && !response.headers.has('content-length') && !('flush' in nodeResponse);
  if (mayPipe && pipeBack(response.body, nodeResponse, () => startStream(response, nodeResponse))) return undefined;
  return sendStream(response, readerOf(response.body), { nodeResponse, mayHaveBody });
}

function headOf({ status, statusText, headers }: Response): Head {
  return { status, statusText, headers };
}

function sendWhole(whole: WholeResponse, nodeResponse: NodeResponse, mayHaveBody: boolean): undefined {
  const { body } = whole;
  if (body === null) {
    // RFC 9110 section 8.6: no Content-Length with 204; with HEAD and 304 it would be the length of another answer.
    writeHead(whole, nodeResponse, mayHaveBody ? 0 : undefined);
    nodeResponse.end();
    return;
  }
  const length = Buffer.byteLength(body);
  writeHead(whole, nodeResponse, length);
  if (!mayHaveBody) nodeResponse.end();
  // As many bytes as characters: all ASCII. Node then writes head and body in one piece without encoding either; as UTF-8 it
  // would encode the head too, whose values are bytes (RFC 9110 section 5.5).
  else if (typeof body === 'string' && length === body.length) nodeResponse.end(body, 'latin1');
  else nodeResponse.end(typeof body === 'string' ? Buffer.from(body) : body);
}

async function sendStream(
  response: Response,
  reader: BodyReader,
  { nodeResponse, mayHaveBody }: { nodeResponse: NodeResponse; mayHaveBody: boolean },
): Promise<void> {
  const stop = (): void =>
    void cancelUnread(reader, new Error('The client closed the connection.')).catch(() => undefined);
  nodeResponse.once('close', stop);
  try {
    if (mayHaveBody) await sendBody(response, nodeResponse, reader);
    else await sendHeadOnly(response, nodeResponse, reader);
  } catch (error) {
    stop();
    if (nodeResponse.headersSent) breakOff(nodeResponse);
    throw error;
  } finally {
    nodeResponse.off('close', stop);
    // When other code has destroyed the answer, sending ends before the event. If the body is over, this does nothing.
    if (isGone(nodeResponse)) stop();
  }
}

async function sendBody(response: Response, nodeResponse: NodeResponse, reader: BodyReader): Promise<void> {
  const { whole, chunk, next } = await peek(reader);
  if (isGone(nodeResponse)) return;
  if (whole) {
    writeHead(response, nodeResponse, whole.byteLength);
    nodeResponse.end(whole);
    return;
  }
  // At once, since a client that opens an event stream waits for the head, perhaps long before the first event.
  startStream(response, nodeResponse);
  const writer = new StreamWriter(nodeResponse);
  if (chunk) await writer.write(chunk);
  else writer.flush();
  for (let read = await next; !read.done && !isGone(nodeResponse); read = await reader.read()) {
    await writer.write(read.value);
  }
  // A host that delays the end returns a promise: the end fails if the route's own length was not reached.
  if (!isGone(nodeResponse)) await (nodeResponse.end() as unknown);
}

// HEAD answers like GET, so the length of a complete body is sent: RFC 9110 section 9.3.2.
async function sendHeadOnly(response: Response, nodeResponse: NodeResponse, reader: BodyReader): Promise<void> {
  const { whole } = await peek(reader);
  await cancelUnread(reader);
  if (isGone(nodeResponse)) return;
  writeHead(response, nodeResponse, whole?.byteLength);
  nodeResponse.end();
}

function startStream(response: Response, nodeResponse: NodeResponse): void {
  // Otherwise bytes beyond the route's own Content-Length would be read as the next response: RFC 9112 section 6.3.
  if (nodeResponse instanceof ServerResponse) nodeResponse.strictContentLength = true;
  writeHead(response, nodeResponse, undefined);
  // Sends the head. Not flushHeaders, which writes it as UTF-8: header values are bytes (RFC 9110 section 5.5).
  if (nodeResponse instanceof ServerResponse) nodeResponse.write(new Uint8Array());
  // Node's HTTP/2 response has this too; its types do not say so.
  else (nodeResponse as unknown as ServerResponse).flushHeaders();
}
