import type { Context, Handler, NetlifyFunction } from '@netlify/functions';
import { createRequestHandler } from 'appkit-server/adapter/netlify';

const handler = createRequestHandler({ build: 'dist/server' });

export const called: (request: Request, context: Context) => Promise<Response> = handler;
export const asObject: NetlifyFunction = { fetch: handler, config: { path: '/*', preferStatic: true } };

// @ts-expect-error -- the older functions are called with an event
export const older: Handler = handler;
