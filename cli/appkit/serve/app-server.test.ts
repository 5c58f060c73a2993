import { once } from 'node:events';
import { Agent, request as httpRequest } from 'node:http';
import type { IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import { expect, it, onTestFinished, vi } from 'vitest';
import { createTemporaryApp } from '../fixtures/temporary-app.ts';
import { createAppServer } from './app-server.ts';

it('answers the last request of a connection that looked idle, and closes it', async () => {
  await using app = await createTemporaryApp({ 'dist/client/index.html': 'home' });
  const client = path.join(app.folder, 'dist/client');
  const { server, close } = await createAppServer({ root: app.folder, client }, { work: false });
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const { port } = server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  onTestFinished(() => agent.destroy());
  const ask = async (): Promise<unknown> => {
    const [answer] = (await once(httpRequest({ port, agent }).end(), 'response')) as [IncomingMessage];
    return [await text(answer), answer.headers.connection];
  };
  expect(await ask()).toEqual(['home', 'keep-alive']);
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const closed = close(600_000);
  expect(await ask()).toEqual(['home', 'close']);
  await expect(ask()).rejects.toThrow('ECONNREFUSED');
  vi.runAllTimers();
  await closed;
});
