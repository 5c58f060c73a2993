import { Readable } from 'node:stream';
import type { VercelRequest } from './host-types.ts';

/**
 * The bytes of a body that something has read before the function was called, or `undefined` when nothing has.
 *
 * The helpers of `@vercel/node` do so when the request has a content type. They put the bytes into another stream, and of that
 * only `read` and `on` into the request, so to iterate the request or to pipe it ends in nothing.
 *
 * @returns a stream, which fails when the bytes are lost.
 */
export function toRestoredBody(nodeRequest: VercelRequest): Readable | undefined {
  if (!nodeRequest.readableDidRead && !nodeRequest.readableEnded) return undefined;
  const isRestored = Object.hasOwn(nodeRequest, 'read');
  return isRestored ? Readable.from(remainder(nodeRequest)) : lostBody();
}

function* remainder(nodeRequest: VercelRequest): Generator<Uint8Array> {
  for (let chunk = nodeRequest.read(); chunk !== null; chunk = nodeRequest.read()) yield chunk;
}

function lostBody(): Readable {
  return new Readable({
    read() {
      this.destroy(
        new TypeError('The request body was read before the handler was called. Call the handler before reading it.'),
      );
    },
  });
}
