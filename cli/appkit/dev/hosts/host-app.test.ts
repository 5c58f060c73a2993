import { once } from 'node:events';
import { createServer } from 'node:http';
import type { RequestListener, Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { writeFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import path from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { describeApp } from 'appkit-build/development';
import type { ViteDevServer } from 'vite';
import { afterEach, beforeEach, expect, it, onTestFinished, vi } from 'vitest';
import { createTemporaryApp } from '../../fixtures/temporary-app.ts';
import type { TemporaryApp } from '../../fixtures/temporary-app.ts';
import { createHostApp } from './host-app.ts';
import type { HostApp } from './host-app.ts';
import type { RunningBuild } from './host-runner.ts';

/** A process that a host has started, as far as its app knows it. */
interface Started {
  server: Server;
  isReleased: boolean;
  /** Ends as when code of the app ends the process. */
  end(): Promise<void>;
}

let app: TemporaryApp;
let hostApp: HostApp;
let started: Started[];
let listener: RequestListener;

beforeEach(async () => {
  app = await createTemporaryApp({
    'package.json': '{ "name": "shop", "type": "module" }',
    'app.json': '{ "web": { "output": "server" } }',
    'app/a+api.ts': 'export const GET = () => new Response("0");',
  });
  started = [];
  listener = (request, response) => request.pipe(response);
  hostApp = createHostApp({
    projectRoot: app.folder,
    mark: 'mark',
    isSecure: false,
    createRunner: () => ({
      name: 'bun',
      configFiles: [],
      forgetConfig: () => undefined,
      run: start,
      close: async () => undefined,
    }),
    vite: () =>
      ({
        config: { env: {} },
        environments: { ssr: { config: { define: {} }, pluginContainer: { resolveId: async () => null } } },
      }) as unknown as ViteDevServer, // what the app reads of it
    answerError: (_, __, response) => response.writeHead(500).end(),
    onError: () => undefined,
  });
});

afterEach(async () => {
  await hostApp.close();
  for (const { server } of started) {
    server.closeAllConnections();
    server.close();
  }
  await app[Symbol.asyncDispose]();
});

async function start(): Promise<RunningBuild> {
  const server = createServer((request, response) => listener(request, response)).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const gone = Promise.withResolvers<void>();
  let hasEnded = false;
  const process: Started = {
    server,
    isReleased: false,
    async end() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
      hasEnded = true;
      gone.resolve();
    },
  };
  started.push(process);
  return {
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    root: app.folder,
    hasEnded: () => hasEnded,
    release: () => (process.isReleased = true),
    jobs: { pause: async () => undefined, ended: gone.promise },
  };
}

/** Saves another version of the app, and runs it. */
async function update(version: number): Promise<void> {
  const file = path.join(app.folder, 'app/a+api.ts');
  await writeFile(file, `export const GET = () => new Response("${version}");`);
  hostApp.hold();
  const description = await describeApp({ projectRoot: app.folder });
  await hostApp.update({ description, pages: {} }, new Set([file]));
}

function collectGarbage(): void {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
}

/** More than buffers and connections hold. */
const LARGE = Buffer.alloc(2 ** 24, 'large');

function post(body: string): Request {
  return new Request('http://localhost/a', { method: 'POST', body });
}

it('releases a replaced process only when a request of code in this process is over', async () => {
  let answer = (): void => undefined;
  listener = (_, response) => {
    response.write('begun');
    answer = () => void response.end(', ended');
  };
  await update(1);
  const response = await hostApp.fetch(post('x'));
  await update(2);
  expect(started.map(({ isReleased }) => isReleased)).toEqual([false, false]);
  answer();
  expect(await response.text()).toBe('begun, ended');
  await vi.waitFor(() => expect(started.map(({ isReleased }) => isReleased)).toEqual([true, false]));
});

it('releases a replaced process whose large answer nobody reads', async () => {
  listener = (_, response) => void response.end(LARGE);
  await update(1);
  const read = await hostApp.fetch(post('x'));
  expect((await hostApp.fetch(post('x'))).ok).toBe(true);
  await update(2);
  expect((await hostApp.fetch(post('x'))).ok).toBe(true);
  await update(3);
  await vi.waitFor(() => {
    collectGarbage();
    expect(started.map(({ isReleased }) => isReleased)).toEqual([false, true, false]);
  });
  // Nothing is lost for whoever does read one.
  expect(Buffer.from(await read.arrayBuffer()).equals(LARGE)).toBe(true);
  await vi.waitFor(() => expect(started.map(({ isReleased }) => isReleased)).toEqual([true, true, false]));
});

it('releases a replaced process after five seconds if nobody has begun to read a large answer', async () => {
  listener = (_, response) => void response.end(LARGE);
  await update(1);
  const unread = await hostApp.fetch(post('x'));
  const begun = await hostApp.fetch(post('x'));
  const reader = (begun.body as ReadableStream<Uint8Array>).getReader(); // it has a body
  await reader.read();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await update(2);
  vi.advanceTimersByTime(5000);
  await expect(unread.text()).rejects.toThrow('nobody has read this answer for 5 seconds.');
  expect(started.map(({ isReleased }) => isReleased)).toEqual([false, false]);
  while (!(await reader.read()).done);
  await vi.waitFor(() => expect(started.map(({ isReleased }) => isReleased)).toEqual([true, false]));
});

it('reports an answer that breaks off to whoever reads it', async () => {
  listener = (_, response) => void response.write('begun', () => response.destroy());
  await update(1);
  // If nobody reads one, its failure ends nothing else.
  await hostApp.fetch(post('x'));
  await expect((await hostApp.fetch(post('x'))).text()).rejects.toThrow('aborted');
});

it('sends a request of code in this process once more, with its body, if the process has just ended', async () => {
  await update(1);
  const { server } = started[0] as Started;
  // Nobody has heard of its end yet.
  server.close();
  await once(server, 'close');
  expect(await (await hostApp.fetch(post('hello'))).text()).toBe('hello');
  expect(started).toHaveLength(2);
});

it('rejects an aborted request of code in this process, and goes on', async () => {
  await update(1);
  const signal = AbortSignal.abort(new Error('no longer wanted'));
  await expect(hostApp.fetch(new Request('http://localhost/a', { signal }))).rejects.toThrow();
  expect(await (await hostApp.fetch(post('hello'))).text()).toBe('hello');
  expect(started).toHaveLength(1);
});

it('does not send a request of code in this process again that a process has accepted', async () => {
  let requests = 0;
  listener = (request) => {
    requests++;
    request.socket.destroy();
  };
  await update(1);
  await expect(hostApp.fetch(post('x'))).rejects.toThrow('socket hang up');
  expect([requests, started.length]).toEqual([1, 1]);
});

it('sends a request of code in this process no third time', async () => {
  await update(1);
  const refuse = function (this: Socket): Socket {
    return this.destroy(Object.assign(new Error('refused'), { code: 'ECONNREFUSED' }));
  };
  // What is started again has ended, too.
  const connect = vi.spyOn(Socket.prototype, 'connect').mockImplementationOnce(refuse).mockImplementationOnce(refuse);
  onTestFinished(() => connect.mockRestore());
  await expect(hostApp.fetch(post('x'))).rejects.toThrow('refused');
  expect(started).toHaveLength(2);
});

it('starts a process with jobs again that has ended, three times in a row, and then once a request comes', async () => {
  const printed = vi.spyOn(console, 'error').mockImplementation(() => undefined);
  onTestFinished(() => printed.mockRestore());
  await update(1);
  for (const count of [2, 3, 4]) {
    await started.at(-1)?.end();
    await vi.waitFor(() => expect(started).toHaveLength(count));
  }
  await started.at(-1)?.end();
  await vi.waitFor(() => expect(printed).toHaveBeenCalledTimes(4));
  expect(printed).toHaveBeenLastCalledWith(expect.stringContaining('ends bun again and again.'));
  expect(started).toHaveLength(4);
  // The request begins another row.
  expect(await (await hostApp.fetch(post('hello'))).text()).toBe('hello');
  expect(started).toHaveLength(5);
  await started.at(-1)?.end();
  await vi.waitFor(() => expect(started).toHaveLength(6));
});

it('releases a replaced process whose answer begins later, and is kept unread', async () => {
  const asked = Promise.withResolvers<() => void>();
  listener = (_, response) => asked.resolve(() => void response.end(LARGE));
  await update(1);
  const answering = hostApp.fetch(post('x'));
  const answer = await asked.promise;
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  await update(2);
  vi.advanceTimersByTime(6000);
  answer();
  const kept = await answering;
  vi.advanceTimersByTime(10_000);
  vi.useRealTimers();
  await vi.waitFor(() => expect(started.map(({ isReleased }) => isReleased)).toEqual([true, false]));
  expect(kept.ok).toBe(true);
});
