/**
 * Shows one failure in bytes: `node reproduce.mjs <script of reproductions/> <server>`. Starts the server with the
 * script's handler, sends the script's request over a socket, and prints the response. Exits with 1 when that is not
 * the expected response.
 */
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import { argv, exit } from 'node:process';
import { setTimeout as delay } from 'node:timers/promises';

const WAIT_MS = 1_500;
// A script may make the handler fail intentionally.
process.on('unhandledRejection', () => {});

const [, , script, name] = argv;
const { fetch, send, expected, isRight, leavesAfterMs, heard } = await import(`../reproductions/${script}.mjs`);
const { serve } = await import(`./${name}.mjs`);

const port = await freePort();
await serve(fetch, port);
const socket = await connected(port);
let received = '';
socket.setEncoding('latin1').on('data', (text) => (received += text));
socket.write(send, 'latin1');
if (leavesAfterMs === undefined) {
  await Promise.race([once(socket, 'close').catch(() => {}), delay(WAIT_MS)]);
} else {
  await delay(leavesAfterMs);
  socket.destroy();
  received = await heard;
}

console.log(`sent:\n${indent(send)}\nexpected: ${expected}\nreceived:\n${indent(received) || '  nothing'}`);
exit(isRight(received) ? 0 : 1);

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address();
  server.close();
  await once(server, 'close');
  return port;
}

async function connected(port) {
  for (let attempt = 0; ; attempt++) {
    const socket = connect(port, '127.0.0.1');
    try {
      await once(socket, 'connect');
      return socket.on('error', () => {});
    } catch (error) {
      if (attempt === 100) throw error;
      await delay(20);
    }
  }
}

function indent(text) {
  return text.replaceAll(/^(?=.)/gm, '  ');
}
