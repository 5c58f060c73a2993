import { createRequestHandler } from 'appkit-server/adapter/bun';

const handler = createRequestHandler({ build: 'dist/server' });

Bun.serve({ fetch: handler });
Bun.serve({ fetch: (request, server) => handler(request, server) });

// @ts-expect-error -- Bun.serve expects a Response, not the result of drain()
Bun.serve({ fetch: handler.drain });
