import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { ClientRequest, IncomingMessage } from 'node:http';
import { connect } from 'node:http2';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished } from 'vitest';

it('tells the clients of Node that their connections end with the answers that it still gives', async () => {
  const server = await startServer('node:http');
  const held = await startRequest(`${server.url}/held`);
  await server.stop();
  const answer = once(held.end('done'), 'response');
  const [{ headers }] = (await answer) as [IncomingMessage];
  expect(headers.connection).toBe('close');
  expect(await server.exited).toEqual([0, null]);
});

it('closes a connection of Node after an answer that had begun before, while others go on', async () => {
  const server = await startServer('node:http');
  const held = await startRequest(`${server.url}/held`);
  const streamed = await startRequest(`${server.url}/streamed`);
  streamed.write('begun');
  const [answer] = (await once(streamed, 'response')) as [IncomingMessage];
  expect(answer.headers.connection).toBe('keep-alive');
  await server.stop();
  const closed = once(answer.socket, 'close');
  streamed.end();
  expect(await text(answer)).toBe('begun');
  await closed;
  const last = once(held.end('done'), 'response');
  expect(await text(((await last) as [IncomingMessage])[0])).toBe('done');
  expect(await server.exited).toEqual([0, null]);
});

it.each(['/', '/at-once'])(
  'answers the last request of a connection of Node that looked idle, and closes it (%s)',
  async (path) => {
    const server = await startServer('node:http', { isHeld: true });
    const agent = new Agent({ keepAlive: true, maxSockets: 1 });
    onTestFinished(() => agent.destroy());
    const ask = async (): Promise<unknown> => {
      const [answer] = (await once(
        httpRequest(server.url + path, { agent, method: 'POST' }).end('sent'),
        'response',
      )) as [IncomingMessage];
      return [await text(answer), answer.headers.connection];
    };
    expect(await ask()).toEqual(['sent', 'keep-alive']);
    await server.stop();
    expect(await ask()).toEqual(['sent', 'close']);
    await expect(ask()).rejects.toThrow('ECONNREFUSED');
    expect(await server.exited).toEqual([0, null]);
  },
);

it('waits for no last requests without connections', async () => {
  const server = await startServer('node:http', { isHeld: true });
  await server.stop();
  expect(await server.exited).toEqual([0, null]);
});

it('takes no further request in a session of HTTP/2, and finishes those that it has', async () => {
  const server = await startServer('node:http2');
  const session = connect(server.url);
  const held = session.request({ ':path': '/held', ':method': 'POST', expect: '100-continue' });
  await once(held, 'continue');
  const ending = Promise.race([
    once(session, 'goaway').then(() => 'goaway'),
    server.exited.then(() => 'the server has ended'),
  ]);
  await server.stop();
  expect(await ending).toBe('goaway');
  held.end('done');
  expect(await text(held)).toBe('done');
  expect(await server.exited).toEqual([0, null]);
});

/**
 * A server that answers `/streamed` while the request arrives, `/at-once` before it does, and everything else once it has arrived. `isHeld`: it waits for last
 * requests for as long as there are connections.
 */
async function startServer(
  module: 'node:http' | 'node:http2',
  { isHeld = false }: { isHeld?: boolean } = {},
): Promise<{
  url: string;
  /** Tells it to stop. Resolves once it has noticed. */
  stop(): Promise<void>;
  exited: Promise<unknown>;
}> {
  const script = `
    import { createServer } from '${module}';
    import { text } from 'node:stream/consumers';
    import { stopOnSignal } from ${JSON.stringify(new URL('index.ts', import.meta.url))};
    const server = createServer((request, response) => {
      if (request.url === '/streamed') request.pipe(response);
      else if (request.url === '/at-once') response.end('sent');
      else void text(request).then((body) => response.end(body));
    });
    server.keepAliveTimeout = 0; // for ever
    server.listen(0, '127.0.0.1', () => console.log(server.address().port));
    stopOnSignal(server, { drain: async () => {} });
    const { setTimeout } = globalThis;
    if (${isHeld}) {
      globalThis.setTimeout = (run, ms) => setTimeout(run, ms < 10_000 ? 1_000_000 : ms);
    }
    const { close } = server;
    server.close = (...rest) => {
      console.log('stopping');
      return close.apply(server, rest);
    };`;
  const child = spawn(process.execPath, ['--input-type=module', '--eval', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const [port] = (await once(child.stdout, 'data')) as [Buffer];
  return {
    url: `http://127.0.0.1:${String(port).trim()}`,
    exited: once(child, 'exit'),
    async stop() {
      child.kill('SIGTERM');
      await once(child.stdout, 'data');
    },
  };
}

/** Begins a request on a connection to keep. Resolves once the server knows of it. */
async function startRequest(url: string): Promise<ClientRequest> {
  const agent = new Agent({ keepAlive: true });
  onTestFinished(() => agent.destroy());
  const request = httpRequest(url, { agent, method: 'POST', headers: { expect: '100-continue' } });
  request.flushHeaders();
  await once(request, 'continue');
  return request;
}
