import { getEventListeners } from 'node:events';
import { expect, it, vi } from 'vitest';
import { startAnsweringServer } from './fixtures/answering-server.ts';
import { send } from './send.ts';

it('listens to its time limit only until the answer: Deno would otherwise run until then', async () => {
  await using server = await startAnsweringServer();
  const limit = new AbortController();
  const timeout = vi.spyOn(AbortSignal, 'timeout').mockReturnValue(limit.signal);
  const listeners = (): number => getEventListeners(limit.signal, 'abort').length;
  const during: number[] = [];
  server.answer = (_, response) => {
    during.push(listeners());
    response.end('done');
  };
  const { text } = await send(server.origin, { method: 'GET', headers: {}, endpoint: 'test' });
  timeout.mockRestore();
  expect([text, during, listeners()]).toEqual(['done', [1], 0]);
});
