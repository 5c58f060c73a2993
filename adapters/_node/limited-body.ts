import { tooLargeError } from '../_http/body-limit.ts';
import type { ParsedBody } from './host-types.ts';

/** A body that the framework has read, or one that fails with 413 when it is read, if it is too large: its length may not have been announced. */
export function toLimitedBody(body: ParsedBody | undefined, maxRequestBodySize: number): ParsedBody | undefined {
  if (!(body instanceof Uint8Array) || body.byteLength <= maxRequestBodySize) return body;
  return new ReadableStream({ start: (controller) => controller.error(tooLargeError()) });
}
