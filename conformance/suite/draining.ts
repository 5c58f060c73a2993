import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

behaviour(
  'tells a readiness probe that it drains, and answers until it closes',
  { source: 'docs/guide/operations.md', needs: 'shutdown' },
  async (host) => {
    await using server = await host.start();
    expect(await (await server.fetch('/draining')).text()).toBe('ready');
    const stopped = server.stop();
    while ((await server.fetch('/draining')).status !== 503) continue;
    expect((await server.fetch('/hello')).status).toBe(200);
    expect((await stopped).code).toBe(0);
  },
);
