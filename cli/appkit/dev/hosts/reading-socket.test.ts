import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { expect, it, onTestFinished } from 'vitest';
import { ReadingSocket } from './reading-socket.ts';

/** A server in a thread of its own. When told to, it answers a connection from which it has read nothing, and closes. */
const SERVER = `
const { createServer } = require('node:net');
const { parentPort, workerData } = require('node:worker_threads');
const server = createServer({ pauseOnConnect: true }, (socket) => {
  Atomics.wait(workerData, 0, 0);
  socket.write('the answer', () => {
    socket.resetAndDestroy();
    Atomics.store(workerData, 0, 2);
    Atomics.notify(workerData, 0);
  });
});
server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));
`;

it('reads what was sent before a write fails', async () => {
  const state = new Int32Array(new SharedArrayBuffer(4));
  const server = new Worker(SERVER, { eval: true, workerData: state });
  onTestFinished(async () => void (await server.terminate()));
  const [port] = (await once(server, 'message')) as [number];
  const socket = new ReadingSocket().connect(port, '127.0.0.1');
  let answer = '';
  socket.setEncoding('utf8').on('data', (text: string) => (answer += text));
  await once(socket, 'connect');
  socket.once('error', () => undefined); // reading may end with ECONNRESET

  Atomics.store(state, 0, 1);
  Atomics.notify(state, 0);
  Atomics.wait(state, 0, 1); // blocks this thread, so that the answer and the end have arrived before the write
  socket.write('a body');
  socket.write('that nobody reads');
  await once(socket, 'close');
  expect(answer).toBe('the answer');
});
