import { goOn } from '../_http/go-on.ts';
import type { Beginning, BodyReader } from '../_http/peek.ts';

/** A body that is sent and at the same time read to its end. */
export interface SharedBody {
  body: ReadableStream<Uint8Array>;
  /** The complete body; undefined when reading fails or the body is too large. A slow client does not delay it. */
  whole: Promise<Uint8Array | undefined>;
}

/** Reads a body for both the client and the cache; beyond `maxBytes`, only for the client. */
export function readWhole(reader: BodyReader, beginning: Beginning, maxBytes: number): SharedBody {
  const [body, copy] = goOn(reader, beginning).tee();
  return { body, whole: collect(copy, maxBytes) };
}

async function collect(copy: ReadableStream<Uint8Array>, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  const reader = copy.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) {
      size += read.value.byteLength;
      if (size > maxBytes) {
        // Resolves when the other half has ended as well.
        void reader.cancel().catch(() => undefined);
        return undefined;
      }
      chunks.push(read.value);
    }
  } catch {
    // The client sees the failure. A body that broke off is not kept.
    return undefined;
  }
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
