import { AsyncLocalStorage } from 'node:async_hooks';
import { EventEmitter, getEventListeners, on } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { startBrowser } from '../auth/fixtures/browser.ts';
import { createRequestHandler } from '../adapters/node/index.ts';
import { startDraining } from './draining.ts';
import { eventStream } from './event-stream.ts';
import type { EventSource, EventStreamOptions, ServerSentEvent } from './event-stream.ts';
import { buildOf, handlerOf } from './fixtures/app.ts';
import { requestId } from './index.ts';

/** Asks an app of one event stream. */
async function ask(
  source: EventSource,
  {
    options,
    onError,
    ...init
  }: RequestInit & { options?: EventStreamOptions; onError?: (error: unknown) => void } = {},
): Promise<Response> {
  const GET = (request: Request): Response => eventStream(request, source, options);
  const handler = handlerOf({ routes: { '/': { GET } } }, onError && { onError: (error) => void onError(error) });
  return handler(new Request('http://app.test/', init));
}

/** The text that a stream of these events sends, after its first comment. */
async function textOf(events: readonly (ServerSentEvent | string)[]): Promise<string> {
  async function* source(): AsyncGenerator<ServerSentEvent | string> {
    yield* events;
  }
  const text = await (await ask(source)).text();
  expect(text.startsWith(':\n\n')).toBe(true);
  return text.slice(3);
}

/** Reads a stream piece by piece, as text. */
function piecesOf(response: Response): { next(): Promise<string | undefined>; cancel(): Promise<void> } {
  const reader = (response.body as ReadableStream<Uint8Array>).getReader(); // an event stream has one
  return {
    next: async () => {
      const { value } = await reader.read();
      return value && new TextDecoder().decode(value);
    },
    cancel: () => reader.cancel(),
  };
}

describe('when the server is told to stop', () => {
  /** Waits until its signal is aborted. */
  const source: EventSource = async function* ({ signal }) {
    yield 'first';
    await new Promise((resolve) => signal.addEventListener('abort', resolve));
  };

  beforeEach(() => {
    // As in a process that nobody has told to stop.
    for (const key of ['draining', 'onDraining']) Reflect.deleteProperty(globalThis, Symbol.for(`appkit.${key}`));
  });

  it('ends an endless stream, and its source, without an error', async () => {
    const onError = vi.fn<(error: unknown) => void>();
    const response = await ask(source, { options: { endless: true }, onError });
    const pieces = piecesOf(response);
    expect([await pieces.next(), await pieces.next()]).toEqual([':\n\n', 'data: first\n\n']);
    const next = pieces.next();
    startDraining();
    expect(await next).toBe(undefined);
    expect(onError).not.toHaveBeenCalled();
  });

  it('ends an endless stream that begins after that', async () => {
    startDraining();
    expect(await (await ask(source, { options: { endless: true } })).text()).toBe(':\n\n');
  });

  it('ends an endless stream of which only the beginning has been read until then', async () => {
    const pieces = piecesOf(await ask(source, { options: { endless: true } }));
    expect(await pieces.next()).toBe(':\n\n');
    startDraining();
    expect(await pieces.next()).toBe(undefined);
  });

  it('lets any other stream come to its end', async () => {
    const going = Promise.withResolvers<void>();
    const response = await ask(async function* () {
      yield 'first';
      await going.promise;
      yield 'last';
    });
    const pieces = piecesOf(response);
    expect([await pieces.next(), await pieces.next()]).toEqual([':\n\n', 'data: first\n\n']);
    startDraining();
    going.resolve();
    expect(await pieces.next()).toBe('data: last\n\n');
  });

  it('no longer listens for streams that have ended', async () => {
    const pieces = piecesOf(await ask(source, { options: { endless: true } }));
    await pieces.next();
    await pieces.cancel();
    await (await ask(async function* () {}, { options: { endless: true } })).text();
    await (await ask(source, { options: { endless: true }, method: 'HEAD' })).text();
    // Nobody reads this one, such as when a middleware answers in its place.
    await ask(source, { options: { endless: true } });
    expect((globalThis as Record<symbol, unknown>)[Symbol.for('appkit.onDraining')]).toEqual(new Set());
  });
});

describe('the answer', () => {
  it('is an event stream that is neither cached nor buffered', async () => {
    const { status, headers } = await ask(async function* () {});
    expect(status).toBe(200);
    expect(headers.get('content-type')).toBe('text/event-stream; charset=utf-8');
    expect(headers.get('cache-control')).toBe('no-store');
    expect(headers.get('x-accel-buffering')).toBe('no');
  });

  it('begins with a comment, before the first event', async () => {
    const pieces = piecesOf(
      await ask(() => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) })),
    );
    expect(await pieces.next()).toBe(':\n\n');
    await pieces.cancel();
  });

  it('ends with the generator, without an error', async () => {
    expect(await textOf([])).toBe('');
    const onError = vi.fn();
    expect(await (await ask(async function* () {}, { onError })).text()).toBe(':\n\n');
    expect(onError).not.toHaveBeenCalled();
  });

  it('is empty for a client that has left before', async () => {
    const request = new Request('http://app.test/', { signal: AbortSignal.abort() });
    const response = eventStream(request, async function* () {
      yield 'too late';
    });
    expect(await response.text()).toBe(':\n\n');
  });

  it('does not keep listening to the request, however it ends', async () => {
    for (const end of ['cancel', 'done'] as const) {
      const { signal } = new AbortController();
      const request = new Request('http://app.test/', { signal });
      const before = getEventListeners(request.signal, 'abort').length;
      const response = eventStream(request, async function* () {});
      if (end === 'cancel') await response.body?.cancel();
      else await response.text();
      expect([end, getEventListeners(request.signal, 'abort').length]).toEqual([end, before]);
    }
  });
});

describe('an event', () => {
  it('has data, as text or as JSON', async () => {
    expect(await textOf(['a', { data: 'b' }, { data: { c: ['é'] } }, { data: 1 }, { data: null }, { data: '' }])).toBe(
      'data: a\n\ndata: b\n\ndata: {"c":["é"]}\n\ndata: 1\n\ndata: null\n\ndata: \n\n',
    );
  });

  it('has each line of its data as a field, however it ends', async () => {
    expect(await textOf(['a\nb\r\nc\rd\n'])).toBe('data: a\ndata: b\ndata: c\ndata: d\ndata: \n\n');
  });

  it('has its other fields before its data', async () => {
    expect(await textOf([{ data: 'a', event: 'order', id: '7', retry: 1000, comment: 'one\ntwo' }])).toBe(
      ': one\n: two\nevent: order\nid: 7\nretry: 1000\ndata: a\n\n',
    );
    expect(await textOf([{ retry: 0 }, { comment: 'still here' }, { id: '' }])).toBe(
      'retry: 0\n\n: still here\n\nid: \n\n',
    );
  });

  it('cannot start another event by its id or type', async () => {
    for (const [event, what] of [
      [{ id: '1\ndata: forged', data: 'a' }, 'The field id of an event is "1\\ndata: forged".'],
      [{ id: '1\r', data: 'a' }, 'The field id'],
      [{ id: '1\0', data: 'a' }, 'The field id'],
      [{ event: 'a\n\ndata: forged', data: 'a' }, 'The field event'],
      [{ event: 7, data: 'a' }, 'The field event of an event is 7'],
      [{ retry: -1 }, 'The field retry of an event is -1'],
      [{ retry: '1\nid: 2' }, 'The field retry'],
      [{ retry: 1.5 }, 'The field retry of an event is 1.5'],
      [7, 'An event of an event stream is of type number'],
      [null, 'An event of an event stream is null'],
    ] as const) {
      const errors: unknown[] = [];
      const ended = Promise.withResolvers<void>();
      async function* source(): AsyncGenerator<ServerSentEvent> {
        try {
          yield event as ServerSentEvent;
        } finally {
          ended.resolve();
        }
      }
      const response = await ask(source, { onError: (error) => errors.push(error) });
      expect(await response.text()).toBe(':\n\n');
      expect(errors).toEqual([
        expect.objectContaining({ code: 'ERR_EVENT_STREAM_INVALID', message: expect.stringContaining(what) }),
      ]);
      await ended.promise;
    }
  });
});

describe('the source', () => {
  it('receives the Last-Event-ID, in UTF-8', async () => {
    const seen: (string | undefined)[] = [];
    const source: EventSource = async function* ({ lastEventId }) {
      seen.push(lastEventId);
      yield 'seen';
    };
    const asBytes = (text: string): string => Buffer.from(text).toString('latin1');
    for (const id of ['7', asBytes('café 漢'), '\xe9', undefined]) {
      await (await ask(source, { headers: id === undefined ? {} : { 'last-event-id': id } })).text();
    }
    expect(seen).toEqual(['7', 'café 漢', '\xe9', undefined]);
  });

  it('runs in the context of its request', async () => {
    const text = await (
      await ask(async function* () {
        yield requestId();
        await setImmediate();
        yield requestId();
      })
    ).text();
    const [first, second] = text.matchAll(/^data: ([\w-]{36})$/gm).map(([, id]) => id);
    expect(first).toBe(second);
    expect(first).toBeDefined();
  });

  it('runs in the async context in which it was made, such as a span of a trace, to its end', async () => {
    const span = new AsyncLocalStorage<string>();
    const ended = Promise.withResolvers<string | undefined>();
    const GET = (request: Request): Response =>
      span.run('of the route', () =>
        eventStream(request, async function* () {
          try {
            yield String(span.getStore());
            await setImmediate();
            yield String(span.getStore());
          } finally {
            ended.resolve(span.getStore());
          }
        }),
      );
    const handler = handlerOf({ routes: { '/': { GET } } });
    const pieces = piecesOf(await handler(new Request('http://app.test/')));
    expect([await pieces.next(), await pieces.next(), await pieces.next()]).toEqual([
      ':\n\n',
      'data: of the route\n\n',
      'data: of the route\n\n',
    ]);
    // The client leaves before it has read the end.
    await pieces.cancel();
    expect(await ended.promise).toBe('of the route');
  });

  it('is asked for an event only once the client has read the previous one', async () => {
    let made = 0;
    const pieces = piecesOf(
      await ask(async function* () {
        for (;;) yield `${++made}`;
      }),
    );
    await pieces.next();
    expect(await pieces.next()).toBe('data: 1\n\n');
    for (let turn = 0; turn < 20; turn++) await setImmediate();
    expect(made).toBeLessThanOrEqual(1);
    expect(await pieces.next()).toBe('data: 2\n\n');
    await pieces.cancel();
  });

  it('is not called for an unread stream', async () => {
    const source = vi.fn<EventSource>(async function* () {});
    const response = await ask(source);
    await response.body?.cancel();
    expect(source).not.toHaveBeenCalled();
  });

  it('is not called for HEAD', async () => {
    const source = vi.fn<EventSource>(async function* () {});
    const response = eventStream(new Request('http://app.test/', { method: 'HEAD' }), source);
    expect(await response.text()).toBe(':\n\n');
    expect(source).not.toHaveBeenCalled();
  });

  it('returns, and its signal is aborted, when the client cancels', async () => {
    const finished = Promise.withResolvers<boolean>();
    const source: EventSource = async function* ({ signal }) {
      try {
        for (;;) yield 'again';
      } finally {
        finished.resolve(signal.aborted);
      }
    };
    const pieces = piecesOf(await ask(source));
    await pieces.next();
    await pieces.next();
    await pieces.cancel();
    expect(await finished.promise).toBe(true);
  });

  it('that waits for an event with its signal returns too, and no error is reported', async () => {
    for (const leave of ['cancel', 'abort'] as const) {
      const orders = new EventEmitter();
      const errors: unknown[] = [];
      const [waiting, finished] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const source: EventSource = async function* ({ signal }) {
        try {
          const events = on(orders, 'order', { signal });
          waiting.resolve();
          for await (const [order] of events) yield { data: order as unknown };
        } finally {
          finished.resolve();
        }
      };
      const client = new AbortController();
      const onError = (error: unknown): void => void errors.push(error);
      const pieces = piecesOf(await ask(source, { signal: client.signal, onError }));
      await pieces.next();
      const next = pieces.next();
      await waiting.promise;
      orders.emit('order', { id: 1 });
      expect(await next).toBe('data: {"id":1}\n\n');
      const last = pieces.next();
      await setImmediate();
      if (leave === 'cancel') await pieces.cancel();
      else client.abort();
      await finished.promise;
      expect([leave, await last, errors, orders.listenerCount('order')]).toEqual([leave, undefined, [], 0]);
    }
  });

  it('that fails is reported, and ends the stream', async () => {
    const errors: unknown[] = [];
    const failure = new Error('the database is gone');
    const source: EventSource = async function* () {
      yield 'first';
      throw failure;
    };
    const response = await ask(source, { onError: (error) => errors.push(error) });
    expect(await response.text()).toBe(':\n\ndata: first\n\n');
    expect(errors).toEqual([failure]);
  });

  it('that fails while it returns is reported too', async () => {
    const failure = new Error('cannot be closed');
    const reported = Promise.withResolvers<unknown>();
    const source: EventSource = async function* () {
      try {
        for (;;) yield 'again';
      } finally {
        // oxlint-disable-next-line no-unsafe-finally -- what an app may do by mistake
        throw failure;
      }
    };
    const pieces = piecesOf(await ask(source, { onError: reported.resolve }));
    await pieces.next();
    await pieces.next();
    await pieces.cancel();
    expect(await reported.promise).toBe(failure);
  });

  it('that fails when the client has left is reported, unless it fails because of that', async () => {
    const reason = new Error('the client has left');
    for (const [thrown, reported] of [
      [new Error('too late'), true],
      [null, true],
      [reason, false],
    ] as const) {
      const onError = vi.fn();
      const waiting = Promise.withResolvers<void>();
      const left = Promise.withResolvers<void>();
      const source: EventSource = () => ({
        [Symbol.asyncIterator]: () => ({
          next: () => {
            waiting.resolve();
            return left.promise.then(() => Promise.reject(thrown as Error));
          },
        }),
      });
      const client = new AbortController();
      const pieces = piecesOf(await ask(source, { signal: client.signal, onError }));
      await pieces.next();
      const last = pieces.next();
      await waiting.promise;
      client.abort(reason);
      left.resolve();
      await last;
      await setImmediate();
      expect(onError.mock.calls.map(([error]) => error as unknown)).toEqual(reported ? [thrown] : []);
    }
  });

  it('returns once, and need not be able to', async () => {
    const onError = vi.fn();
    const next = (): Promise<IteratorResult<string>> => Promise.resolve({ done: false, value: 'again' });
    const onReturn = vi.fn(async () => ({ done: true as const, value: undefined }));
    for (const iterator of [{ next }, { next, return: onReturn }]) {
      const client = new AbortController();
      const source: EventSource = () => ({ [Symbol.asyncIterator]: () => iterator });
      const pieces = piecesOf(await ask(source, { signal: client.signal, onError }));
      await pieces.next();
      await pieces.next();
      client.abort();
      await pieces.cancel();
      await setImmediate();
    }
    expect(onReturn).toHaveBeenCalledOnce();
    expect(onError).not.toHaveBeenCalled();
  });

  it('that is not a generator works, and one that throws immediately is reported', async () => {
    async function* two(): AsyncGenerator<string> {
      yield 'one';
      yield 'two';
    }
    const events = ReadableStream.from(two()) as unknown as AsyncIterable<string>;
    expect(await (await ask(() => events)).text()).toBe(':\n\ndata: one\n\ndata: two\n\n');
    const failure = new Error('at once');
    const errors: unknown[] = [];
    const fails: EventSource = () => {
      throw failure;
    };
    expect(await (await ask(fails, { onError: (error) => errors.push(error) })).text()).toBe(':\n\n');
    expect(errors).toEqual([failure]);
  });

  it('works outside of an app, as in a test that calls the route itself', async () => {
    const response = eventStream(new Request('http://app.test/'), async function* () {
      yield 'one';
      throw new Error('broken');
    });
    const pieces = piecesOf(response);
    expect([await pieces.next(), await pieces.next()]).toEqual([':\n\n', 'data: one\n\n']);
    await expect(pieces.next()).rejects.toThrow('broken');
  });
});

describe('the heartbeat', () => {
  it('is a comment after 15 seconds without an event', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const event = Promise.withResolvers<void>();
    const pieces = piecesOf(
      await ask(async function* () {
        await event.promise;
        yield 'at last';
      }),
    );
    await pieces.next();
    for (let beat = 0; beat < 3; beat++) {
      const next = pieces.next();
      await vi.advanceTimersByTimeAsync(14_999);
      expect(await Promise.race([next, setImmediate('silence')])).toBe('silence');
      await vi.advanceTimersByTimeAsync(1);
      expect(await next).toBe(':\n\n');
    }
    const next = pieces.next();
    event.resolve();
    expect(await next).toBe('data: at last\n\n');
    expect(await pieces.next()).toBe(undefined);
    expect(vi.getTimerCount()).toBe(0);
  });

  it('does not delay an event that comes while nothing reads', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const event = Promise.withResolvers<void>();
    const pieces = piecesOf(
      await ask(
        async function* () {
          await event.promise;
          yield 'meanwhile';
        },
        { options: { heartbeatMs: 10 } },
      ),
    );
    await pieces.next();
    const beat = pieces.next();
    await vi.advanceTimersByTimeAsync(10);
    expect(await beat).toBe(':\n\n');
    event.resolve();
    await setImmediate();
    expect(await Promise.race([pieces.next(), setImmediate('silence')])).toBe('data: meanwhile\n\n');
  });

  it('leaves no timer when the client leaves, and waits for a client that does not read', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const never: EventSource = () => ({ [Symbol.asyncIterator]: () => ({ next: () => new Promise(() => undefined) }) });
    const pieces = piecesOf(await ask(never, { options: { heartbeatMs: 10 } }));
    expect(vi.getTimerCount()).toBe(0);
    await pieces.next();
    const next = pieces.next();
    expect(vi.getTimerCount()).toBe(1);
    await pieces.cancel();
    expect([await next, vi.getTimerCount()]).toEqual([undefined, 0]);
  });

  it('can be switched off, and refuses invalid times', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
    onTestFinished(() => void vi.useRealTimers());
    const event = Promise.withResolvers<void>();
    const source: EventSource = async function* () {
      await event.promise;
      yield 'last';
    };
    const pieces = piecesOf(await ask(source, { options: { heartbeatMs: Infinity } }));
    await pieces.next();
    const next = pieces.next();
    expect(vi.getTimerCount()).toBe(0);
    event.resolve();
    expect(await next).toBe('data: last\n\n');
    for (const heartbeatMs of [0, -1, NaN, 2 ** 31]) {
      expect(() => eventStream(new Request('http://app.test/'), source, { heartbeatMs })).toThrow(
        expect.objectContaining({
          code: 'ERR_OPTION_INVALID',
          message: expect.stringContaining('The option heartbeatMs') as string,
        }),
      );
    }
    expect(() => eventStream(new Request('http://app.test/'), source, { heartbeatMs: 2 ** 31 - 1 })).not.toThrow();
  });
});

it("is read by a browser's EventSource, which reconnects with the last id", async () => {
  const asked: (string | undefined)[] = [];
  const source: EventSource = async function* ({ lastEventId }) {
    asked.push(lastEventId);
    if (lastEventId !== undefined) {
      yield { data: 'done' };
      return;
    }
    yield { retry: 1 };
    yield { id: 'é1', event: 'order', data: { text: 'two\nlines' } };
  };
  const GET = (request: Request): Response => eventStream(request, source);
  const page = '<!doctype html><title>events</title>';
  const build = buildOf({
    routes: {
      '/events': { GET },
      '/': { GET: () => new Response(page, { headers: { 'content-type': 'text/html' } }) },
    },
  });
  const server = createServer(createRequestHandler({ build })).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  const browser = await startBrowser();
  onTestFinished(() => browser.close());
  const tab = await browser.newPage();
  await tab.goto(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
  const received = await tab.evaluate(`new Promise((resolve) => {
    const received = [];
    const events = new EventSource('/events');
    events.addEventListener('order', ({ data, lastEventId }) => received.push([JSON.parse(data), lastEventId]));
    events.addEventListener('message', ({ data, lastEventId }) => {
      events.close();
      resolve([...received, [data, lastEventId]]);
    });
  })`);
  expect(received).toEqual([
    [{ text: 'two\nlines' }, 'é1'],
    ['done', 'é1'],
  ]);
  expect(asked).toEqual([undefined, 'é1']);
});
