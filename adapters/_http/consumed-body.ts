import { codedError } from '../../runtime/host.ts';

/** The error of a body that something in front of the handler has read. */
export function consumedError(): TypeError {
  return codedError(
    'ERR_BODY_CONSUMED',
    'The request body was read before the handler was called. Mount the handler before what reads it, such as a body parser.',
  );
}

/**
 * The body of a Request. If code in front has read it, the stream fails and says so, since no Request can have a body that
 * was read: only a route that reads it fails.
 */
export function bodyOf(request: Request): ReadableStream<Uint8Array> | null {
  if (!request.bodyUsed && !request.body?.locked) return request.body;
  return new ReadableStream({
    pull() {
      throw consumedError();
    },
  });
}
