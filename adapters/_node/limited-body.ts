import { tooLargeError } from '../_http/body-limit.ts';
import type { ParsedBody } from './host-types.ts';

/**
 * A body that the framework has read. If it is too large, reading it fails with 413: its length may not have been
 * announced.
 */
export function toLimitedBody(body: ParsedBody | undefined, maxRequestBodySize: number): ParsedBody | undefined {
  if (!(body instanceof Uint8Array) || body.byteLength <= maxRequestBodySize) return body;
  return new ReadableStream({ start: (controller) => controller.error(tooLargeError()) });
}
