import { Readable } from 'node:stream';
import type { VercelRequest } from './host-types.ts';

/**
 * The body from the other stream into which the helpers of `@vercel/node` put it after reading it, if the request has a
 * content type. The request gets only `read` and `on` of that stream, so iterating or piping the request yields
 * nothing.
 *
 * @returns `undefined` if they have not read it.
 */
export function toRestoredBody(nodeRequest: VercelRequest): Readable | undefined {
  if (!nodeRequest.readableDidRead && !nodeRequest.readableEnded) return undefined;
  return Object.hasOwn(nodeRequest, 'read') ? Readable.from(remainder(nodeRequest)) : undefined;
}

function* remainder(nodeRequest: VercelRequest): Generator<Uint8Array> {
  for (let chunk = nodeRequest.read(); chunk !== null; chunk = nodeRequest.read()) yield chunk;
}
