import { expect, it } from 'vitest';
import { inParallel } from './in-parallel.ts';

it('does all the work, never more than the limit at a time, and keeps the order of the results', async () => {
  let atWork = 0;
  let most = 0;
  const results = await inParallel([5, 1, 4, 2, 3], 2, async (item) => {
    most = Math.max(most, ++atWork);
    for (let turn = 0; turn < item; turn += 1) await Promise.resolve();
    atWork -= 1;
    return item * 10;
  });
  expect(results).toEqual([50, 10, 40, 20, 30]);
  expect(most).toBe(2);
});

it('fails with the first failure, starts nothing else, and first waits for everything in progress', async () => {
  const begun: number[] = [];
  const ended: number[] = [];
  const work = inParallel([1, 2, 3, 4], 2, async (item) => {
    begun.push(item);
    for (let turn = 0; turn < item * 10; turn += 1) await Promise.resolve();
    ended.push(item);
    throw new Error(`of ${item}`);
  });
  await expect(work).rejects.toThrow('of 1');
  expect([begun, ended]).toEqual([
    [1, 2],
    [1, 2],
  ]);
});
