import { cancelUnread, handled } from '../../runtime/host.ts';
import { goOn } from '../_http/go-on.ts';
import type { Beginning, BodyReader } from '../_http/peek.ts';

/** A body that is read once, kept, and sent to several clients. */
export interface SharedBody {
  /** The body from its beginning, for one more client; undefined once it is too large to be kept, or cancelled. */
  open(): ReadableStream<Uint8Array> | undefined;
  /**
   * The complete body; undefined when reading fails, the body is too large or its source is cancelled. A slow client
   * does not delay it.
   */
  whole: Promise<Uint8Array | undefined>;
  /** Cancels the source if nobody reads the body or waits for it. */
  stopUnread(): void;
}

export interface ShareOptions {
  /** The largest body that is kept. */
  maxBytes: number;
  /** Whether someone who does not read the body yet waits for it. */
  isAwaited: () => boolean;
}

/** Where a client is in the body. */
interface Place {
  /** The number of chunks that it has. */
  at: number;
  /** Called when there is more, or the end: never for a client that has left. */
  wake(): void;
}

/**
 * Reads a body for a cache and for clients; beyond `maxBytes`, only as fast as the slowest client reads. The source is
 * cancelled when the last client leaves: it may never end.
 */
export function shareBody(reader: BodyReader, beginning: Beginning, { maxBytes, isAwaited }: ShareOptions): SharedBody {
  const source = goOn(reader, beginning).getReader();
  const places = new Set<Place>();
  let chunks: Uint8Array[] = [];
  /** How many chunks before these every client has. */
  let passed = 0;
  let size = 0;
  let end: { error?: unknown } | undefined;
  let isStopped = false;
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

  const stopUnread = (): void => {
    if (places.size > 0 || isAwaited() || end || isStopped) return;
    isStopped = true;
    resolve(undefined);
    void handled(cancelUnread(source));
  };
  const open = (): ReadableStream<Uint8Array> | undefined => {
    if (size > maxBytes || isStopped) return undefined;
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
      stopUnread();
    };
    return new ReadableStream({ pull, cancel }, { highWaterMark: 0 });
  };
  return { open, whole, stopUnread };
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
