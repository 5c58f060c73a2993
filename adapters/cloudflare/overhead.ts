import type { CreateCalls } from '../../bench/overhead/host-calls.ts';

/** What the benchmark compares: the adapter, and a minimal handler for this host. */
export const createCalls: CreateCalls = async ({ loadBuild, newRequest, routeCaller }) => {
  const { createRequestHandler } = await import('appkit-server/adapter/cloudflare');
  const handler = createRequestHandler({ build: loadBuild() as never }); // written by the export
  const context = { waitUntil() {} } as never; // all of it that is used
  return { ours: async () => (await handler.fetch(newRequest(), {}, context)).text(), bare: routeCaller() };
};
