import { createServer } from 'node:http';
import type { RequestListener } from 'node:http';
import { createServer as createHttp2Server } from 'node:http2';
import { createRequestHandler } from 'appkit-server/adapter/node';

const handler = createRequestHandler({ build: 'dist/server' });

export const listener: RequestListener = handler;
createServer(handler);
createHttp2Server(handler);

// @ts-expect-error -- a listener receives a response too
export const withoutResponse: (request: Parameters<RequestListener>[0]) => void = handler;
