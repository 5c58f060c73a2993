import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

const from = { source: 'docs/decisions/006-bindings-of-a-worker.md', extra: 'bindings' } as const;

behaviour('gives a route the bindings of the Worker', from, async (host) => {
  await using server = await host.start({ env: { CONFORMANCE_SECRET: 'a secret' } });
  const response = await server.fetch('/bindings', { method: 'POST', body: 'kept' });
  expect(await response.json()).toEqual({ secret: 'a secret', stored: 'kept' });
});
