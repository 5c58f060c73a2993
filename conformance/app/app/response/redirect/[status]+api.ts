import { setResponseHeaders } from 'appkit-server';

export { GET } from '../../../../generic/fixture/routes/response/redirect.ts';

/** The headers of a redirect are immutable; those of setResponseHeaders must still reach it. */
export function POST(request: Request, { status }: { status: string }): Response {
  setResponseHeaders({ 'x-added': 'yes', 'set-cookie': ['a=1', 'b=2'] });
  return Response.redirect(new URL('/hello', request.url), Number(status));
}
