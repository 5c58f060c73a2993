/** A Response whose body can be broken off from outside. */
export interface Breakable {
  response: Response;
  /**
   * Fails the body, so that neither a client nor a cache takes what was sent for the whole.
   *
   * @returns whether it was still on its way. What has ended stays as it is.
   */
  breakOff(error: unknown): boolean;
}

/** The same response, whose body can be broken off. */
export function toBreakable(response: Response, source: ReadableStream<Uint8Array>): Breakable {
  const reader = source.getReader();
  let breakOff: ((error: unknown) => void) | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        breakOff = (error) => {
          controller.error(error);
          reader.cancel(error).catch(() => undefined); // its source has nobody left to tell
        };
      },
      async pull(controller) {
        const { done, value } = await reader.read();
        if (!breakOff) return;
        if (!done) return controller.enqueue(value);
        breakOff = undefined;
        controller.close();
      },
      cancel(reason) {
        breakOff = undefined;
        return reader.cancel(reason);
      },
    },
    // Nothing is read before somebody wants it.
    { highWaterMark: 0 },
  );
  return {
    response: new Response(body, response),
    breakOff(error) {
      const isOnItsWay = breakOff !== undefined;
      breakOff?.(error);
      breakOff = undefined;
      return isOnItsWay;
    },
  };
}
