import { setResponseHeaders } from 'appkit-server';

export function GET(request: Request, { status }: { status: string }): Response {
  return Response.redirect(new URL('/hello?from=redirect', request.url), Number(status));
}

/** The headers of a redirect are immutable; those of setResponseHeaders reach it all the same. */
export function POST(request: Request, { status }: { status: string }): Response {
  setResponseHeaders({ 'x-added': 'yes', 'set-cookie': ['a=1', 'b=2'] });
  return Response.redirect(new URL('/hello', request.url), Number(status));
}
