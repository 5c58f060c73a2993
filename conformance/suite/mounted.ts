import { expect } from '../generic/expect.ts';
import { behaviour } from '../behaviour.ts';

behaviour(
  'leaves the framework that it is mounted in its own routes',
  { source: 'docs/guide/mounting.md', extra: 'mounted' },
  async (host) => {
    const own = await host.fetch('/own');
    expect([own.status, await own.text()]).toEqual([200, expect.stringMatching(/^a route of /)]);
    expect((await host.fetch('/owner')).status).toBe(404);
  },
);
