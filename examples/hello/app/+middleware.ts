import { setResponseHeaders, StatusError } from 'appkit-server';
import type { MiddlewareConfig } from 'appkit-server';
import { readSession } from '../server/session.ts';

/** Runs for these paths only, however they are written: /admin/audit/ is as protected as /admin/audit. */
export const config: MiddlewareConfig = { matcher: { patterns: ['/admin', '/admin/[...rest]'] } };

/** Returning nothing lets a request through to its route. */
export default function middleware(request: Request): void {
  setResponseHeaders({ 'cache-control': 'no-store' });
  if (!readSession(request)) throw new StatusError(401, 'Sign in first: POST /session.');
}
