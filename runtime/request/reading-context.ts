import { streamOf } from '../http/quick-response.ts';

/** What runs code in the context of a request. */
interface ReadingContext {
  run<Result>(code: () => Result): Result;
}

const contexts = new WeakMap<ReadableStream, ReadingContext>();

/**
 * Notes in whose context the stream of an answer is read, if it has one. That of the route which has made it: another route may pass it on
 * that got it from `fetchRoute`.
 */
export function keepContext(response: Response, context: ReadingContext): void {
  const stream = streamOf(response);
  if (stream && !contexts.has(stream)) contexts.set(stream, context);
}

/** Runs code that reads a stream, in the context of the request which the stream answers. */
export function inReadingContext<Result>(stream: ReadableStream, code: () => Result): Result {
  const context = contexts.get(stream);
  return context ? context.run(code) : code();
}

/**
 * The reader of a stream that answers a request. A stream calls `pull()` where it is read: outside of the context, the helpers would not work
 * there.
 */
export function readerOf(stream: ReadableStream<Uint8Array>): ReadableStreamDefaultReader<Uint8Array> {
  const context = contexts.get(stream);
  const reader = stream.getReader();
  if (!context) return reader;
  const read = reader.read.bind(reader);
  const cancel = reader.cancel.bind(reader);
  return Object.assign(reader, {
    read: () => context.run(read),
    cancel: (reason?: unknown) => context.run(() => cancel(reason)),
  });
}
