import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';
import { withVariables } from '../configurations.ts';

const from = { source: 'docs/decisions/006-bindings-of-a-worker.md', extra: 'bindings' } as const;

behaviour('gives a route the bindings of the Worker', from, async (host) => {
  const server = await host.configured(withVariables);
  const response = await server.fetch('/bindings', { method: 'POST', body: 'kept' });
  expect(await response.json()).toEqual({ secret: 'a secret', stored: 'kept' });
});
