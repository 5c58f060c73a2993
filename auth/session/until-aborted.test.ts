import { getEventListeners } from 'node:events';
import { expect, it } from 'vitest';
import { untilAborted } from './until-aborted.ts';

it.each([
  ['has a result', async () => Promise.resolve('done')],
  ['fails', async () => Promise.reject(new Error('done'))],
])('no longer listens to a signal once the work %s: a signal may live as long as the app', async (_, work) => {
  const { signal } = new AbortController();
  const call = untilAborted<unknown>(work(), signal);
  expect(getEventListeners(signal, 'abort')).toHaveLength(1);
  expect(String(await call.catch((error: unknown) => error))).toContain('done');
  await new Promise((resolve) => setImmediate(resolve));
  expect(getEventListeners(signal, 'abort')).toHaveLength(0);
});

it('ends the wait with the reason of the signal', async () => {
  const controller = new AbortController();
  const call = untilAborted(new Promise(() => {}), controller.signal);
  controller.abort(new Error('no longer'));
  await expect(call).rejects.toThrow('no longer');
  await expect(untilAborted(new Promise(() => {}), controller.signal)).rejects.toThrow('no longer');
});
