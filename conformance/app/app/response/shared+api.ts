import { setResponseHeaders } from 'appkit-server';

const forbidden = new Response(null, { status: 403, headers: { 'x-shared': 'yes' } });

/** Returns the same Response to every caller; headers added for one must not reach the next. */
export function GET(request: Request): Response {
  const name = new URL(request.url).searchParams.get('name');
  if (name !== null) setResponseHeaders({ 'x-name': name });
  return forbidden;
}
