import { toBytes } from './peek.ts';
import type { Beginning, BodyReader } from './peek.ts';

/** The whole body as a stream again, after `peek` has read its beginning. Reads ahead only what is asked for. */
export function goOn(reader: BodyReader, { chunk, next }: Beginning): ReadableStream<Uint8Array> {
  let due: Beginning['next'] | undefined = next;
  return new ReadableStream<Uint8Array>(
    {
      start(controller) {
        if (chunk) controller.enqueue(chunk);
      },
      async pull(controller) {
        const read = await (due ?? reader.read());
        due = undefined;
        if (read.done) controller.close();
        else controller.enqueue(toBytes(read.value));
      },
      cancel: (reason) => reader.cancel(reason),
    },
    { highWaterMark: 0 },
  );
}
