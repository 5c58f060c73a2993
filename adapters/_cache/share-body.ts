import { cancelUnread } from '../../runtime/host.ts';
import { goOn } from '../_http/go-on.ts';
import type { Beginning, BodyReader } from '../_http/peek.ts';

/** A body that is read once, kept, and sent to several clients. */
export interface SharedBody {
  /** The body from its beginning, for one more client; undefined once it is too large to be kept. */
  open(): ReadableStream<Uint8Array> | undefined;
  /** The complete body; undefined when reading fails or the body is too large. A slow client does not delay it. */
  whole: Promise<Uint8Array | undefined>;
}

/** Where a client is in the body. */
interface Place {
  /** The number of chunks that it has. */
  at: number;
  /** Called when there is more, or the end: never for a client that has left. */
  wake(): void;
}

/** Reads a body to its end for a cache and for clients; beyond `maxBytes`, only as fast as the slowest client reads. */
export function shareBody(reader: BodyReader, beginning: Beginning, maxBytes: number): SharedBody {
  const source = goOn(reader, beginning).getReader();
  const places = new Set<Place>();
  let chunks: Uint8Array[] = [];
  /** How many chunks before these every client has. */
  let passed = 0;
  let size = 0;
  let end: { error?: unknown } | undefined;
  /** Called when a client has moved or left. */
  let onMove: (() => void) | undefined;
  let resolve: (whole: Uint8Array | undefined) => void = () => undefined;
  const whole = new Promise<Uint8Array | undefined>((settle) => (resolve = settle));

  const wakeAll = (): void => {
    for (const place of places) place.wake();
  };
  const isBehind = ({ at }: Place): boolean => at < passed + chunks.length;
  /** Resolves when every client has all that was read. */
  const caughtUp = async (): Promise<void> => {
    while ([...places].some(isBehind)) await new Promise<void>((moved) => (onMove = moved));
    passed += chunks.length;
    chunks = [];
  };
  const readAll = async (): Promise<void> => {
    for (let read = await source.read(); !read.done; read = await source.read()) {
      chunks.push(read.value);
      size += read.value.byteLength;
      wakeAll();
      if (size <= maxBytes) continue;
      resolve(undefined);
      await caughtUp();
      if (places.size === 0) return cancelUnread(source);
    }
    if (size <= maxBytes) resolve(join(chunks, size));
  };
  // The clients see a failure. A body that broke off is not kept.
  void readAll()
    .then(
      () => (end = {}),
      (error: unknown) => (end = { error }),
    )
    .then(() => (resolve(undefined), wakeAll()));

  const open = (): ReadableStream<Uint8Array> | undefined => {
    if (size > maxBytes) return undefined;
    const place: Place = { at: 0, wake: () => undefined };
    places.add(place);
    const pull = async (controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> => {
      if (!isBehind(place) && !end) await new Promise<void>((wake) => (place.wake = wake));
      const chunk = chunks[place.at - passed];
      if (chunk) {
        place.at++;
        controller.enqueue(chunk);
      } else if (end && 'error' in end) {
        controller.error(end.error);
      } else {
        controller.close();
      }
      onMove?.();
    };
    const cancel = (): void => {
      places.delete(place);
      onMove?.();
    };
    return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  };
  return { open, whole };
}

function join(chunks: readonly Uint8Array[], size: number): Uint8Array {
  const whole = new Uint8Array(size);
  let at = 0;
  for (const chunk of chunks) {
    whole.set(chunk, at);
    at += chunk.byteLength;
  }
  return whole;
}
