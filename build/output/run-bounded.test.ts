import { expect, it } from 'vitest';

import { runBounded } from './run-bounded.ts';

it('returns results in the order of the items, whichever finishes first', async () => {
  const gates = [Promise.withResolvers<string>(), Promise.withResolvers<string>()];
  const results = runBounded(gates, (gate) => gate.promise, { limit: 2 });
  gates[1]?.resolve('second');
  gates[0]?.resolve('first');
  expect(await results).toEqual(['first', 'second']);
});

it('runs no more than the limit at once', async () => {
  let running = 0;
  let most = 0;
  await runBounded(
    Array.from({ length: 20 }),
    async () => {
      most = Math.max(most, ++running);
      await new Promise(setImmediate);
      running--;
    },
    { limit: 3 },
  );
  expect(most).toBe(3);
});

it('starts nothing more after a failure, and rejects once the started items have ended', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const other = Promise.withResolvers<void>();
  const work = async (item: number): Promise<void> => {
    begun.push(item);
    if (item === 0) throw new Error('first failed');
    await other.promise;
    await new Promise(setImmediate);
    ended.push(item);
  };
  const all = runBounded([0, 1, 2, 3], work, { limit: 2 });
  other.resolve();
  await expect(all).rejects.toThrow('first failed');
  expect(begun).toEqual([0, 1]);
  expect(ended).toEqual([1]);
});
