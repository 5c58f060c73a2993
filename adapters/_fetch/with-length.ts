import { readerOf } from '../../runtime/host.ts';
import { goOn } from '../_http/go-on.ts';
import { peek } from '../_http/peek.ts';
import type { Beginning } from '../_http/peek.ts';

/**
 * The same response, with its length if its body is complete at once, such as a string, for hosts
 * that send every body as a stream. It replaces the route's own, which may have come with the headers of another answer.
 */
export async function withLength(response: Response): Promise<Response> {
  if (response.body === null) return response;
  const reader = readerOf(response.body);
  const beginning = await peek(reader).catch((error: unknown): Beginning => ({ next: failed(error) }));
  if (!beginning.whole) return new Response(goOn(reader, beginning), response);
  const sized = new Response(Uint8Array.from(beginning.whole), response);
  sized.headers.set('content-length', String(beginning.whole.byteLength));
  return sized;
}

// Only code that continues to read receives the error.
function failed(error: unknown): Promise<never> {
  const failure = Promise.reject(error);
  failure.catch(() => undefined);
  return failure;
}
