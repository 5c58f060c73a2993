import { Readable } from 'node:stream';
import { expect, it } from 'vitest';
import { createRests } from './rests.ts';

const { signal } = new AbortController();
const readAll = (lines: AsyncIterable<string>): Promise<string[]> => Readable.from(lines).toArray();

it('gives the parts of a request in their order, and keeps nothing', async () => {
  const rests = createRests();
  const given = rests.take('one', signal);
  for (const line of ['a', 'b', '']) expect(rests.add('one', line)).toBe(true);
  expect(await readAll(given)).toEqual(['a', 'b']);
  expect(rests.size).toBe(0);
});

it('keeps parts that overtake their request', async () => {
  const rests = createRests();
  for (const line of ['a', '']) expect(rests.add('one', line)).toBe(true);
  expect(rests.size).toBe(1);
  expect(await readAll(rests.take('one', signal))).toEqual(['a']);
  expect(rests.size).toBe(0);
});

it('keeps the parts of two requests apart', async () => {
  const rests = createRests();
  const [one, two] = [rests.take('one', signal), rests.take('two', signal)];
  for (const [id, line] of [
    ['two', 'b'],
    ['one', 'a'],
    ['two', ''],
    ['one', ''],
  ] as const)
    rests.add(id, line);
  expect([await readAll(one), await readAll(two)]).toEqual([['a'], ['b']]);
});

it('ends when the visitor leaves, tells the sender, and keeps nothing', async () => {
  const rests = createRests();
  const visitor = new AbortController();
  const reading = readAll(rests.take('one', visitor.signal));
  rests.add('one', 'a');
  visitor.abort();
  await expect(reading).rejects.toThrow('Premature close');
  expect(rests.add('one', 'b')).toBe(false);
  expect(rests.size).toBe(0);
});
