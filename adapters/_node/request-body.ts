import type { ReadableByteStreamController } from 'node:stream/web';
import type { Readable } from 'node:stream';
import { tooLargeError } from '../_http/body-limit.ts';

/** A Node request, or a stream that its body has been put into. */
export type BodySource = Readable & { socket?: { destroy(): unknown } };

/** How much of a body nobody wants is taken from a client before its connection is closed, in bytes. */
const DISCARD_LIMIT = 16 * 1024 * 1024;

// How to stop reading the bodies that are being read.
const readers = new WeakMap<BodySource, () => void>();
const discarding = new WeakSet<BodySource>();

/**
 * The body of a request as a byte stream. Nothing is read before somebody pulls, so a slow handler slows the client
 * down, and a body nobody wants stays with Node, which discards it after the response.
 *
 * @param limit – in bytes; the stream fails with a StatusError of 413 beyond it.
 */
export function toBodyStream(source: BodySource, limit: number): ReadableStream<Uint8Array> {
  let next: PromiseWithResolvers<Uint8Array | null> | undefined;
  let size = 0;
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        if (discarding.has(source)) throw answeredError();
        // Node may say so together with the last chunk, when nobody was waiting for more.
        if (source.readableEnded) return close(controller);
        next = withResolvers();
        if (!readers.has(source))
          readers.set(
            source,
            read(source, () => next),
          );
        source.resume();
        // The client may have left since the last read, or before the first.
        if (source.destroyed) next.reject(failureOf(source.errored));
        const chunk = await next.promise;
        if (!chunk) return close(controller);
        size += chunk.byteLength;
        if (size > limit) {
          discard(source);
          throw tooLargeError();
        }
        // Enqueueing takes the buffer away. HTTP/2 cuts several chunks from one, which are then to be copied.
        controller.enqueue(chunk.byteLength === chunk.buffer.byteLength ? chunk : new Uint8Array(chunk));
      },
      cancel() {
        discard(source);
      },
    },
    { highWaterMark: 0 },
  );
}

/**
 * Lets the rest of a body run into nothing, so that the client gets to read the answer and the connection can carry the
 * next request. A client that goes on and on is cut off.
 */
export function discard(source: BodySource): void {
  if (source.readableEnded || source.destroyed || discarding.has(source)) return;
  discarding.add(source);
  readers.get(source)?.();
  let size = 0;
  source.on('data', (chunk: Uint8Array) => {
    size += chunk.byteLength;
    if (size > DISCARD_LIMIT) (source.socket ?? source).destroy();
  });
  source.resume();
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
function read(source: BodySource, waiting: () => PromiseWithResolvers<Uint8Array | null> | undefined): () => void {
  const onData = (chunk: Uint8Array): void => {
    source.pause();
    waiting()?.resolve(chunk);
  };
  const onEnd = (): void => waiting()?.resolve(null);
  const onClose = (): void => waiting()?.reject(abortError());
  const onError = (error: Error): void => waiting()?.reject(failureOf(error));
  const stop = (): void => {
    source.off('data', onData).off('end', onEnd).off('close', onClose);
    waiting()?.reject(answeredError());
  };
  source.on('data', onData).on('end', onEnd).on('close', onClose);
  // Told before the close. It stays on: without a listener an error ends the process.
  source.on('error', onError);
  return stop;
}

// What is read of a body that has been let go must not look like the whole.
function answeredError(): TypeError {
  return new TypeError(
    'The request was answered before its body was read. Read it before the response is returned, for a task as well.',
  );
}

// That the connection broke off is told by this code; a stream that stands for a body may fail of its own.
function failureOf(error: Error | null): Error {
  return error && (error as NodeJS.ErrnoException).code !== 'ECONNRESET' ? error : abortError();
}

// In the words of the platform, so that a route sees the same on every host.
function abortError(): DOMException {
  return new DOMException('The client closed the connection before it had sent the whole body.', 'AbortError');
}
