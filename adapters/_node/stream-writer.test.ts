import { once } from 'node:events';
import http from 'node:http';
import type { ServerResponse } from 'node:http';
import { expect, it, vi } from 'vitest';
import { connect, listen } from './node-exchange.cases.ts';
import { StreamWriter } from './stream-writer.ts';

const KIB = 1024;

/** A response to a client that reads nothing until `resume()`. */
async function open(): Promise<{ nodeResponse: ServerResponse; socket: ReturnType<typeof connect> }> {
  const server = http.createServer();
  const port = await listen(server);
  const socket = connect(port, 'GET / HTTP/1.1\r\nHost: a.test\r\n\r\n');
  const [, nodeResponse] = (await once(server, 'request')) as [unknown, ServerResponse];
  return { nodeResponse, socket };
}

/** Whether a write is over before the next tick, and so before Node has sent anything. */
function stateOf(writing: Promise<void>): Promise<'over' | 'waiting'> {
  const tick = new Promise<'waiting'>((resolve) => process.nextTick(resolve, 'waiting'));
  return Promise.race([writing.then(() => 'over' as const), tick]);
}

it('lets some bytes wait for the client, and no more', async () => {
  const { nodeResponse, socket } = await open();
  const writer = new StreamWriter(nodeResponse);
  const write = (): Promise<void> => writer.write(new Uint8Array(100 * KIB));
  expect(await stateOf(write())).toBe('over');
  expect(await stateOf(write())).toBe('over');
  expect(nodeResponse.writableNeedDrain).toBe(true);
  const third = write();
  expect(await stateOf(third)).toBe('waiting');
  socket.resume();
  await third;
});

it('ends the wait when the client leaves', async () => {
  const { nodeResponse, socket } = await open();
  const closed = once(nodeResponse, 'close');
  // More than the buffers of both sides hold, so that nothing else ends the wait.
  const waiting = new StreamWriter(nodeResponse).write(new Uint8Array(64 * 1024 * KIB));
  socket.destroy();
  await closed;
  await waiting;
});

it('waits any number of times without a warning about listeners', async () => {
  const warn = vi.spyOn(process, 'emitWarning');
  const { nodeResponse, socket } = await open();
  socket.resume();
  const writer = new StreamWriter(nodeResponse);
  for (let count = 0; count < 12; count++) await writer.write(new Uint8Array(300 * KIB));
  expect(warn.mock.calls.filter(([warning]) => String(warning).includes('MaxListeners'))).toEqual([]);
  warn.mockRestore();
});
