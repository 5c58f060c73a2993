import type { ReadableByteStreamController } from 'node:stream/web';
import { tooLargeError } from '../_http/body-limit.ts';
import type { NodeRequest } from './host-types.ts';

/** How much of a body nobody wants is taken from a client before its connection is closed, in bytes. */
const DISCARD_LIMIT = 16 * 1024 * 1024;

// How to stop reading the bodies that are being read.
const readers = new WeakMap<NodeRequest, () => void>();
const discarding = new WeakSet<NodeRequest>();

/**
 * The body of a Node request as a byte stream. Nothing is read before somebody pulls, so a slow handler slows the client
 * down, and a body nobody wants stays with Node, which discards it after the response.
 *
 * @param limit – in bytes; the stream fails with a StatusError of 413 beyond it.
 */
export function toBodyStream(nodeRequest: NodeRequest, limit: number): ReadableStream<Uint8Array> {
  let next: PromiseWithResolvers<Uint8Array | null> | undefined;
  let size = 0;
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        // Node may say so together with the last chunk, when nobody was waiting for more.
        if (nodeRequest.readableEnded) return close(controller);
        next = withResolvers();
        if (!readers.has(nodeRequest))
          readers.set(
            nodeRequest,
            read(nodeRequest, () => next),
          );
        nodeRequest.resume();
        // The client may have left since the last read, or before the first.
        if (nodeRequest.destroyed) next.reject(abortError());
        const chunk = await next.promise;
        if (!chunk) return close(controller);
        size += chunk.byteLength;
        if (size > limit) {
          discard(nodeRequest);
          throw tooLargeError();
        }
        // Enqueueing takes the buffer away. HTTP/2 cuts several chunks from one, which are then to be copied.
        controller.enqueue(chunk.byteLength === chunk.buffer.byteLength ? chunk : new Uint8Array(chunk));
      },
      cancel() {
        discard(nodeRequest);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Lets the rest of a body run into nothing, so that the client gets to read the answer and the connection can carry the
 * next request. A client that goes on and on is cut off.
 */
export function discard(nodeRequest: NodeRequest): void {
  if (nodeRequest.readableEnded || nodeRequest.destroyed || discarding.has(nodeRequest)) return;
  discarding.add(nodeRequest);
  readers.get(nodeRequest)?.();
  let size = 0;
  nodeRequest.on('data', (chunk: Uint8Array) => {
    size += chunk.byteLength;
    if (size > DISCARD_LIMIT) nodeRequest.socket.destroy();
  });
  nodeRequest.resume();
}

function close(controller: ReadableByteStreamController): void {
  controller.close();
  controller.byobRequest?.respond(0);
}

type PromiseWithResolvers<T> = { promise: Promise<T>; resolve: (value: T) => void; reject: (reason: unknown) => void };

// Promise.withResolvers is not in Node 20.
function withResolvers<T>(): PromiseWithResolvers<T> {
  let settle: Omit<PromiseWithResolvers<T>, 'promise'> | undefined;
  const promise = new Promise<T>((resolve, reject) => (settle = { resolve, reject }));
  return Object.assign({ promise }, settle as Omit<PromiseWithResolvers<T>, 'promise'>); // set by the line before
}

/** Hands one chunk, the end (`null`) or the failure to whoever waits, and pauses. Gives what stops it. */
function read(
  nodeRequest: NodeRequest,
  waiting: () => PromiseWithResolvers<Uint8Array | null> | undefined,
): () => void {
  const onData = (chunk: Uint8Array): void => {
    nodeRequest.pause();
    waiting()?.resolve(chunk);
  };
  const onEnd = (): void => waiting()?.resolve(null);
  const onClose = (): void => waiting()?.reject(abortError());
  const stop = (): void => {
    nodeRequest.off('data', onData).off('end', onEnd).off('close', onClose);
  };
  nodeRequest.on('data', onData).on('end', onEnd).on('close', onClose);
  // A connection that breaks off is told by both events; without a listener for this one it would end the process.
  nodeRequest.on('error', onClose);
  return stop;
}

// In the words of the platform, so that a route sees the same on every host.
function abortError(): DOMException {
  return new DOMException('The client closed the connection before it had sent the whole body.', 'AbortError');
}
