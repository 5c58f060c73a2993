import { setResponseHeaders } from 'appkit-server';
import { query } from '../../lib/query.ts';

/** Passes another server's answer on; its headers are immutable. */
export function GET(request: Request): Promise<Response> {
  setResponseHeaders({ 'x-added': 'yes' });
  return fetch(query(request, 'url'));
}
