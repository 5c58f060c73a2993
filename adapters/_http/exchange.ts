/**
 * The members that we read of a response from `node:http`, or from the compatibility API of `node:http2`; only the
 * latter has a `stream`.
 */
export interface Answer {
  readonly destroyed: boolean;
  readonly stream?: Http2Stream;
  destroy(): unknown;
}

/** The members that we read of a `node:http2` stream. */
export interface Http2Stream {
  readonly destroyed: boolean;
  readonly rstCode?: number | undefined;
  close(code: number): void;
}

// RFC 9113 section 7. Importing these from node:http2 would load it into every process.
const NO_ERROR = 0;
const INTERNAL_ERROR = 2;

// In Node, an HTTP/2 response is never destroyed, and counts as finished even if the client has left.

/** Middleware may have put something else there. */
function http2StreamOf({ stream }: Pick<Answer, 'stream'>): Http2Stream | undefined {
  return typeof stream?.close === 'function' ? stream : undefined;
}

/** Whether the connection of an answer, or its stream, is gone. */
export function isGone(answer: Omit<Answer, 'destroy'>): boolean {
  return (http2StreamOf(answer) ?? answer).destroyed;
}

/** Whether a closed answer was sent to its end. */
export function isSent(
  answer: Answer & { readonly writableEnded: boolean; readonly writableFinished: boolean },
): boolean {
  const stream = http2StreamOf(answer);
  return stream ? answer.writableEnded && stream.rstCode === NO_ERROR : answer.writableFinished;
}

/** Ends an answer so that it does not look complete: RFC 9112 section 8, RFC 9113 section 5.4.2. */
export function breakOff(answer: Answer): void {
  const stream = http2StreamOf(answer);
  // Without a code, destroy() says that there was no error.
  if (stream) stream.close(INTERNAL_ERROR);
  else answer.destroy();
}
