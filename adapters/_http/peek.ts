/** The reader of a Response's body. */
export type BodyReader = ReadableStreamDefaultReader<Uint8Array>;

/** The beginning of a body: the complete body in `whole`, or its first chunk, if available, and the next read. */
export interface Beginning {
  whole?: Uint8Array;
  chunk?: Uint8Array;
  next: ReturnType<BodyReader['read']>;
}

/**
 * Looks at the beginning of a body without waiting: `whole` if the body is already complete, such as a string;
 * otherwise its first chunk, if available, and the read after it.
 */
export async function peek(reader: BodyReader): Promise<Beginning> {
  const firstRead = reader.read();
  // From a Node event, a tick would run before the promise jobs; from a promise job, it runs after them.
  await undefined;
  const first = await ifDue(firstRead);
  if (!first) return { next: firstRead };
  if (first.done) return { whole: new Uint8Array(), next: firstRead };

  const chunk = toBytes(first.value);
  const next = reader.read();
  return (await ifDue(next))?.done ? { whole: chunk, next } : { chunk, next };
}

// The result of a promise after the due promise jobs have run, if the promise has settled.
function ifDue<T>(promise: Promise<T>): Promise<T | undefined> {
  // Promise.race() takes longer; docs/decisions/009 says how much.
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject);
    process.nextTick(resolve, undefined);
  });
}

/**
 * Checks that a chunk of a stream is bytes: a stream may have chunks of any type.
 *
 * @throws TypeError for any other chunk.
 */
export function toBytes(chunk: unknown): Uint8Array {
  if (chunk instanceof Uint8Array) return chunk;
  throw new TypeError(
    `The stream of a Response gave a ${typeof chunk} instead of a Uint8Array. Pipe text through a TextEncoderStream.`,
  );
}
