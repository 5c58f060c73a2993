import { describe, expect, it, vi } from 'vitest';
import { buildOf } from '../fixtures/app.ts';
import { createHandler } from '../handler.ts';
import type { HandlerOptions } from '../handler.ts';
import { requestId, runTask } from '../helpers.ts';
import type { ResponseEvent } from './hooks.ts';
import { StatusError } from '../http/status-error.ts';

const build = buildOf({
  routes: {
    '/items/[id]': { GET: () => new Response('item', { status: 201 }) },
    '/later': { GET: async () => new Response('later') },
    '/refused': {
      GET: () => {
        throw new StatusError(403);
      },
    },
    '/broken': {
      GET: () => {
        throw new Error('broken');
      },
    },
    '/id': { GET: () => Response.json([requestId(), requestId()]) },
    '/task': {
      GET: () => {
        runTask(() => {
          throw new Error(requestId());
        });
        return new Response(requestId());
      },
    },
  },
});

function watched(options: HandlerOptions = {}): { get(path: string): Promise<Response>; told: ResponseEvent[] } {
  const told: ResponseEvent[] = [];
  const handler = createHandler(build, { onError: () => {}, onResponse: (event) => void told.push(event), ...options });
  return { told, get: async (path) => handler(new Request(`http://app.test${path}`)) };
}

describe('onResponse', () => {
  it.each([
    ['/items/7', 201, '/items/[id]'],
    ['/later', 200, '/later'],
    ['/refused', 403, '/refused'],
    ['/broken', 500, '/broken'],
    ['/nowhere', 404, undefined],
    ['/%zz', 400, undefined],
  ])('receives %s, with the status and the pattern', async (path, status, route) => {
    const { get, told } = watched();
    const before = performance.now();
    expect((await get(path)).status).toBe(status);
    expect(told).toEqual([
      {
        request: expect.objectContaining({ url: `http://app.test${path}` }),
        requestId: expect.stringMatching(/^[\da-f-]{36}$/),
        status,
        route,
        durationMs: expect.any(Number),
      },
    ]);
    expect(told[0]?.durationMs).toBeLessThan(performance.now() - before);
    expect(told[0]?.durationMs).toBeGreaterThanOrEqual(0);
  });

  it('is called after onRequest, with the same request and id', async () => {
    const order: unknown[] = [];
    const { get } = watched({
      onRequest: ({ request, requestId }) => order.push([request, requestId]),
      onResponse: ({ request, requestId }) => order.push([request, requestId]),
    });
    await get('/later');
    expect(order).toHaveLength(2);
    expect(order[0]).toEqual(order[1]);
  });

  it.each([
    [
      'throws',
      () => {
        throw new Error('hook');
      },
    ],
    ['rejects', () => Promise.reject(new Error('hook'))],
  ])('does not affect the answer when it %s, and is reported', async (_, fail) => {
    const onError = vi.fn();
    const { get } = watched({ onError, onRequest: fail, onResponse: fail });
    expect(await (await get('/later')).text()).toBe('later');
    expect(onError.mock.calls.map(([error]) => String(error))).toEqual(['Error: hook', 'Error: hook']);
  });

  it('keeps a synchronous answer synchronous', () => {
    const handler = createHandler(build, { onResponse: () => {} });
    expect(handler(new Request('http://app.test/items/7'))).toBeInstanceOf(Response);
  });
});

describe('requestId', () => {
  it('is the same throughout a request, and different in the next', async () => {
    const { get, told } = watched();
    const [first, second] = (await (await get('/id')).json()) as string[];
    expect([first, second]).toEqual([told[0]?.requestId, told[0]?.requestId]);
    expect(((await (await get('/id')).json()) as string[])[0]).not.toBe(first);
  });

  it('is the same in a task', async () => {
    const onError = vi.fn();
    const { get } = watched({ onError });
    const id = await (await get('/task')).text();
    expect(String(onError.mock.calls[0]?.[0])).toBe(`Error: ${id}`);
  });

  it('is the same in the hooks', async () => {
    const ids: string[] = [];
    const { get, told } = watched({ onRequest: () => ids.push(requestId()) });
    await get('/later');
    expect(ids).toEqual([told[0]?.requestId]);
  });

  it("is the host's, and never the client's", async () => {
    const handler = createHandler(build);
    const request = (): Request => new Request('http://app.test/id', { headers: { 'x-request-id': 'forged' } });
    expect(await (await handler(request(), { requestId: 'of-the-host' })).json()).toEqual([
      'of-the-host',
      'of-the-host',
    ]);
    expect(((await (await handler(request())).json()) as string[])[0]).not.toBe('forged');
  });

  it('needs a request', () => {
    expect(() => requestId()).toThrow('requestId() was called outside a request');
  });
});

it('calls onRequest without an onResponse, and reports no error', async () => {
  const [onRequest, onError] = [vi.fn(), vi.fn()];
  const handler = createHandler(build, { onRequest, onError });
  expect((await handler(new Request('http://app.test/items/7'))).status).toBe(201);
  expect(onRequest).toHaveBeenCalledOnce();
  expect(onError).not.toHaveBeenCalled();
});
