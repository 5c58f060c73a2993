import { expect, it } from 'vitest';
import { inBatches } from './in-batches.ts';

it('runs items that arrive together in one batch, and items that arrive meanwhile in the next', async () => {
  const batches: number[][] = [];
  let end = (): void => undefined;
  const add = inBatches(async (items: number[]) => {
    batches.push(items);
    if (items.includes(1)) await new Promise<void>((resolve) => (end = resolve));
    if (items.includes(3)) throw new Error('refused');
    return items.length;
  });
  const first = [add(1), add(2)];
  await Promise.resolve();
  const second = [add(3), add(4)].map((added) => added.catch(String));
  await Promise.resolve();
  expect(batches).toEqual([[1, 2]]);
  end();
  expect(await Promise.all(first)).toEqual([2, 2]);
  expect(await Promise.all(second)).toEqual(['Error: refused', 'Error: refused']);
  expect(await add(5)).toBe(1);
  expect(batches).toEqual([[1, 2], [3, 4], [5]]);
});
