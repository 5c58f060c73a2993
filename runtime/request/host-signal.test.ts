import { describe, expect, it, vi } from 'vitest';
import { collectGarbage } from '../fixtures/collect-garbage.ts';
import { toHostRequest } from './host-request.ts';
import { forgetListeners, toHostSignal } from './host-signal.ts';

const url = 'http://a.test/leave';

/** A request whose client can leave, with the errors that are reported for it. */
function create(): { request: Request; signal: AbortSignal; leave: () => void; report: ReturnType<typeof vi.fn> } {
  const client = new AbortController();
  const report = vi.fn();
  const request = toHostRequest(new Request(url, { method: 'DELETE', signal: client.signal }), report as never);
  return { request, signal: request.signal, leave: () => client.abort(), report };
}

/** The errors that are reported when a client leaves to which this code listens. */
async function reportedFor(listen: (signal: AbortSignal) => void): Promise<unknown[]> {
  const { request, signal, leave, report } = create();
  listen(signal);
  leave();
  await new Promise((resolve) => setImmediate(resolve));
  for (const [, about] of report.mock.calls) expect(about).toBe(request);
  return report.mock.calls.map(([error]) => error as unknown);
}

describe('a listener that fails', () => {
  const error = new Error('the clean-up failed');
  const fail = (): never => {
    throw error;
  };

  it('is reported as an error of the request, whichever way it listens', async () => {
    expect(await reportedFor((signal) => signal.addEventListener('abort', fail))).toEqual([error]);
    expect(await reportedFor((signal) => signal.addEventListener('abort', async () => fail()))).toEqual([error]);
    expect(await reportedFor((signal) => signal.addEventListener('abort', { handleEvent: fail }))).toEqual([error]);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is about this way
    expect(await reportedFor((signal) => void (signal.onabort = fail))).toEqual([error]);
  });

  it('is reported whatever it throws', async () => {
    const listen = (signal: AbortSignal): void => signal.addEventListener('abort', () => Promise.reject(null as never));
    expect(await reportedFor(listen)).toEqual([null]);
  });

  it('is not reported if it only says that the client has left', async () => {
    const listen = (signal: AbortSignal): void => signal.addEventListener('abort', () => signal.throwIfAborted());
    expect(await reportedFor(listen)).toEqual([]);
  });

  it('is reported with the URL and the method of a request that was collected', async () => {
    const client = new AbortController();
    const reported = vi.fn();
    let kept: WeakRef<Request> | undefined;
    const listen = (): AbortSignal => {
      const request = new Request(url, { method: 'DELETE' });
      kept = new WeakRef(request);
      const signal = toHostSignal(client.signal, request, reported as never);
      signal.addEventListener('abort', fail);
      return signal;
    };
    listen();
    await collectGarbage(() => kept?.deref() === undefined);
    expect(kept?.deref()).toBeUndefined();
    client.abort();
    await vi.waitFor(() => expect(reported).toHaveBeenCalledOnce());
    expect(reported.mock.calls[0]?.[0]).toBe(error);
    expect(reported.mock.calls[0]?.[1]).toMatchObject({ url, method: 'DELETE' });
  });

  it('is reported by the first of two requests that share a signal', async () => {
    const { request, signal, leave, report } = create();
    const other = vi.fn();
    expect(toHostSignal(signal, new Request(url), other as never)).toBe(signal);
    signal.addEventListener('abort', fail);
    leave();
    await vi.waitFor(() => expect(report).toHaveBeenCalledWith(error, request));
    expect(other).not.toHaveBeenCalled();
  });
});

describe('to app code, the signal looks like one of the platform', () => {
  it('with its class', () => {
    const { signal } = create();
    const classOf = (object: unknown): unknown =>
      Object.getOwnPropertyDescriptor(Object.getPrototypeOf(object), 'constructor');
    expect(signal).toBeInstanceOf(AbortSignal);
    expect(classOf(signal)).toEqual(classOf(new AbortController().signal));
  });

  it('and passes itself and the event to its listeners', () => {
    const { signal, leave } = create();
    const calls: unknown[] = [];
    signal.addEventListener('abort', function (this: AbortSignal, event: Event) {
      calls.push(['function', this, event.type, event.target]);
    });
    const object = {
      handleEvent(event: Event) {
        calls.push(['object', this, event.type, event.target]);
      },
    };
    signal.addEventListener('abort', object);
    leave();
    expect(calls).toEqual([
      ['function', signal, 'abort', signal],
      ['object', object, 'abort', signal],
    ]);
  });

  it('and calls a listener once that was added twice, and never one that was removed', () => {
    const { signal, leave } = create();
    const twice = vi.fn();
    const removed = vi.fn();
    for (const listener of [twice, twice, removed]) signal.addEventListener('abort', listener);
    signal.removeEventListener('abort', removed);
    leave();
    expect(twice).toHaveBeenCalledOnce();
    expect(removed).not.toHaveBeenCalled();
  });

  it('and returns from onabort what was set', () => {
    const { signal, leave } = create();
    const handler = vi.fn();
    expect(signal.onabort).toBeNull();
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is about this way
    signal.onabort = handler;
    expect(signal.onabort).toBe(handler);
    // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is about this way
    signal.onabort = null;
    expect(signal.onabort).toBeNull();
    leave();
    expect(handler).not.toHaveBeenCalled();
  });

  it('refuses a number in place of a listener with the error of the platform', () => {
    const errorOf = (signal: AbortSignal): unknown => {
      try {
        return signal.addEventListener('abort', 5 as never);
      } catch (error) {
        return error;
      }
    };
    expect(errorOf(new AbortController().signal)).toBeInstanceOf(TypeError);
    expect(errorOf(create().signal)).toEqual(errorOf(new AbortController().signal));
  });
});

it('forgets the listeners that were added, whichever way, and no later ones', () => {
  const { signal, leave } = create();
  const [early, late] = [vi.fn(), vi.fn()];
  signal.addEventListener('abort', early);
  signal.addEventListener('abort', early, { capture: true });
  signal.addEventListener('abort', { handleEvent: early });
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it is about this way
  signal.onabort = early;
  forgetListeners(signal);
  expect(signal.onabort).toBeNull();
  signal.addEventListener('abort', late);
  leave();
  expect([early.mock.calls.length, late.mock.calls.length]).toEqual([0, 1]);
});

it('leaves the listeners of a signal of the platform', () => {
  const client = new AbortController();
  const listener = vi.fn();
  client.signal.addEventListener('abort', listener);
  forgetListeners(client.signal);
  client.abort();
  expect(listener).toHaveBeenCalledOnce();
});
