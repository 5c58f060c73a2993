import type { Context, Handler, NetlifyFunction } from '@netlify/functions';
import { createIsFile, createRequestHandler } from 'appkit-server/adapter/netlify';

const handler = createRequestHandler({ build: 'dist/server' });

export const called: (request: Request, context: Context) => Promise<Response> = handler;
export const asObject: NetlifyFunction = { fetch: handler, config: { path: '/*', preferStatic: true } };

// @ts-expect-error -- the older functions are called with an event
export const older: Handler = handler;

const isFile = createIsFile({ files: { 'robots.txt': {} } });
export const edge = (request: Request, context: EdgeContext): Promise<Response> | undefined =>
  isFile(request) ? undefined : handler(request, context);

/** What the adapter reads from the context of an edge function: https://docs.netlify.com/build/edge-functions/api/ */
interface EdgeContext {
  ip: string;
  requestId: string;
  deploy: { context: string; id: string; published: boolean };
  waitUntil(promise: Promise<unknown>): void;
}
