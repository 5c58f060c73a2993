import { expect, it } from 'vitest';
import { handlerOf } from '../runtime/fixtures/app.ts';
import { filesIn, importSample } from './guide-samples.ts';

interface Sample {
  events: Record<string, unknown>;
  orders: { placeOrder(text: string): void };
}

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
  const reader = (body as ReadableStream<Uint8Array>).pipeThrough(new TextDecoderStream()).getReader(); // it has one
  const read = async (): Promise<string | undefined> => (await reader.read()).value;
  expect(await read()).toBe(':\n\n');
  expect(await read()).toBe('event: order\nid: 2\ndata: {"id":2,"text":"two"}\n\n');
  const next = read();
  orders.placeOrder('three');
  expect(await next).toBe('event: order\nid: 3\ndata: {"id":3,"text":"three"}\n\n');
  await reader.cancel();
  expect(errors).toEqual([]);
});
