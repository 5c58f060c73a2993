import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Readable } from 'node:stream';
import { codedError } from '../../runtime/host.ts';
import type { RunningTasks } from '../../runtime/host.ts';
import { tooLargeError } from '../_http/body-limit.ts';
import type { NodeResponse } from './host-types.ts';

/** A Node request, or a stream that its body has been put into. */
export type BodySource = Readable &
  Partial<Pick<IncomingMessage, 'complete' | 'headers' | 'httpVersionMajor' | 'socket'>>;

/** Who is handed a body, part by part, and then its end or what it failed with. */
export interface BodyTaker {
  take(chunk: Uint8Array): void;
  end(): void;
  fail(error: Error): void;
  /** The request has been answered: what arrives from now on is not to be held back. */
  answered?(): void;
}

/** How much of a body nobody wants is taken from a client before its connection is closed, in bytes. */
export const DISCARD_LIMIT: number = 16 * 1024 * 1024;

/** What is known of the answer to the request. */
interface Answer {
  readonly writableEnded: boolean;
}

/** The body of a request on its way here. It can be taken once, and goes on arriving after the answer for who has begun. */
export class ArrivingBody {
  readonly source: BodySource;
  readonly #limit: number;
  readonly #answer: Answer;
  readonly #tasks: RunningTasks;
  #size = 0;
  #isTaken = false;
  #taker: BodyTaker | undefined;
  #onSocketClose: (() => void) | undefined;

  /**
   * @param limit – in bytes; the taking fails with a StatusError of 413 beyond it.
   * @param answer – the response that goes with the request. `tasks` are those that the route has started.
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
    // They stay on, and are not kept: a closure on this object that knows them doubled the memory of a server under load.
    const onClose = (): void => this.#close();
    // Told before the close. Without a listener an error ends the process.
    source.on('error', onClose);
    // The client may have left before, or all of it is here: nothing may say so again.
    if (source.destroyed || isWhole(source)) return this.#close();
    source
      .on('data', (chunk: Uint8Array) => this.#take(chunk))
      .on('end', () => this.#end())
      .on('close', onClose);
  }

  /** Sends it back as the body of the answer. Only for one that is untouched. Node pipes it faster than any reader. */
  pipe(sink: NodeResponse): void {
    this.#isTaken = true;
    this.source.on('error', () => sink.destroy());
    // Both kinds of response are writable streams.
    this.source.pipe(sink as ServerResponse);
  }

  /** Whether nothing of it has been asked for yet. */
  get isUntouched(): boolean {
    return !this.#isTaken && !this.source.destroyed && !this.source.readableDidRead;
  }

  /** Lets the rest of it run into nothing. */
  letGo(): void {
    this.#isTaken = true;
    this.#release();
    discard(this.source);
  }

  /** The request has been answered. What nobody has begun to take is let go. */
  answered(): void {
    if (!this.#isTaken) return this.letGo();
    if (!this.#taker) return discard(this.source);
    this.#taker.answered?.();
    if (this.#tasks.running === 0 || this.#onSocketClose) return;
    // Node does not tell an answered request that its connection has closed.
    this.#onSocketClose = () => this.#close();
    this.source.socket?.once('close', this.#onSocketClose);
  }

  /** Gives up what is being taken, since it is too much to keep. */
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
    // All of it has arrived, and Node still holds the rest. Each read may also be an event, which nobody is to hear now.
    this.#release();
    for (let chunk: unknown = source.read(); chunk !== null; chunk = source.read()) {
      this.#size += (chunk as Uint8Array).byteLength;
      if (this.#size > this.#limit) return taker.fail(tooLargeError());
      taker.take(chunk as Uint8Array);
    }
    taker.end();
  }

  // After the answer only what was left alone is still waiting, and would end the process by a rejection; unless it is a task. A turn
  // later, so that a route which waits for nothing has answered.
  #fail(error: Error): void {
    const taker = this.#taker;
    this.letGo();
    setImmediate(() => {
      if (!this.#answer.writableEnded || this.#tasks.running > 0) taker?.fail(error);
    });
  }
}

// Node has parsed all of it, and holds what nobody has read. HTTP/2 calls a request complete that was broken off.
function isWhole(source: BodySource): boolean {
  return source.complete === true && source.httpVersionMajor === 1;
}

type Discarded = BodySource & { [discarding]?: true };

// A property: a WeakSet of all that comes and goes would cost each collection time.
const discarding: unique symbol = Symbol('appkit.discarding');

/**
 * Lets the rest of a body run into nothing, so that the client gets to read the answer and the connection can carry the
 * next request. A client that goes on and on is cut off.
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

/** What is read of a body that has been let go must not look like the whole. */
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

// That the connection broke off is told by this code; a stream that stands for a body may fail of its own.
function failureOf(error: Error | null): Error {
  return error && (error as NodeJS.ErrnoException).code !== 'ECONNRESET' ? error : abortError();
}

// In the words of the platform, so that a route sees the same on every host.
function abortError(): DOMException {
  return new DOMException('The client closed the connection before it had sent the whole body.', 'AbortError');
}
