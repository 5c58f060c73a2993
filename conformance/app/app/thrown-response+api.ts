import { setResponseHeaders } from 'appkit-server';

export async function GET(request: Request): Promise<Response> {
  await Promise.resolve();
  throw Response.redirect(new URL('/hello', request.url), 307);
}

export function POST(): Response {
  setResponseHeaders({ 'x-added': 'yes' });
  return refuse();
}

function refuse(): never {
  throw new Response('thrown as it is', { status: 409, statusText: 'Thrown', headers: { 'x-own': 'kept' } });
}
