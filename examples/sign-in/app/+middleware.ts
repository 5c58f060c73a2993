import { setResponseHeaders, StatusError } from 'appkit-server';
import { appOrigin } from '../server/settings.ts';

/**
 * Runs before every route. What changes something must come from a page of this app: a browser says in `Origin` where a
 * request comes from, and no page can write that header itself.
 */
export default function middleware(request: Request): void {
  setResponseHeaders({ 'cache-control': 'no-store' });
  if (request.method === 'GET' || request.method === 'HEAD') return;
  if (request.headers.get('origin') !== appOrigin(request))
    throw new StatusError(403, `Only pages of ${appOrigin(request)} may do this.`);
}
