import { AsyncLocalStorage } from 'node:async_hooks';
import { setImmediate } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { offerMayBeTaken } from '../http/quick-response.ts';
import { inReadingContext, keepContext, readerOf } from './reading-context.ts';

offerMayBeTaken(() => true);

const store = new AsyncLocalStorage<string>();
const context = { run: <Result>(code: () => Result) => store.run('of the request', code) };

/** A stream of where each of its parts was made. */
function streamOfContexts(): ReadableStream<Uint8Array> {
  let parts = 0;
  return new ReadableStream<Uint8Array>(
    {
      async pull(controller) {
        await Promise.resolve();
        controller.enqueue(Buffer.from(`${store.getStore() ?? 'elsewhere'} `));
        if (++parts === 2) controller.close();
      },
    },
    { highWaterMark: 0 },
  );
}

async function read(reader: ReadableStreamDefaultReader<Uint8Array>): Promise<string> {
  let text = '';
  for (;;) {
    // As a client reads that is slower than the source.
    await setImmediate();
    const { done, value } = await reader.read();
    if (done) return text;
    text += Buffer.from(value).toString();
  }
}

it('reads each part of an answer in the context that was kept for it', async () => {
  const stream = streamOfContexts();
  keepContext(new Response(stream), context);
  expect(await read(readerOf(stream))).toBe('of the request of the request ');
});

it('keeps the context of the route that has made a stream, when another one passes it on', async () => {
  const stream = streamOfContexts();
  keepContext(new Response(stream), context);
  keepContext(new Response(stream), { run: (code) => store.run('of another', code) });
  expect(await read(readerOf(stream))).toBe('of the request of the request ');
});

it('cancels a stream in that context', async () => {
  let cancelledIn: string | undefined;
  const stream = new ReadableStream<Uint8Array>({ cancel: () => void (cancelledIn = store.getStore()) });
  keepContext(new Response(stream), context);
  await readerOf(stream).cancel();
  expect(cancelledIn).toBe('of the request');
});

it('reads a whole answer in that context', async () => {
  const stream = streamOfContexts();
  const response = new Response(stream);
  keepContext(response, context);
  await setImmediate();
  expect(await inReadingContext(stream, () => response.text())).toBe('of the request of the request ');
});

it('reads a stream without a context as it is', async () => {
  expect(await read(readerOf(streamOfContexts()))).toBe('elsewhere elsewhere ');
});
