import { expect, it, vi } from 'vitest';
import { toBreakable } from './breakable.ts';

/** A body that waits after its first chunk, and what its source was told. */
function waiting() {
  const pull = vi.fn((controller: ReadableStreamDefaultController<Uint8Array>): Promise<void> | void => {
    if (pull.mock.calls.length > 1) return new Promise(() => undefined);
    controller.enqueue(new Uint8Array([1]));
  });
  const cancel = vi.fn();
  const source = new ReadableStream<Uint8Array>({ pull, cancel }, { highWaterMark: 0 });
  return { ...toBreakable(new Response(null, { status: 201, headers: { 'x-a': '1' } }), source), pull, cancel };
}

it('has the head of the response, and reads nothing before the client does', async () => {
  const { response, pull } = waiting();
  expect([response.status, response.headers.get('x-a')]).toEqual([201, '1']);
  await new Promise((resolve) => setImmediate(resolve));
  expect(pull).not.toHaveBeenCalled();
});

it('fails for the client and cancels the source when it is broken off, once', async () => {
  const { response, breakOff, cancel } = waiting();
  const reader = response.body?.getReader();
  expect(await reader?.read()).toMatchObject({ done: false });
  const error = new Error('too late');
  expect([breakOff(error), breakOff(error)]).toEqual([true, false]);
  await expect(reader?.read()).rejects.toBe(error);
  expect(cancel).toHaveBeenCalledExactlyOnceWith(error);
});

it('cancels the source when the client leaves, after which nothing can be broken off', async () => {
  const { response, breakOff, cancel } = waiting();
  await response.body?.cancel('left');
  expect(cancel).toHaveBeenCalledExactlyOnceWith('left');
  expect(breakOff(new Error('too late'))).toBe(false);
});
