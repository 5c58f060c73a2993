import { expect, it } from 'vitest';
import { handlerOf } from '../runtime/fixtures/app.ts';
import { filesIn, importSample } from './guide-samples.ts';

interface Sample {
  events: Record<string, unknown>;
  orders: { placeOrder(text: string): void };
}

it('the route of the guide sends a file while it is made, and its generator returns when the client leaves', async () => {
  const files = filesIn('docs/guide/streams.md');
  files.set('app.ts', "export * as orders from './app/orders.csv+api.ts';\nexport * from './lib/to-body.ts';\n");
  interface Csv {
    orders: Record<string, unknown>;
    toBody(texts: AsyncGenerator<string>): ReadableStream<Uint8Array>;
  }
  const { orders, toBody } = await importSample<Csv>(files, 'app.ts', {});
  const app = handlerOf({ routes: { '/': orders } });
  const text = await (await app(new Request('http://app.test/'))).text();
  expect(text).toMatch(/^id,number\r\n1,order-1\r\n/);
  expect(text).toMatch(/\r\n100000,order-100000\r\n$/);

  let isOver = false;
  async function* source(): AsyncGenerator<string> {
    try {
      yield 'first';
      yield 'second';
    } finally {
      isOver = true;
    }
  }
  const reader = toBody(source()).getReader();
  await reader.read();
  await reader.cancel();
  expect(isOver).toBe(true);
});

it('the route of the guide sends the orders that a client has missed, and each new one', async () => {
  const files = filesIn('docs/guide/streams.md');
  const entry = "export * as events from './app/orders/events+api.ts';\nexport * as orders from './lib/orders.ts';\n";
  files.set('app.ts', entry);
  const { events, orders } = await importSample<Sample>(files, 'app.ts', {});
  const errors: unknown[] = [];
  const app = handlerOf({ routes: { '/': events } }, { onError: (error) => void errors.push(error) });
  orders.placeOrder('one');
  orders.placeOrder('two');

  const { body } = await app(new Request('http://app.test/', { headers: { 'last-event-id': '1' } }));
  const reader = (body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(new TextDecoderStream()).getReader(); // it has one
  const read = async (): Promise<string | undefined> => (await reader.read()).value;
  expect(await read()).toBe(':\n\n');
  expect(await read()).toBe('event: order\nid: 2\ndata: {"id":2,"text":"two"}\n\n');
  const next = read();
  orders.placeOrder('three');
  expect(await next).toBe('event: order\nid: 3\ndata: {"id":3,"text":"three"}\n\n');
  await reader.cancel();
  expect(errors).toEqual([]);
});
