import { origin } from 'appkit-server';

/** Answers every path but the root. */
export function GET(request: Request, { path }: { path: string }): Response {
  return Response.json({ path, url: request.url, origin: origin() }, { headers: { 'x-own': 'GET' } });
}
