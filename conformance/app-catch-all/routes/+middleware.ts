import { origin, setResponseHeaders } from 'appkit-server';
import { spanBelow } from '../lib/telemetry.ts';

export const unstable_settings = { matcher: { methods: ['GET', 'POST'] } };

/** Runs for every path. */
export default function middleware(request: Request): void {
  if (request.url.includes('/traced/')) spanBelow('middleware');
  setResponseHeaders({ 'x-middleware-url': request.url, 'x-middleware-origin': String(origin()) });
}
