import { beforeEach, expect, it, vi } from 'vitest';
import { isDraining, onDraining, startDraining } from './draining.ts';

beforeEach(() => {
  // As in a process that nobody has told to stop.
  for (const key of ['draining', 'onDraining']) Reflect.deleteProperty(globalThis, Symbol.for(`appkit.${key}`));
});

it('lets a server close at once if no probe asks whether it is about to stop', () => {
  expect(startDraining()).toBe(0);
});

it('keeps a server answering for three seconds if a probe asks, so that it sees the end', () => {
  expect(isDraining()).toBe(false);
  expect(isDraining()).toBe(false);
  expect(startDraining()).toBe(3000);
  expect(isDraining()).toBe(true);
});

it('is known to each copy of this package', async () => {
  vi.resetModules();
  const copy = await import('./draining.ts');
  expect(copy.startDraining).not.toBe(startDraining);
  const listener = vi.fn();
  const stop = copy.onDraining(listener);
  expect(copy.isDraining()).toBe(false);
  expect(startDraining()).toBe(3000);
  expect(copy.isDraining()).toBe(true);
  expect(listener).toHaveBeenCalledOnce();
  stop();
});

it('calls each listener, until it unsubscribes', () => {
  const [first, second] = [vi.fn(), vi.fn()];
  const stops = [first, second].map((listener) => onDraining(listener));
  startDraining();
  stops[0]?.();
  startDraining();
  stops[1]?.();
  startDraining();
  expect([first.mock.calls.length, second.mock.calls.length]).toEqual([1, 2]);
});
