import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import type { Server } from '../generic/server.ts';

async function answersWhileDraining(server: Server): Promise<true> {
  while ((await server.fetch('/draining')).status !== 503) continue;
  expect((await server.fetch('/hello')).status).toBe(200);
  return true;
}

behaviour(
  'tells a readiness probe that it drains, and answers until it closes',
  { source: 'docs/guide/operations.md', needs: 'shutdown' },
  async (host) => {
    // It closes after three seconds: whoever is slower asks another server.
    for (let left = 3; ; left--) {
      await using server = await host.start();
      expect(await (await server.fetch('/draining')).text()).toBe('ready');
      const stopped = server.stop();
      const answered = await answersWhileDraining(server).catch((error: unknown) => error);
      expect((await stopped).code).toBe(0);
      if (answered === true) return;
      if (left === 0) throw answered;
    }
  },
);
