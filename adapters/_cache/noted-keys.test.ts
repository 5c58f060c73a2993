import { Buffer } from 'node:buffer';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, it } from 'vitest';
import { NotedKeys } from './noted-keys.ts';

// As it arrives: a string that shares no memory with another.
const long = (number: number): string => Buffer.from(`http://app.test/?${'x'.repeat(16_000)}${number}`).toString();

function heapBytes(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  return process.memoryUsage().heapUsed;
}

it('knows the latest note of each URL, however long the URL', () => {
  const notes = new NotedKeys();
  notes.note('http://app.test/', ['a']);
  notes.note(long(1), false);
  notes.note(long(2), []);
  expect([notes.get('http://app.test/'), notes.get(long(1)), notes.get(long(2)), notes.get(long(3))]).toEqual([
    ['a'],
    false,
    [],
    undefined,
  ]);
});

it('uses few bytes for long URLs, and forgets the oldest notes', () => {
  const notes = new NotedKeys();
  const before = heapBytes();
  for (let number = 0; number < 10_001; number++) notes.note(long(number), false);
  // 10,000 URLs of 16 kB are 160 MB.
  expect(heapBytes() - before).toBeLessThan(20_000_000);
  expect([notes.get(long(0)), notes.get(long(1))]).toEqual([undefined, false]);
});
