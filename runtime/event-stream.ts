/**
 * Server-sent events: answers that send the client one event after the other.
 *
 * @module
 */
import { codedError } from './http/coded-error.ts';
import { formatEvent } from './http/server-sent-event.ts';
import type { ServerSentEvent } from './http/server-sent-event.ts';
import { requestStore } from './request/context.ts';

export type { ServerSentEvent } from './http/server-sent-event.ts';

/** What is known about the client of an event stream. */
export interface EventStreamClient {
  /** The `id` of the last event that the client has received, if it connects again. */
  lastEventId: string | undefined;
  /** Aborted when the client leaves. Pass it to whatever waits for the next event. */
  signal: AbortSignal;
}

/** Gives the events of a stream. An async generator is one. */
export type EventSource = (client: EventStreamClient) => AsyncIterable<ServerSentEvent | string>;

/** Options of an event stream. */
export interface EventStreamOptions {
  /**
   * After how long without an event a comment is sent, in milliseconds, so that nothing in between takes the connection for dead. Infinity: never.
   * Default: 15000.
   */
  heartbeatMs?: number | undefined;
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
 * The next event is asked for once the client has taken the one before. When the client leaves, `signal` is aborted and the generator returns, so its
 * `finally` runs. An error goes to `onError` and ends the stream. When a stream ends, `EventSource` connects again; answer 204 to stop it.
 *
 * @param request – the request that the route has received.
 * @param source – called once the client begins to read.
 * @throws TypeError with code `ERR_OPTION_INVALID` for an invalid option.
 * @see HTML Standard, section 9.2
 */
export function eventStream(
  request: Request,
  source: EventSource,
  { heartbeatMs = 15_000 }: EventStreamOptions = {},
): Response {
  assertHeartbeat(heartbeatMs);
  const body = new ReadableStream(new EventPump(request, source, heartbeatMs), { highWaterMark: 0 });
  return new Response(body, {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store',
      // nginx would collect events until its buffer is full.
      'x-accel-buffering': 'no',
    },
  });
}

type Outcome = { result: IteratorResult<ServerSentEvent | string> } | { error: unknown };

class EventPump {
  readonly #client: EventStreamClient;
  readonly #source: EventSource;
  readonly #heartbeatMs: number;
  readonly #request: Request;
  readonly #ending = new AbortController();
  readonly #encoder = new TextEncoder();
  readonly #context = requestStore().getStore();
  #events: AsyncIterator<ServerSentEvent | string> | undefined;
  /** The next event has been asked for. It stays so over heartbeats. */
  #isAsked = false;
  #outcome: Outcome | undefined;
  /** Ends the waiting for an event. */
  #wake: (() => void) | undefined;

  constructor(request: Request, source: EventSource, heartbeatMs: number) {
    this.#request = request;
    this.#source = source;
    this.#heartbeatMs = heartbeatMs;
    this.#client = { lastEventId: lastEventIdOf(request), signal: this.#ending.signal };
  }

  start(controller: ReadableStreamDefaultController<Uint8Array>): void {
    // Something at once: only then do some proxies pass the head on.
    controller.enqueue(this.#encoder.encode(COMMENT));
    // Not every host cancels the stream.
    if (this.#request.signal.aborted) this.#onAbort();
    else this.#request.signal.addEventListener('abort', this.#onAbort);
  }

  async pull(controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> {
    // Some hosts read the body of an answer to HEAD before they drop it.
    if (this.#request.method === 'HEAD') return this.#close(controller);
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

  #ask(): void {
    this.#isAsked = true;
    const settle = (outcome: Outcome): void => {
      this.#outcome = outcome;
      // Nobody asks any more: what fails now would be lost. That it was broken off is no fault.
      if (this.#ending.signal.aborted && 'error' in outcome) this.#reportEnd(outcome.error);
      this.#wake?.();
    };
    this.#run(async () => {
      this.#events ??= this.#source(this.#client)[Symbol.asyncIterator]();
      return this.#events.next();
    }).then(
      (result) => settle({ result }),
      (error: unknown) => settle({ error }),
    );
  }

  /** Waits once, however often the heartbeat comes: each `Promise.race` would stay with the promise of the event. */
  #eventOrHeartbeat(): Promise<void> {
    return new Promise((resolve) => {
      const timer = this.#heartbeatMs === Infinity ? undefined : setTimeout(resolve, this.#heartbeatMs);
      // No process of Node goes on for it.
      (timer as { unref?(): void } | undefined)?.unref?.();
      this.#wake = () => {
        clearTimeout(timer);
        resolve();
      };
    });
  }

  /** Makes the source stop, whatever the reason is. */
  #end(reason: unknown): void {
    if (this.#ending.signal.aborted) return;
    this.#request.signal.removeEventListener('abort', this.#onAbort);
    this.#ending.abort(reason);
    // It returns once the event that it is making is there, or has failed.
    this.#run(async () => this.#events?.return?.()).catch((error: unknown) => this.#reportEnd(error));
    this.#wake?.();
  }

  #close(controller: ReadableStreamDefaultController<Uint8Array>): void {
    this.#request.signal.removeEventListener('abort', this.#onAbort);
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

  // The stream is read by the host: without this, no helper would work in the source.
  #run<Result>(code: () => Promise<Result>): Promise<Result> {
    return this.#context ? requestStore().run(this.#context, code) : code();
  }
}

// Browsers send it as UTF-8, and most hosts give each byte as a character.
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
