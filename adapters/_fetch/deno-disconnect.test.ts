import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { installLocked } from '../../conformance/install-locked.ts';

const root = path.resolve(import.meta.dirname, '../..');

const SERVER = `
import { createRequestHandler } from 'appkit-server/adapter/deno';
import { createRequestHandler as createWebHandler } from 'appkit-server/adapter/web';

const ways = {
  '/text': (request) => request.text(),
  '/reader': (request) => readAll(request.body.getReader()),
  '/fails': () => Promise.reject(new Error('the route fails')),
};
async function readAll(reader) {
  while (!(await reader.read()).done);
}
const options = {
  onError: (error) => console.log('onError: ' + error.message),
  async fetch(request) {
    try {
      const read = ways[new URL(request.url).pathname](request);
      console.log('begun');
      await read;
      return new Response('whole');
    } finally {
      console.log('ended');
    }
  },
};
const handlers = { deno: createRequestHandler(options), web: createWebHandler(options).fetch };
Deno.serve({ port: 0, hostname: '127.0.0.1', onListen: ({ port }) => console.log(port) }, (request, info) =>
  handlers[request.headers.get('host')](request, info),
);
`;

let port: number;
let lines: AsyncIterator<string>;
const ended: (() => Promise<unknown>)[] = [];

beforeAll(async () => {
  const tools = path.join(root, '.cache/tools/deno/tools');
  await installLocked(path.join(import.meta.dirname, '../deno/tools'), tools);
  const folder = await mkdtemp(path.join(root, '.cache/disconnect-'));
  ended.push(() => rm(folder, { recursive: true }));
  await writeFile(path.join(folder, 'server.mjs'), SERVER);
  await writeFile(
    path.join(folder, 'deno.json'),
    JSON.stringify({ nodeModulesDir: 'manual', unstable: ['no-legacy-abort'] }),
  );
  const server = spawn(path.join(tools, 'node_modules/.bin/deno'), ['run', '-A', '--no-remote', 'server.mjs'], {
    cwd: folder,
    env: { ...process.env, DENO_NO_UPDATE_CHECK: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  ended.unshift(async () => server.kill('SIGKILL'));
  lines = createInterface(server.stdout)[Symbol.asyncIterator]();
  port = Number((await lines.next()).value);
});

afterAll(async () => {
  for (const end of ended) await end();
});

/** Sends half of a body and leaves. Returns what the server prints from then on, up to the failure of another route. */
async function printedAfter(
  way: string,
  leave: (socket: Socket) => unknown,
  adapter = 'deno',
  half = 'Content-Length: 9\r\n\r\nhalf',
): Promise<string[]> {
  const socket = connect(port, '127.0.0.1').on('error', () => {});
  socket.write(`POST ${way} HTTP/1.1\r\nHost: ${adapter}\r\n${half}`);
  expect((await lines.next()).value).toBe('begun');
  leave(socket);
  await once(socket, 'close');
  expect((await lines.next()).value).toBe('ended');
  connect(port, '127.0.0.1').write(`GET /fails HTTP/1.1\r\nHost: ${adapter}\r\nConnection: close\r\n\r\n`);
  const printed: string[] = [];
  do printed.push((await lines.next()).value as string);
  while (printed.at(-1) !== 'onError: the route fails');
  return printed;
}

const REST = ['begun', 'ended', 'onError: the route fails'];

it('tells onError nothing of a client that closes its connection while a body is read as text', async () => {
  expect(await printedAfter('/text', (socket) => socket.destroy())).toEqual(REST);
});

it('tells onError nothing of a client that resets its connection while a body is read as text', async () => {
  expect(await printedAfter('/text', (socket) => socket.resetAndDestroy())).toEqual(REST);
});

it('tells onError nothing of a client that closes its connection while a body is read in parts', async () => {
  expect(await printedAfter('/reader', (socket) => socket.destroy())).toEqual(REST);
});

it('tells onError nothing of a client that resets its connection while a body is read in parts', async () => {
  expect(await printedAfter('/reader', (socket) => socket.resetAndDestroy())).toEqual(REST);
});

it('tells onError nothing of a client that closes its connection to the adapter for any host', async () => {
  expect(await printedAfter('/text', (socket) => socket.destroy(), 'web')).toEqual(REST);
});

it('tells onError nothing of a client that resets its connection to the adapter for any host', async () => {
  expect(await printedAfter('/reader', (socket) => socket.resetAndDestroy(), 'web')).toEqual(REST);
});

it('tells onError nothing of a client that sends a malformed chunk while a body is read as text', async () => {
  expect(await printedAfter('/text', sendMalformed, 'deno', CHUNK)).toEqual(REST);
});

it('tells onError nothing of a client that sends a malformed chunk while a body is read in parts', async () => {
  expect(await printedAfter('/reader', sendMalformed, 'deno', CHUNK)).toEqual(REST);
});

const CHUNK = 'Transfer-Encoding: chunked\r\n\r\n4\r\nhalf\r\n';

function sendMalformed(socket: Socket): void {
  socket.resume().write('no length\r\n');
}
