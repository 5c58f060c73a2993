import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest } from 'node:http2';
import type { Readable } from 'node:stream';
import { codedError } from '../../runtime/host.ts';
import type { RunningTasks } from '../../runtime/host.ts';
import { tooLargeError } from '../_http/body-limit.ts';
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

/** How much of an unwanted body is read from a client before its connection is closed, in bytes. */
export const DISCARD_LIMIT: number = 16 * 1024 * 1024;

/** The state of the answer to the request. */
interface Answer {
  readonly writableEnded: boolean;
}

/** The arriving body of a request. It can be taken once. If that has begun, it continues to arrive after the answer. */
export class ArrivingBody {
  readonly source: BodySource;
  readonly #limit: number;
  readonly #answer: Answer;
  readonly #tasks: RunningTasks;
  #size = 0;
  #isTaken = false;
  /** Code of the app has a stream of it. */
  isHandedOut = false;
  #taker: BodyTaker | undefined;
  #onSocketClose: (() => void) | undefined;

  /**
   * @param limit – in bytes; beyond it, taking the body fails with a StatusError of 413.
   * @param answer – the response that goes with the request. `tasks` are the tasks that the route has started.
   */
  constructor(source: BodySource, limit: number, { answer, tasks }: { answer: Answer; tasks: RunningTasks }) {
    this.source = source;
    this.#limit = limit;
    this.#answer = answer;
    this.#tasks = tasks;
  }

  /** Begins to take it. */
  take(taker: BodyTaker): void {
    if (this.#isTaken) return taker.fail(answeredError());
    const { source } = this;
    if (source.readableDidRead) return taker.fail(consumedError());
    this.#isTaken = true;
    this.#taker = taker;
    // The listeners are neither removed nor stored: a closure on this object that knows them doubled the memory of a server under load.
    const onClose = (): void => this.#close();
    // Comes before the close event. Without a listener, an error ends the process.
    source.on('error', onClose);
    // If the client has already left, or the whole body has arrived, no event may follow.
    if (isOver(source) || isWhole(source)) return this.#close();
    source
      .on('data', (chunk: Uint8Array) => this.#take(chunk))
      .on('end', () => this.#end())
      .on('close', onClose);
  }

  /** Sends it back as the body of the answer. Only for an untouched body. Node pipes it faster than any reader. */
  pipe(sink: NodeResponse): void {
    this.#isTaken = true;
    this.source.on('error', () => breakOff(sink));
    // Both kinds of response are writable streams.
    this.source.pipe(sink as ServerResponse);
  }

  /** Whether nobody has asked for any of it yet. */
  get isUntouched(): boolean {
    return !this.#isTaken && !this.source.destroyed && !this.source.readableDidRead;
  }

  /** Whether code of the app has a stream of it that may begin to read in a moment. */
  get isAboutToBeRead(): boolean {
    return this.isHandedOut && this.isUntouched;
  }

  /** Discards the rest of it. */
  letGo(): void {
    this.#isTaken = true;
    this.#release();
    discard(this.source);
  }

  /** The request has been answered. A body that nobody has begun to take is discarded. */
  answered(): void {
    if (!this.#isTaken) return this.letGo();
    if (!this.#taker) return discard(this.source);
    this.#taker.answered?.();
    if (this.#tasks.running === 0 || this.#onSocketClose) return;
    // Node emits no event on an answered request when its connection closes.
    this.#onSocketClose = () => this.#close();
    this.source.socket?.once('close', this.#onSocketClose);
  }

  /** Stops the current taking, since the body is too large to keep. */
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
    const taker = this.#taker;
    this.#release();
    taker?.end();
  }

  #close(): void {
    const { source } = this;
    const taker = this.#taker;
    if (!taker) return;
    if (!isWhole(source)) return this.#fail(failureOf(source.errored));
    // All of it has arrived, and Node still has the rest. Each read may also emit an event, which nobody should get now.
    this.#release();
    for (let chunk: unknown = source.read(); chunk !== null; chunk = source.read()) {
      this.#size += (chunk as Uint8Array).byteLength;
      if (this.#size > this.#limit) return taker.fail(tooLargeError());
      taker.take(chunk as Uint8Array);
    }
    taker.end();
  }

  // After the answer, only unhandled promises still wait, and a rejection would end the process, unless a task waits. A turn later, so that a
  // route that does not wait has answered.
  #fail(error: Error): void {
    const taker = this.#taker;
    this.letGo();
    setImmediate(() => {
      if (!this.#answer.writableEnded || this.#tasks.running > 0) taker?.fail(error);
    });
  }
}

// A request of HTTP/2 does not count as destroyed when its stream is.
function isOver({ destroyed, stream }: BodySource): boolean {
  return destroyed || stream?.destroyed === true;
}

// Node has parsed all of it and keeps the unread part. HTTP/2 calls an interrupted request complete.
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

/** The part read of a discarded body must not look complete. */
export function answeredError(): TypeError {
  return new TypeError(
    'The request was answered before its body was read. Read it before the response is returned, for a task as well.',
  );
}

function consumedError(): TypeError {
  return codedError(
    'ERR_BODY_CONSUMED',
    'The request body was read before the handler was called. Mount the handler before what reads it, such as a body parser.',
  );
}

// This code means that the connection broke off; a stream in place of a body may fail for its own reasons.
function failureOf(error: Error | null): Error {
  return error && (error as NodeJS.ErrnoException).code !== 'ECONNRESET' ? error : abortError();
}

// In the words of the platform, so that a route sees the same on every host.
function abortError(): DOMException {
  return new DOMException('The client closed the connection before it had sent the whole body.', 'AbortError');
}
