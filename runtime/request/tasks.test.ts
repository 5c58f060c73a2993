import { describe, expect, it, vi } from 'vitest';
import { handlerOf, routeOf } from '../fixtures/app.ts';
import { deferTask, environment, origin, runTask, setResponseHeaders } from '../helpers.ts';
import { StatusError } from '../http/status-error.ts';
import { createTaskSet } from './tasks.ts';

describe('tasks', () => {
  it('runTask starts at once, keeps the host alive and cannot change the answer', async () => {
    const order: string[] = [];
    const kept: Promise<unknown>[] = [];
    const onError = vi.fn();
    const handler = handlerOf(
      {
        routes: {
          '/': {
            GET: () => {
              runTask(async () => {
                order.push('task');
                await Promise.resolve();
                throw new Error('rejected');
              });
              runTask(() => {
                throw new Error('thrown');
              });
              order.push('route');
              return new Response('ok');
            },
          },
        },
      },
      { onError },
    );
    const response = await handler(new Request('http://app.test/'), { waitUntil: (promise) => kept.push(promise) });
    expect(await response.text()).toBe('ok');
    await Promise.all(kept);
    expect(order).toEqual(['task', 'route']);
    expect(onError.mock.calls.map(([error]) => (error as Error).message).toSorted()).toEqual(['rejected', 'thrown']);
  });

  it('deferTask starts after the response, with origin() and environment(), and without setResponseHeaders()', async () => {
    const tasks = createTaskSet();
    const seen: unknown[] = [];
    const handler = handlerOf(
      {
        routes: {
          '/': {
            GET: () => {
              deferTask(() => {
                seen.push(origin(), environment());
                expect(() => setResponseHeaders({ 'x-late': '1' })).toThrow('already been sent');
                deferTask(() => seen.push('nested'));
              });
              return new Response('ok');
            },
          },
        },
      },
      { environment: 'staging' },
    );
    const response = await handler(new Request('http://app.test/'), { waitUntil: tasks.waitUntil });
    expect(seen).toEqual([]);
    expect(response.status).toBe(200);
    await tasks.drain();
    expect(seen).toEqual(['http://app.test', 'staging', 'nested']);
  });

  it('deferTask runs after a thrown Response and a StatusError, not after an unhandled error', async () => {
    const tasks = createTaskSet();
    const ran: string[] = [];
    const throwing = (name: string, thrown: unknown): Record<string, unknown> => ({
      GET: () => {
        deferTask(() => ran.push(name));
        throw thrown;
      },
    });
    const handler = handlerOf(
      {
        routes: {
          '/response': throwing('response', new Response('x')),
          '/status': throwing('status', new StatusError(400)),
          '/error': throwing('error', new Error('e')),
        },
      },
      { onError: () => {} },
    );
    for (const path of ['/response', '/status', '/error']) {
      await handler(new Request(`http://app.test${path}`), { waitUntil: tasks.waitUntil });
    }
    await tasks.drain();
    expect(ran.toSorted()).toEqual(['response', 'status']);
  });

  it('refuse what is not a function', async () => {
    const onError = vi.fn();
    await routeOf(() => runTask(Promise.resolve() as never), { onError })();
    expect(String(onError.mock.calls[0]?.[0])).toContain('runTask() was given a promise');
  });

  it('refuse a promise that rejects, without an unhandled rejection', async () => {
    const onError = vi.fn();
    await routeOf(() => deferTask(Promise.reject(new Error('sent nothing')) as never), { onError })();
    // An unhandled rejection is found before the next turn, and fails the run.
    await new Promise((resolve) => setImmediate(resolve));
    expect(onError.mock.calls.map(([error]) => String(error))).toEqual([
      expect.stringContaining('deferTask() was given a promise'),
    ]);
  });

  it('drain() waits for work from begin to end', async () => {
    const tasks = createTaskSet();
    await tasks.drain();
    tasks.begin();
    let drained = false;
    const draining = tasks.drain().then(() => (drained = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(drained).toBe(false);
    tasks.end();
    await draining;
  });

  it('drain() waits for tasks that are added while it waits', async () => {
    const tasks = createTaskSet();
    const { promise, resolve } = Promise.withResolvers<void>();
    let second = false;
    tasks.waitUntil(promise.then(() => tasks.waitUntil(Promise.resolve().then(() => (second = true)))));
    resolve();
    await tasks.drain();
    expect(second).toBe(true);
  });
});

describe('a set of tasks', () => {
  it('is drained when everything has ended, again and again', async () => {
    const tasks = createTaskSet();
    for (let round = 0; round < 2; round++) {
      tasks.begin();
      let isDrained = false;
      const drained = tasks.drain().then(() => (isDrained = true));
      await Promise.resolve();
      expect(isDrained).toBe(false);
      tasks.end();
      await drained;
    }
    await tasks.drain();
  });
});

it('refuses what is not a task, and says what to give instead', async () => {
  const rejections: unknown[] = [];
  const note = (reason: unknown): void => void rejections.push(reason);
  process.on('unhandledRejection', note);
  const errors: unknown[] = [];
  const refuse = (task: unknown): void => {
    try {
      runTask(task as () => void);
    } catch (error) {
      errors.push(error);
    }
  };
  try {
    await routeOf(() => {
      for (const task of [null, 'send', Promise.reject(new Error('late'))]) refuse(task);
      return new Response();
    })();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.off('unhandledRejection', note);
  }
  expect(errors).toMatchObject(
    ['null', 'a value of type string', 'a promise'].map((what) => ({
      code: 'ERR_TASK_INVALID',
      message: `runTask() was given ${what}. Give it a function: runTask(async () => { … }).`,
    })),
  );
  expect(rejections).toEqual([]);
});
