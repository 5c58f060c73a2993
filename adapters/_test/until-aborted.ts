/**
 * Answers a caller that may leave, as `fetch` does: when its signal is aborted, the promise rejects with the reason, and so does reading the body.
 *
 * @param answer – called unless the signal is already aborted.
 */
export async function untilAborted(signal: AbortSignal, answer: () => Promise<Response>): Promise<Response> {
  signal.throwIfAborted();
  const answering = answer();
  let leave: (() => void) | undefined;
  const left = new Promise<never>((_, reject) => {
    leave = () => {
      reject(signal.reason as Error);
      // Nobody reads what comes now. Its error has been reported.
      answering.then(({ body }) => body?.cancel()).catch(() => undefined);
    };
    signal.addEventListener('abort', leave);
  });
  try {
    const { body, status, statusText, headers } = await Promise.race([answering, left]);
    // The source is cancelled, as a host does when the client has left.
    const read = body?.pipeThrough(new TransformStream(), { signal });
    return new Response(read ?? null, { status, statusText, headers });
  } finally {
    if (leave) signal.removeEventListener('abort', leave);
  }
}
