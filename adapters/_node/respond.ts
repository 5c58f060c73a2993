import { ServerResponse } from 'node:http';
import type { NodeResponse } from './host-types.ts';
import { writeHead } from './write-head.ts';

/** How much of a stream may wait for a slow client, in bytes. */
const QUEUE_LIMIT = 256 * 1024;

/**
 * Sends a Response. The promise rejects when the response's own body fails, after the connection has been closed, or
 * before anything was sent; `nodeResponse.headersSent` tells which.
 */
export async function respond(
  response: Response,
  nodeResponse: NodeResponse,
  method: string | undefined,
): Promise<void> {
  const { body, status } = response;
  // The client has left, or a middleware of the framework has answered.
  if (nodeResponse.destroyed || nodeResponse.writableEnded || nodeResponse.headersSent) {
    await body?.cancel();
    return;
  }
  const mayHaveBody = method !== 'HEAD' && status !== 204 && status !== 304;
  if (!body) {
    // RFC 9110 section 8.6: no Content-Length with 204; with HEAD and 304 it would be that of another answer.
    writeHead(response, nodeResponse, mayHaveBody ? 0 : undefined);
    nodeResponse.end();
    return;
  }

  const reader = body.getReader();
  const stop = (): void => void reader.cancel(new Error('The client closed the connection.')).catch(() => undefined);
  nodeResponse.once('close', stop);
  try {
    if (mayHaveBody) await sendBody(response, nodeResponse, reader);
    else await sendHeadOnly(response, nodeResponse, reader);
  } catch (error) {
    stop();
    // A body cut off must not look like a whole one: RFC 9112 section 8.
    if (nodeResponse.headersSent) nodeResponse.destroy();
    throw error;
  } finally {
    nodeResponse.off('close', stop);
  }
}

type Reader = ReadableStreamDefaultReader<Uint8Array>;

async function sendBody(response: Response, nodeResponse: NodeResponse, reader: Reader): Promise<void> {
  // Whoever waits for the head of an event stream gets it before the first event.
  const flush = setImmediate(() => startStream(response, nodeResponse));
  const first = await reader.read().finally(() => clearImmediate(flush));
  if (nodeResponse.destroyed) return;

  const next = reader.read();
  if (!nodeResponse.headersSent) {
    const isWhole = first.done || (await Promise.race([next, afterMicrotasks()]))?.done;
    if (nodeResponse.destroyed) return;
    if (isWhole) {
      const bytes = first.done ? new Uint8Array() : toBytes(first.value);
      writeHead(response, nodeResponse, bytes.byteLength);
      nodeResponse.end(bytes);
      return;
    }
    startStream(response, nodeResponse);
  }
  if (!first.done) await write(nodeResponse, first.value);
  await pump(nodeResponse, reader, next);
  if (!nodeResponse.destroyed) nodeResponse.end();
}

// HEAD answers as GET would, so a body that is whole at once gives its length: RFC 9110 section 9.3.2.
async function sendHeadOnly(response: Response, nodeResponse: NodeResponse, reader: Reader): Promise<void> {
  const isHead = response.status !== 204 && response.status !== 304;
  const first = isHead ? await Promise.race([reader.read(), afterMicrotasks()]) : undefined;
  const second = first && !first.done ? await Promise.race([reader.read(), afterMicrotasks()]) : first;
  const length = second?.done ? (first?.value?.byteLength ?? 0) : undefined;
  await reader.cancel();
  if (nodeResponse.destroyed) return;
  writeHead(response, nodeResponse, length);
  nodeResponse.end();
}

async function pump(nodeResponse: NodeResponse, reader: Reader, first: ReturnType<Reader['read']>): Promise<void> {
  let read = await first;
  while (!read.done && !nodeResponse.destroyed) {
    await write(nodeResponse, read.value);
    read = await reader.read();
  }
}

async function write(nodeResponse: NodeResponse, chunk: unknown): Promise<void> {
  // Both kinds of response write alike, but their overloads do not unite.
  const isFlowing = (nodeResponse as ServerResponse).write(toBytes(chunk));
  if (!isFlowing && nodeResponse.writableLength >= QUEUE_LIMIT) await drained(nodeResponse);
}

function drained(nodeResponse: NodeResponse): Promise<void> {
  return new Promise((resolve) => {
    const done = (): void => {
      nodeResponse.off('drain', done);
      nodeResponse.off('close', done);
      resolve();
    };
    nodeResponse.on('drain', done);
    nodeResponse.on('close', done);
  });
}

function startStream(response: Response, nodeResponse: NodeResponse): void {
  if (nodeResponse.headersSent || nodeResponse.destroyed) return;
  // Else bytes beyond a Content-Length of the route's own would be read as the next response: RFC 9112 section 6.3.
  if (nodeResponse instanceof ServerResponse) nodeResponse.strictContentLength = true;
  writeHead(response, nodeResponse, undefined);
  // Node's HTTP/2 response has it too; its types do not say so.
  (nodeResponse as ServerResponse).flushHeaders();
}

function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(
    `The stream of a Response gave a ${typeof chunk} instead of a Uint8Array. Pipe text through a TextEncoderStream.`,
  );
}

// Resolves when the promise jobs that are due have run: by then a body that is all there has said so.
function afterMicrotasks(): Promise<undefined> {
  return new Promise((resolve) => process.nextTick(resolve, undefined));
}
