import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Readable } from 'node:stream';
import type { RunningTasks } from '../../runtime/host.ts';
import { tooLargeError } from '../_http/body-limit.ts';
import { consumedError } from '../_http/consumed-body.ts';
import { breakOff } from '../_http/exchange.ts';
import type { NodeResponse } from './host-types.ts';

/** A Node request, or a stream that its body has been put into. */
export type BodySource = Readable &
  Partial<Pick<IncomingMessage, 'complete' | 'headers' | 'httpVersionMajor' | 'socket'>> &
  Partial<Pick<Http2ServerRequest, 'stream'>>;

/** Receives a body, part by part, and then its end or its error. */
export interface BodyTaker {
  take(chunk: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
  /** The request has been answered: what arrives from now on must not be held back. */
  answered?(): void;
}

/** How many bytes of an unwanted body are read from a client before its connection is closed. */
export const DISCARD_LIMIT: number = 16 * 1024 * 1024;

interface Answer {
  readonly writableEnded: boolean;
}

/**
 * The arriving body of a request. It can be taken once. A body that code has begun to take continues to arrive after
 * the answer.
 */
export class ArrivingBody {
  readonly source: BodySource;
  readonly #limit: number;
  readonly #answer: Answer;
  readonly #tasks: RunningTasks;
  #size = 0;
  #isTaken = false;
  /** App code has a stream of the body. */
  isHandedOut = false;
  #taker: BodyTaker | undefined;
  #onSocketClose: (() => void) | undefined;

  /**
   * @param limit – in bytes; beyond it, taking the body fails with a StatusError of 413.
   * @param answer – the response to the request. `tasks` are the tasks that the route has started.
   */
  constructor(source: BodySource, limit: number, { answer, tasks }: { answer: Answer; tasks: RunningTasks }) {
    this.source = source;
    this.#limit = limit;
    this.#answer = answer;
    this.#tasks = tasks;
  }

  /** Begins to take the body. */
  take(taker: BodyTaker): void {
    if (this.#isTaken) return taker.fail(answeredError());
    const { source } = this;
    if (source.readableDidRead) return taker.fail(consumedError());
    this.#isTaken = true;
    this.#taker = taker;
    // The listeners are neither removed nor stored: a closure on this object that refers to them doubled the memory of
    // a server under load.
    const onClose = (): void => this.#close();
    // Comes before the close event. Without a listener, an error ends the process.
    source.on('error', onClose);
    // If the client has already left, or the whole body has arrived, there may be no further event.
    if (isOver(source) || isWhole(source)) return this.#close();
    source
      .on('data', (chunk: Uint8Array) => this.#take(chunk))
      .on('end', () => this.#end())
      .on('close', onClose);
  }

  /**
   * Sends the body back as the body of the answer. Only for an untouched body. Node pipes it faster than any reader.
   */
  pipe(sink: NodeResponse): void {
    this.#isTaken = true;
    this.source.on('error', () => breakOff(sink));
    // Both kinds of response are writable streams.
    this.source.pipe(sink as ServerResponse);
  }

  /** Whether no part of the body has been requested yet. */
  get isUntouched(): boolean {
    return !this.#isTaken && !this.source.destroyed && !this.source.readableDidRead;
  }

  /** Whether app code has a stream of the body that may begin to read in a moment. */
  get isAboutToBeRead(): boolean {
    return this.isHandedOut && this.isUntouched;
  }

  /** Discards the rest of the body. */
  letGo(): void {
    this.#isTaken = true;
    this.#release();
    discard(this.source);
  }

  /** Called when the request has been answered. Discards a body that no code has begun to take. */
  answered(): void {
    if (!this.#isTaken) return this.letGo();
    if (!this.#taker) return discard(this.source);
    this.#taker.answered?.();
    if (this.#tasks.running === 0 || this.#onSocketClose) return;
    // Node emits no event on an answered request when its connection closes.
    this.#onSocketClose = () => this.#close();
    this.source.socket?.once('close', this.#onSocketClose);
  }

  /** Stops taking the body, since it is too large to keep. */
  abandon(): void {
    this.#fail(answeredError());
  }

  #take(chunk: Uint8Array): void {
    this.#size += chunk.byteLength;
    if (this.#size <= this.#limit) this.#taker?.take(chunk);
    else if (this.#taker) this.#fail(tooLargeError());
  }

  #release(): void {
    this.#taker = undefined;
    if (this.#onSocketClose) this.source.socket?.off('close', this.#onSocketClose);
  }

  #end(): void {
    // Node's HTTP/2 also emits the end when the client resets the stream with NO_ERROR, as Node's own clients do.
    if (this.source.stream?.aborted) return this.#close();
    const taker = this.#taker;
    this.#release();
    taker?.end();
  }

  #close(): void {
    const { source } = this;
    const taker = this.#taker;
    if (!taker) return;
    if (!isWhole(source)) return this.#fail(failureOf(source.errored));
    // The whole body has arrived, and Node still holds the rest. Each read may also emit an event, which must have no
    // effect now.
    this.#release();
    for (let chunk: unknown = source.read(); chunk !== null; chunk = source.read()) {
      this.#size += (chunk as Uint8Array).byteLength;
      if (this.#size > this.#limit) return taker.fail(tooLargeError());
      taker.take(chunk as Uint8Array);
    }
    taker.end();
  }

  // After the answer, only unhandled promises still wait, unless a task waits, and a rejection would end the process.
  // One turn later, so that a route that does not wait has answered by then.
  #fail(error: Error): void {
    const taker = this.#taker;
    this.letGo();
    setImmediate(() => {
      if (!this.#answer.writableEnded || this.#tasks.running > 0) taker?.fail(error);
    });
  }
}

// An HTTP/2 request does not count as destroyed when its stream is.
function isOver({ destroyed, stream }: BodySource): boolean {
  return destroyed || stream?.destroyed === true;
}

// Node has parsed the whole body and keeps the unread part. HTTP/2 calls an interrupted request complete.
function isWhole(source: BodySource): boolean {
  return source.complete === true && source.httpVersionMajor === 1;
}

type Discarded = BodySource & { [discarding]?: true };

// A property: a WeakSet of all requests would slow down each garbage collection.
const discarding: unique symbol = Symbol('appkit.discarding');

/**
 * Discards the rest of a body, so that the client can read the answer and the connection can be used for the next request. A client that keeps
 * sending is cut off.
 */
export function discard(source: Discarded): void {
  if (source.readableEnded || source.destroyed || source[discarding]) return;
  source[discarding] = true;
  let size = 0;
  source.on('data', (chunk: Uint8Array) => {
    size += chunk.byteLength;
    if (size > DISCARD_LIMIT) (source.socket ?? source).destroy();
  });
  source.resume();
}

/** The part of a discarded body that was read must not look complete. */
export function answeredError(): TypeError {
  return new TypeError(
    'The request was answered before its body was read. Read it before the response is returned, even for a task.',
  );
}

// This code means that the connection broke off; a stream that replaces the body may fail for its own reasons.
function failureOf(error: Error | null): Error {
  return error && (error as NodeJS.ErrnoException).code !== 'ECONNRESET' ? error : abortError();
}

// The platform's own words, so that a route sees the same on every host.
function abortError(): DOMException {
  return new DOMException('The client closed the connection before it had sent the whole body.', 'AbortError');
}
