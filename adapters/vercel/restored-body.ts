import { Readable } from 'node:stream';
import type { VercelRequest } from './host-types.ts';

/**
 * The body where the helpers of `@vercel/node` have put it, which read it when the request has a content type: in another stream,
 * of which only `read` and `on` are put into the request, so that to iterate the request or to pipe it ends in nothing.
 *
 * @returns `undefined` when they did not.
 */
export function toRestoredBody(nodeRequest: VercelRequest): Readable | undefined {
  if (!nodeRequest.readableDidRead && !nodeRequest.readableEnded) return undefined;
  return Object.hasOwn(nodeRequest, 'read') ? Readable.from(remainder(nodeRequest)) : undefined;
}

function* remainder(nodeRequest: VercelRequest): Generator<Uint8Array> {
  for (let chunk = nodeRequest.read(); chunk !== null; chunk = nodeRequest.read()) yield chunk;
}
