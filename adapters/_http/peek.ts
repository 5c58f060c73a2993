/** The reader of a Response's body. */
export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** How a body begins: all of it in `whole`, or its first chunk, if that is there, and the read that comes next. */
export interface Beginning {
  whole?: Uint8Array;
  chunk?: Uint8Array;
  next: ReturnType<BodyReader['read']>;
}

/**
 * Looks how a body begins, without waiting for anything: `whole` when it is all there, as a string is; else its first
 * chunk, when that is there, and the read after it.
 */
export async function peek(reader: BodyReader): Promise<Beginning> {
  const firstRead = reader.read();
  // From an event of Node, a tick would come before the promise jobs; from a promise job it comes after them.
  await undefined;
  const first = await ifDue(firstRead);
  if (!first) return { next: firstRead };
  if (first.done) return { whole: new Uint8Array(), next: firstRead };

  const chunk = toBytes(first.value);
  const next = reader.read();
  return (await ifDue(next))?.done ? { whole: chunk, next } : { chunk, next };
}

// What a promise gives when the promise jobs that are due have run, if anything.
function ifDue<T>(promise: Promise<T>): Promise<T | undefined> {
  // Promise.race() takes longer. How much: docs/decisions/009.
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    process.nextTick(resolve, undefined);
  });
}

/**
 * Checks that a stream has given bytes: it may be of any type.
 *
 * @throws TypeError when it did not.
 */
export function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(
    `The stream of a Response gave a ${typeof chunk} instead of a Uint8Array. Pipe text through a TextEncoderStream.`,
  );
}
