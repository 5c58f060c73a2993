import type { ServerResponse } from 'node:http';
import { isGone } from '../_http/exchange.ts';
import type { NodeResponse } from './host-types.ts';
import { toBytes } from '../_http/peek.ts';

/** How many bytes of a stream may wait for a slow client. */
const QUEUE_LIMIT = 256 * 1024;

/** Writes the chunks of a stream one by one, no faster than the client reads. */
export class StreamWriter {
  // Both kinds of response have the same methods, but their overloads do not unite. Compressing middleware adds
  // `flush`.
  readonly #nodeResponse: ServerResponse & { flush?(): void };
  #resume: (() => void) | undefined;

  constructor(nodeResponse: NodeResponse) {
    this.#nodeResponse = nodeResponse as ServerResponse;
  }

  /** Sends the bytes that middleware holds back to compress them with the next ones. */
  flush(): void {
    this.#nodeResponse.flush?.();
  }

  /**
   * Writes one chunk, and waits while too much is buffered for the client.
   *
   * @throws TypeError for a chunk that is not a Uint8Array.
   */
  async write(chunk: unknown): Promise<void> {
    const isBroken = isGone(this.#nodeResponse);
    const isFlowing = this.#nodeResponse.write(toBytes(chunk));
    this.flush();
    // Bytes that are being compressed wait elsewhere, where we cannot see their length.
    const isFull = this.#nodeResponse.flush !== undefined || this.#nodeResponse.writableLength >= QUEUE_LIMIT;
    if (!isFlowing && isFull && !isBroken) await this.#drained();
  }

  #drained(): Promise<void> {
    // Once: compressing middleware moves `drain` listeners to its own stream, from which off() would not remove them.
    if (!this.#resume) {
      const resume = (): void => this.#resume?.();
      this.#nodeResponse.on('drain', resume).on('close', resume);
    }
    return new Promise((resolve) => (this.#resume = resolve));
  }
}
