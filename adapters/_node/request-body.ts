import type { ServerResponse } from 'node:http';
import type { ReadableByteStreamController } from 'node:stream/web';
import type { Readable } from 'node:stream';
import { tooLargeError } from '../_http/body-limit.ts';
import type { NodeResponse, ParsedBody } from './host-types.ts';

/** The body of a request, of which nothing is read before somebody asks. It can be asked for once. */
export interface RequestBody {
  /** All of it. It may share its memory with others. */
  whole(): Promise<Uint8Array>;
  /** What a native Request takes. */
  forNative(): Uint8Array<ArrayBuffer> | ReadableStream<Uint8Array>;
}

/** A Node request, or a stream that its body has been put into. */
export type BodySource = Readable & {
  socket?: { destroy(): unknown };
  headers?: Record<string, string | string[] | undefined>;
};

/** How much of a body nobody wants is taken from a client before its connection is closed, in bytes. */
const DISCARD_LIMIT = 16 * 1024 * 1024;

// The sources of streams that a route can hand on as they are.
const sources = new WeakMap<ReadableStream, BodySource>();
// How to stop reading the bodies that are being read.
const readers = new WeakMap<BodySource, () => void>();
const discarding = new WeakSet<BodySource>();

/**
 * The body that a Node request brings.
 *
 * @param limit – in bytes; the reading fails with a StatusError of 413 beyond it.
 */
export function toRequestBody(source: BodySource, limit: number): RequestBody {
  return { whole: () => readWhole(source, limit), forNative: () => toBodyStream(source, limit) };
}

/**
 * Sends the body of a request back as that of its answer: the stream of a route's `new Response(request.body)`, of which nothing
 * has been read. Node pipes it faster than any reader of the web's streams.
 *
 * @returns whether the stream was such a one, and is on its way.
 */
export function pipeBack(stream: ReadableStream, sink: NodeResponse, start: () => void): boolean {
  const source = sources.get(stream);
  if (!source || stream.locked || readers.has(source) || discarding.has(source) || source.destroyed) return false;
  // It is read now, for whoever asks.
  stream.getReader();
  readers.set(source, () => source.unpipe(sink as ServerResponse));
  start();
  source.on('error', () => sink.destroy());
  // Both kinds of response are writable streams.
  source.pipe(sink as ServerResponse);
  return true;
}

/** The body that a framework has read before us. */
export function fromParsedBody(body: ParsedBody): RequestBody {
  return { whole: async () => new Uint8Array(await new Response(body).arrayBuffer()), forNative: () => body };
}

/** The body of a request that has been answered without it. */
export const answeredBody: RequestBody = {
  whole: () => Promise.reject(answeredError()),
  forNative: () => new ReadableStream({ start: (controller) => controller.error(answeredError()) }),
};

/** Reads all of a body without a stream of the web in between, which would take longer than the reading. */
function readWhole(source: BodySource, limit: number): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    if (discarding.has(source)) return reject(answeredError());
    if (source.destroyed) return reject(failureOf(source.errored));
    const chunks: Uint8Array[] = [];
    let size = 0;
    const stop = (): void => {
      source.off('data', onData).off('end', onEnd).off('close', onClose);
      reject(answeredError());
    };
    const onData = (chunk: Uint8Array): void => {
      size += chunk.byteLength;
      chunks.push(chunk);
      if (size <= limit) return;
      reject(tooLargeError());
      discard(source);
    };
    const onEnd = (): void => resolve(chunks.length === 1 ? (chunks[0] as Uint8Array) : Buffer.concat(chunks, size));
    const onClose = (): void => reject(abortError());
    readers.set(source, stop);
    source.on('data', onData).on('end', onEnd).on('close', onClose);
    // Told before the close. It stays on: without a listener an error ends the process.
    source.on('error', (error: Error) => reject(failureOf(error)));
  });
}

/**
 * The body of a request as a byte stream. Nothing is read before somebody pulls, so a slow handler slows the client
 * down, and a body nobody wants stays with Node, which discards it after the response.
 */
function toBodyStream(source: BodySource, limit: number): ReadableStream<Uint8Array> {
  let next: PromiseWithResolvers<Uint8Array | null> | undefined;
  let size = 0;
  const stream: ReadableStream<Uint8Array> = new ReadableStream(
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
  // Of an announced length, which has been found to be within the limit.
  if (source.headers?.['content-length'] !== undefined) sources.set(stream, source);
  return stream;
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
