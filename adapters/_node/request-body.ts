import type { Readable } from 'node:stream';
import { tooLargeError } from '../_http/body-limit.ts';

/**
 * A Node stream, such as a request, as the byte stream of a body. Nothing is read before somebody pulls, so a slow handler slows the client
 * down, and a body nobody wants stays with Node, which discards it after the response.
 *
 * @param limit – in bytes; the stream fails with a StatusError of 413 beyond it.
 */
export function toBodyStream(source: Readable, limit: number): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  let size = 0;
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        // A read in the middle of a body must not destroy the socket the response is still to be sent on.
        chunks ??= source.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        size += value.byteLength;
        if (size > limit) {
          discard(source);
          throw tooLargeError();
        }
        // A copy: enqueueing takes the buffer away, and Node cuts several chunks from one.
        controller.enqueue(new Uint8Array(value));
      },
      cancel() {
        discard(source);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Lets the rest of a body run into nothing, so that the connection can carry the next request. */
export function discard(source: Readable): void {
  if (!source.readableEnded && !source.destroyed) source.resume();
}
