import { expect, it } from 'vitest';
import { isTooLarge, limitStream, tooLargeError, tooLargeResponse } from './body-limit.ts';

it.each([
  ['11', true],
  ['10', false],
  ['0', false],
  [undefined, false],
  [null, false],
  ['text', false],
])('says whether a Content-Length of %s is too large for 10 bytes: %s', (length, expected) => {
  expect(isTooLarge(length, 10)).toBe(expected);
});

it('lets only an empty body through when the limit is 0', () => {
  expect(isTooLarge('1', 0)).toBe(true);
  expect(isTooLarge('0', 0)).toBe(false);
});

it('answers 413', () => {
  expect(tooLargeResponse().status).toBe(413);
  expect(tooLargeError().status).toBe(413);
});

it('passes on a body of exactly the limit, chunk by chunk', async () => {
  const body = ReadableStream.from([new Uint8Array([1, 2, 3]), new Uint8Array([4, 5])]);
  const chunks: Uint8Array[] = [];
  for await (const chunk of limitStream(body, 5)) chunks.push(chunk);
  expect(chunks).toEqual([new Uint8Array([1, 2, 3]), new Uint8Array([4, 5])]);
});

it('fails at the chunk that exceeds the limit, after passing on those before it', async () => {
  const chunks = limitStream(ReadableStream.from([new Uint8Array(3), new Uint8Array(3)]), 5)[Symbol.asyncIterator]();
  expect((await chunks.next()).value).toHaveLength(3);
  await expect(chunks.next()).rejects.toMatchObject({ status: 413 });
});
