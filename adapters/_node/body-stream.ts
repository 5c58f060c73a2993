import type { ReadableByteStreamController, UnderlyingByteSource } from 'node:stream/web';
import { HostStream, passForNative } from '../../runtime/host.ts';
import { DISCARD_LIMIT } from './arriving-body.ts';
import type { ArrivingBody, BodyTaker } from './arriving-body.ts';

/**
 * The body of a request as a byte stream. Nothing is read before a reader pulls, so a slow handler slows the client
 * down, and an unwanted body stays in Node, which discards it after the response.
 */
export class BodyStream extends HostStream {
  readonly arriving: ArrivingBody;

  constructor(arriving: ArrivingBody) {
    // The types allow a subclass only of the other kind of stream.
    super(toByteSource(arriving) as object, { highWaterMark: 0 });
    this.arriving = arriving;
  }
}

passForNative(BodyStream, ReadableStream);

function toByteSource(body: ArrivingBody): UnderlyingByteSource {
  let queue: Queue | undefined;
  return {
    type: 'bytes',
    async pull(controller) {
      if (!queue) body.take((queue = new Queue(body)));
      const chunk = (await queue.next()) as Uint8Array<ArrayBuffer> | null; // sockets share no memory
      // Enqueueing transfers the buffer. HTTP/2 cuts several chunks from one buffer, so these must be copied.
      if (chunk) controller.enqueue(chunk.byteLength === chunk.buffer.byteLength ? chunk : new Uint8Array(chunk));
      else close(controller);
    },
    cancel: () => body.letGo(),
  };
}

/** What has arrived but was not pulled yet: little or nothing, since Node is paused until a reader pulls. */
class Queue implements BodyTaker {
  readonly #body: ArrivingBody;
  #chunks: (Uint8Array | null)[] = [];
  #size = 0;
  #failure: Error | undefined;
  #waiting: { resolve(chunk: Uint8Array | null): void; reject(error: Error): void } | undefined;
  #isAnswered = false;

  constructor(body: ArrivingBody) {
    this.#body = body;
  }

  /** The next chunk, `null` at the end. Await it before requesting another. */
  next(): Promise<Uint8Array | null> {
    const [chunk] = this.#chunks.splice(0, 1);
    if (chunk !== undefined) {
      this.#size -= chunk?.byteLength ?? 0;
      return Promise.resolve(chunk);
    }
    if (this.#failure) return Promise.reject(this.#failure);
    this.#body.source.resume();
    return new Promise((resolve, reject) => (this.#waiting = { resolve, reject }));
  }

  take(chunk: Uint8Array): void {
    if (!this.#isAnswered) this.#body.source.pause();
    this.#give(chunk);
    if (this.#size > DISCARD_LIMIT) this.#body.abandon();
  }

  end(): void {
    this.#give(null);
  }

  fail(error: Error): void {
    this.#failure = error;
    this.#waiting?.reject(error);
  }

  // Perhaps nothing pulls the body any more, and its rest would precede the next request.
  answered(): void {
    this.#isAnswered = true;
    this.#body.source.resume();
  }

  #give(chunk: Uint8Array | null): void {
    if (this.#waiting) {
      this.#waiting.resolve(chunk);
      this.#waiting = undefined;
      return;
    }
    this.#chunks.push(chunk);
    this.#size += chunk?.byteLength ?? 0;
  }
}

function close(controller: ReadableByteStreamController): void {
  controller.close();
  controller.byobRequest?.respond(0);
}
