import { expect, it } from 'vitest';
import { createQueue } from './in-turn.ts';

const FOR_EVER_MS = 2 ** 31 - 1;

it('loads one after the other, in the order of the calls, also after a failure', async () => {
  const inTurn = createQueue({ find: () => undefined, patienceMs: FOR_EVER_MS });
  const seen: string[] = [];
  const load = (name: string) => async (): Promise<void> => {
    seen.push(`${name} begins`);
    await new Promise(setImmediate);
    seen.push(`${name} ends`);
    if (name === 'one') throw new Error(name);
  };
  await Promise.allSettled(['one', 'two', 'three'].map((name) => inTurn(name, load(name))));
  expect(seen).toEqual(['one begins', 'one ends', 'two begins', 'two ends', 'three begins', 'three ends']);
});

it('counts what a load itself loads as a part of it', async () => {
  const inTurn = createQueue({ find: () => undefined, patienceMs: FOR_EVER_MS });
  const late = Promise.withResolvers<void>();
  await inTurn('one', () => inTurn('awaited', async () => void inTurn('not awaited', () => late.promise)));
  let isNext = false;
  const next = inTurn('two', async () => void (isNext = true));
  await new Promise(setImmediate);
  expect(isNext).toBe(false);
  late.resolve();
  await next;
});

it('does not queue for what is loaded', async () => {
  const loaded = {};
  const inTurn = createQueue({ find: (name) => (name === 'loaded' ? loaded : undefined), patienceMs: FOR_EVER_MS });
  await inTurn('loaded', async () => {});
  void inTurn('endless', () => new Promise(() => {}));
  expect(await inTurn('loaded', async () => 'at once')).toBe('at once');
});

it('no longer waits for a load that does not end', async () => {
  const inTurn = createQueue({ find: () => undefined, patienceMs: 1 });
  void inTurn('endless', () => new Promise(() => {}));
  expect(await inTurn('next', async () => 'loaded')).toBe('loaded');
});
