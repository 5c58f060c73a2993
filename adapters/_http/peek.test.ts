import { expect, it } from 'vitest';
import { goOn } from './go-on.ts';
import { peek } from './peek.ts';

const readerOf = (chunks: readonly unknown[], isOpen = false): ReadableStreamDefaultReader<Uint8Array> =>
  new ReadableStream({
    start(controller) {
      for (const chunk of chunks) controller.enqueue(chunk);
      if (!isOpen) controller.close();
    },
  }).getReader();
const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

it('sees that a body is empty', async () => {
  const { whole, chunk } = await peek(readerOf([]));
  expect({ whole, chunk }).toEqual({ whole: new Uint8Array(), chunk: undefined });
});

it('sees that a body is complete', async () => {
  const { whole, chunk } = await peek(readerOf([bytes('all')]));
  expect({ whole, chunk }).toEqual({ whole: bytes('all'), chunk: undefined });
});

it('gives the first chunk of a body that goes on, and the read after it', async () => {
  const { whole, chunk, next } = await peek(readerOf([bytes('a'), bytes('b')]));
  expect({ whole, chunk }).toEqual({ whole: undefined, chunk: bytes('a') });
  expect(await next).toEqual({ done: false, value: bytes('b') });
});

it('does not wait for a body that sends nothing yet', async () => {
  const { whole, chunk } = await peek(readerOf([], true));
  expect({ whole, chunk }).toEqual({ whole: undefined, chunk: undefined });
});

it('rejects for a chunk that is not bytes', async () => {
  await expect(peek(readerOf(['text']))).rejects.toThrow('gave a string instead of a Uint8Array');
});

it('goes on after the beginning, and reads ahead no more than is asked for', async () => {
  let pulled = 0;
  const source = new ReadableStream<Uint8Array>(
    { pull: (controller) => (pulled++ < 4 ? controller.enqueue(bytes(String(pulled))) : controller.close()) },
    { highWaterMark: 0 },
  );
  const reader = source.getReader();
  const whole = goOn(reader, await peek(reader));
  const before = pulled;
  await new Promise((resolve) => setImmediate(resolve));
  expect(pulled).toBe(before);
  expect(await new Response(whole).text()).toBe('1234');
});
