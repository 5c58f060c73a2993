import { EventEmitter } from 'node:events';
import { expect, it } from 'vitest';
import { whenDrained } from './when-drained.ts';

function stream(destroyed = false): EventEmitter & { destroyed: boolean } {
  return Object.assign(new EventEmitter(), { destroyed });
}

it.each(['drain', 'close'])('waits for %s, and leaves no listener behind', async (event) => {
  const draining = stream();
  let isOver = false;
  const waiting = whenDrained(draining).then(() => (isOver = true));
  await Promise.resolve();
  expect(isOver).toBe(false);
  draining.emit(event);
  await waiting;
  expect([draining.listenerCount('drain'), draining.listenerCount('close')]).toEqual([0, 0]);
});

it('does not wait for a stream that is gone', async () => {
  const gone = stream(true);
  await whenDrained(gone);
  expect(gone.eventNames()).toEqual([]);
});
