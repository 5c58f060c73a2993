/**
 * Server-sent events: answers that send the client a sequence of events.
 *
 * @module
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import { isStopping, onDraining } from './draining.ts';
import { codedError } from './http/coded-error.ts';
import { formatEvent } from './http/server-sent-event.ts';
import type { ServerSentEvent } from './http/server-sent-event.ts';
import { requestStore } from './request/context.ts';

export type { ServerSentEvent } from './http/server-sent-event.ts';

/** What is known about the client of an event stream. */
export interface EventStreamClient {
  /** The `id` of the last event that the client has received, if it connects again. */
  lastEventId: string | undefined;
  /** Aborted when the client leaves, and when an endless stream ends. Pass it to whatever waits for the next event. */
  signal: AbortSignal;
}

/** Produces the events of a stream, such as an async generator function. */
export type EventSource = (client: EventStreamClient) => AsyncIterable<ServerSentEvent | string>;

/** Options of an event stream. */
export interface EventStreamOptions {
  /**
   * After how long without an event a comment is sent, in milliseconds, so that no proxy considers the connection dead.
   * Infinity: never. Default: 15000.
   */
  heartbeatMs?: number | undefined;
  /**
   * Whether the events never end by themselves, such as news. When this server is told to stop, an endless stream ends, and
   * `EventSource` connects again, to an instance that goes on. Any other stream may come to its end then, as far as the time limit of the
   * shutdown allows. Default: `false`.
   */
  endless?: boolean | undefined;
}

/** The longest time of a timer. */
const LONGEST_MS = 2 ** 31 - 1;
const COMMENT = ':\n\n';

/**
 * Answers with server-sent events, which `EventSource` in browsers reads.
 *
 * ```ts
 * export function GET(request: Request): Response {
 *   return eventStream(request, async function* ({ lastEventId, signal }) {
 *     for await (const order of ordersSince(lastEventId, signal)) yield { id: order.id, event: 'order', data: order };
 *   });
 * }
 * ```
 *
 * The next event is requested once the client has read the previous one. When the client leaves, `signal` is aborted
 * and the generator returns, so its `finally` runs. An error goes to `onError` and ends the stream. When a stream ends,
 * `EventSource` reconnects; answer 204 to stop it.
 *
 * @param request – the request that the route has received.
 * @param source – called once the client begins to read.
 * @throws TypeError with code `ERR_OPTION_INVALID` for an invalid option.
 * @see HTML Standard, section 9.2
 */
export function eventStream(
  request: Request,
  source: EventSource,
  { heartbeatMs = 15_000, endless = false }: EventStreamOptions = {},
): Response {
  assertHeartbeat(heartbeatMs);
  const pump = new EventPump(request, source, { heartbeatMs, endless });
  const body = new ReadableStream(pump, { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would hold back events until its buffer is full.
      'x-accel-buffering': 'no',
    },
  });
}

type Outcome = { result: IteratorResult<ServerSentEvent | string> } | { error: unknown };

class EventPump {
  readonly #client: EventStreamClient;
  readonly #source: EventSource;
  readonly #heartbeatMs: number;
  readonly #isEndless: boolean;
  readonly #request: Request;
  readonly #ending = new AbortController();
  readonly #encoder = new TextEncoder();
  readonly #context = requestStore().getStore();
  // The host reads the stream outside of the async context: without this, helpers would not work in the source, and its spans would
  // be outside of the trace.
  readonly #inContext = AsyncLocalStorage.snapshot();
  #events: AsyncIterator<ServerSentEvent | string> | undefined;
  /** Whether the next event has been requested. A heartbeat does not reset it. */
  #isAsked = false;
  #outcome: Outcome | undefined;
  #unlisten: (() => void) | undefined;
  /** Ends the waiting for an event. */
  #wake: (() => void) | undefined;

  constructor(
    request: Request,
    source: EventSource,
    { heartbeatMs, endless }: { heartbeatMs: number; endless: boolean },
  ) {
    this.#request = request;
    this.#source = source;
    this.#heartbeatMs = heartbeatMs;
    this.#isEndless = endless;
    this.#client = { lastEventId: lastEventIdOf(request), signal: this.#ending.signal };
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    // Sent at once: some proxies pass the head on only with the first data.
    controller.enqueue(this.#encoder.encode(COMMENT));
    // Not every host cancels the stream.
    if (this.#request.signal.aborted) this.#onAbort();
    else this.#request.signal.addEventListener('abort', this.#onAbort);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    // Some hosts read the body of an answer to HEAD before they drop it.
    if (this.#request.method === 'HEAD') return this.#close(controller);
    if (this.#isEndless) this.#awaitStop();
    if (!this.#isAsked) this.#ask();
    if (!this.#outcome) await this.#eventOrHeartbeat();
    if (this.#ending.signal.aborted) return this.#close(controller);
    const outcome = this.#outcome;
    if (!outcome) return controller.enqueue(this.#encoder.encode(COMMENT));
    this.#isAsked = false;
    this.#outcome = undefined;
    try {
      if ('error' in outcome) throw outcome.error;
      if (outcome.result.done) this.#close(controller);
      else controller.enqueue(this.#encoder.encode(formatEvent(outcome.result.value)));
    } catch (error) {
      this.#end(error);
      this.#fail(controller, error);
    }
  }

  cancel(reason: unknown): void {
    this.#end(reason);
  }

  readonly #onAbort = (): void => this.#end(this.#request.signal.reason);

  readonly #onStop = (): void => this.#end(new DOMException('This server is told to stop.', 'AbortError'));

  // Not before it is read: a stream that is dropped unread is never cancelled, and the listener would keep it in memory.
  #awaitStop(): void {
    if (isStopping()) this.#onStop();
    else this.#unlisten ??= onDraining(this.#onStop);
  }

  #stopListening(): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    this.#unlisten?.();
  }

  #ask(): void {
    this.#isAsked = true;
    const settle = (outcome: Outcome): void => {
      this.#outcome = outcome;
      // Nothing reads the stream any more, so a failure would be lost. An abort is not a failure.
      if (this.#ending.signal.aborted && 'error' in outcome) this.#reportEnd(outcome.error);
      this.#wake?.();
    };
    this.#inContext(async () => {
      this.#events ??= this.#source(this.#client)[Symbol.asyncIterator]();
      return this.#events.next();
    }).then(
      (result) => settle({ result }),
      (error: unknown) => settle({ error }),
    );
  }

  /**
   * Waits once, regardless of the number of heartbeats: each `Promise.race` would stay attached to the event's
   * promise.
   */
  #eventOrHeartbeat(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#heartbeatMs === Infinity ? undefined : setTimeout(resolve, this.#heartbeatMs);
      // It does not keep a Node process running.
      (timer as { unref?(): void } | undefined)?.unref?.();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Stops the source, for any reason. */
  #end(reason: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#stopListening();
    this.#ending.abort(reason);
    // It returns once its pending event is produced or has failed.
    this.#inContext(async () => this.#events?.return?.()).catch((error: unknown) => this.#reportEnd(error));
    this.#wake?.();
  }

  #close(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#stopListening();
    try {
      controller.close();
    } catch {
      // It has been cancelled.
    }
  }

  #fail(controller: ReadableStreamDefaultController<Uint8Array>, error: unknown): void {
    if (!this.#context) return controller.error(error);
    this.#context.reportError(error);
    this.#close(controller);
  }

  #reportEnd(error: unknown): void {
    const isAbort = error === this.#ending.signal.reason || (error as { name?: unknown } | null)?.name === 'AbortError';
    if (!isAbort) this.#context?.reportError(error);
  }
}

// Browsers send it as UTF-8, and most hosts decode each byte as one character.
function lastEventIdOf({ headers }: Request): string | undefined {
  const header = headers.get('last-event-id') ?? '';
  if (!/^[\0-\xff]+$/.test(header)) return header || undefined;
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(Uint8Array.from(header, (char) => char.charCodeAt(0)));
  } catch {
    return header;
  }
}

function assertHeartbeat(heartbeatMs: number): void {
  if (heartbeatMs === Infinity || (heartbeatMs > 0 && heartbeatMs <= LONGEST_MS)) return;
  throw codedError(
    'ERR_OPTION_INVALID',
    `The option heartbeatMs of eventStream() is ${String(heartbeatMs)}. Give milliseconds, at most ${LONGEST_MS}, or Infinity for none.`,
  );
}
