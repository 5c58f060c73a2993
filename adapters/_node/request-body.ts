import { tooLargeError } from '../_http/body-limit.ts';
import type { NodeRequest } from './host-types.ts';

/**
 * The body of a Node request as a byte stream. Nothing is read before somebody pulls, so a slow handler slows the client
 * down, and a body nobody wants stays with Node, which discards it after the response.
 *
 * @param limit – in bytes; the stream fails with a StatusError of 413 beyond it.
 */
export function toBodyStream(nodeRequest: NodeRequest, limit: number): ReadableStream<Uint8Array> {
  let chunks: AsyncIterator<Uint8Array> | undefined;
  let size = 0;
  return new ReadableStream(
    {
      type: 'bytes',
      async pull(controller) {
        // A read in the middle of a body must not destroy the socket the response is still to be sent on.
        chunks ??= nodeRequest.iterator({ destroyOnReturn: false }) as AsyncIterator<Uint8Array>;
        const { done, value } = await chunks.next();
        if (done) {
          controller.close();
          controller.byobRequest?.respond(0);
          return;
        }
        size += value.byteLength;
        if (size > limit) {
          discard(nodeRequest);
          throw tooLargeError();
        }
        // A copy: enqueueing takes the buffer away, and Node cuts several chunks from one.
        controller.enqueue(new Uint8Array(value));
      },
      cancel() {
        discard(nodeRequest);
      },
    },
    { highWaterMark: 0 },
  );
}

/** Lets the rest of a body run into nothing, so that the connection can carry the next request. */
export function discard(nodeRequest: NodeRequest): void {
  if (!nodeRequest.readableEnded && !nodeRequest.destroyed) nodeRequest.resume();
}
