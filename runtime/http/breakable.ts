import { readerOf } from '../request/reading-context.ts';

/** A Response whose body can be aborted from outside. */
export interface Breakable {
  response: Response;
  /**
   * Fails the body, so that neither a client nor a cache treats the sent part as complete.
   *
   * @returns whether it was still being sent. A body that has ended is not changed.
   */
  breakOff(error: unknown): boolean;
}

/** Wraps a response so that its body can be aborted. */
export function toBreakable(response: Response, source: ReadableStream<Uint8Array>): Breakable {
  const reader = readerOf(source);
  let breakOff: ((error: unknown) => void) | undefined;
  const body = new ReadableStream<Uint8Array>(
    {
      start(controller) {
        breakOff = (error) => {
          controller.error(error);
          reader.cancel(error).catch(() => undefined); // nothing can receive the source's error any more
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
    // The source is not read before the consumer reads.
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
