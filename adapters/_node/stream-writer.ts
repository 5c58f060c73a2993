import type { ServerResponse } from 'node:http';
import type { NodeResponse } from './host-types.ts';
import { toBytes } from '../_http/peek.ts';

/** How much of a stream may wait for a slow client, in bytes. */
const QUEUE_LIMIT = 256 * 1024;

/** Writes the chunks of a stream one by one, no faster than the client takes them. */
export class StreamWriter {
  // Both kinds of response write alike, but their overloads do not unite. A middleware that compresses adds `flush`.
  readonly #nodeResponse: ServerResponse & { flush?(): void };
  #resume: (() => void) | undefined;

  constructor(nodeResponse: NodeResponse) {
    this.#nodeResponse = nodeResponse as ServerResponse;
  }

  /** Sends what a middleware holds back to compress it with what comes next. */
  flush(): void {
    this.#nodeResponse.flush?.();
  }

  /**
   * Writes one chunk, and waits while too much is waiting for the client.
   *
   * @throws TypeError for a chunk that is no Uint8Array.
   */
  async write(chunk: unknown): Promise<void> {
    const { destroyed } = this.#nodeResponse;
    const isFlowing = this.#nodeResponse.write(toBytes(chunk));
    this.flush();
    // What is being compressed waits elsewhere, where its length is not told.
    const isFull = this.#nodeResponse.flush !== undefined || this.#nodeResponse.writableLength >= QUEUE_LIMIT;
    if (!isFlowing && isFull && !destroyed) await this.#drained();
  }

  #drained(): Promise<void> {
    // Once: a middleware that compresses hears `drain` of a stream of its own, from which off() would not take it.
    if (!this.#resume) {
      const resume = (): void => this.#resume?.();
      this.#nodeResponse.on('drain', resume).on('close', resume);
    }
    return new Promise((resolve) => (this.#resume = resolve));
  }
}
