import type { CreateCalls } from '../../bench/overhead/host-calls.ts';

/** What the benchmark compares: the adapter, and a minimal handler for this host. */
export const createCalls: CreateCalls = async ({ build, headers, exchange }) => {
  const { createRequestHandler } = await import('appkit-server/adapter/vercel');
  const handler = createRequestHandler({ build });
  return {
    ours: () => exchange('/text', headers, (request, response) => handler(request as never, response as never)),
    bare: () =>
      exchange('/text', headers, (_request, response) => {
        response.writeHead(200, { 'content-type': 'text/plain;charset=UTF-8', 'content-length': 13 });
        response.end('Hello, world!');
      }),
  };
};
