import { createRequestHandler } from 'appkit-server/adapter/deno';

const handler = createRequestHandler({ build: 'dist/server' });

export const serveHandler: Deno.ServeHandler = handler;
Deno.serve(handler);
Deno.serve({ port: 3000 }, (request, info) => handler(request, info));

// @ts-expect-error -- Deno.serve expects a Response, not the result of drain()
Deno.serve(handler.drain);
