import type { CreateCalls } from '../../bench/overhead/host-calls.ts';

/** What the benchmark compares: the adapter, and a minimal handler for this host. */
export const createCalls: CreateCalls = async ({ build, newRequest, routeCaller }) => {
  const { createRequestHandler } = await import('appkit-server/adapter/netlify');
  const handler = createRequestHandler({ build });
  return { ours: async () => (await handler(newRequest(), undefined as never)).text(), bare: routeCaller() };
};
