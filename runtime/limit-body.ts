/**
 * A limit for the body of a request, for single routes.
 *
 * @module
 */
import { codedError } from './http/coded-error.ts';
import { isTooLarge, limitStream, tooLargeError } from './http/limit-stream.ts';

/**
 * Returns the same request with a limit for its body. Call it before you read the body, and read from the returned
 * request.
 *
 * ```ts
 * export async function POST(request: Request): Promise<Response> {
 *   const form = await limitBody(request, 1_000_000).formData();
 *   return Response.json({ name: form.get('name') });
 * }
 * ```
 *
 * The limit of the whole server, `maxRequestBodySize` of its adapter, applies before.
 *
 * @param request – the request that the route, action or middleware has received.
 * @param maxBytes – the most bytes that the body may have.
 * @returns the request itself if its `Content-Length` is within the limit. Otherwise a request whose body fails with a
 * StatusError of 413 beyond it, so that the answer is 413 if the route does not catch it.
 * @throws StatusError of 413, before anything is read, if `Content-Length` is over the limit; TypeError with code `ERR_OPTION_INVALID` for an
 * invalid limit.
 * @see RFC 9110 section 15.5.14
 */
export function limitBody(request: Request, maxBytes: number): Request {
  if (!(maxBytes >= 0)) {
    throw codedError(
      'ERR_OPTION_INVALID',
      `limitBody() was given the limit ${String(maxBytes)}. Give a number of bytes.`,
    );
  }
  const length = request.headers.get('content-length');
  if (isTooLarge(length, maxBytes)) throw tooLargeError();
  // No host passes on more than was announced.
  if (length !== null || request.body === null) return request;
  const init: RequestInit & { duplex: 'half' } = { body: limitStream(request.body, maxBytes), duplex: 'half' };
  return new Request(request, init);
}
