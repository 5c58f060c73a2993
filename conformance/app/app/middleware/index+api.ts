import { setResponseHeaders } from 'appkit-server';

export function GET(request: Request): Response {
  return Response.json({ sent: request.headers.get('x-sent') }, { headers: { 'x-own': 'route', 'set-cookie': 'r=1' } });
}

export async function POST(request: Request): Promise<Response> {
  setResponseHeaders({ 'x-middleware': 'ran, then the route' });
  return Response.json({ text: await request.text() });
}

export function PUT(): Response {
  return new Response('unseen by the middleware');
}
