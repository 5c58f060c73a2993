import { expect, it, vi } from 'vitest';

it('knows of a body, and of who holds its stream, what the adapter has registered', async () => {
  // The registered functions are those of the process.
  vi.resetModules();
  const { isTaken, offerHasBody, offerMayBeTaken, surelyHasBody } = await import('./quick-response.ts');
  const held = new Response('x');
  held.body?.getReader();
  expect([surelyHasBody(held), isTaken(held)]).toEqual([false, false]);
  offerHasBody((response) => response === held);
  offerMayBeTaken(() => true);
  const free = new Response('x');
  expect([held, free].map((response) => [surelyHasBody(response), isTaken(response)])).toEqual([
    [true, true],
    [false, false],
  ]);
});
