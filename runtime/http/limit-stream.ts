import { StatusError } from './status-error.ts';

/** The error of reading a body that turns out too large. If the route does not catch it, the answer is 413. */
export function tooLargeError(): StatusError {
  return new StatusError(413);
}

/** Whether a request announces a body larger than `limit` bytes. */
export function isTooLarge(contentLength: string | null | undefined, limit: number): boolean {
  return Number(contentLength ?? 0) > limit;
}

/** The same bytes, failing with {@link tooLargeError} beyond `limit`. */
export function limitStream(body: ReadableStream<Uint8Array>, limit: number): ReadableStream<Uint8Array> {
  let size = 0;
  return body.pipeThrough(
    new TransformStream<Uint8Array, Uint8Array>({
      transform(chunk, controller) {
        size += chunk.byteLength;
        if (size > limit) throw tooLargeError();
        controller.enqueue(chunk);
      },
    }),
  );
}
