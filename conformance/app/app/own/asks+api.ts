import { fetchRoute } from 'appkit-router/fetch';

// Calls another route of the app, and reports its response.
export async function GET(request: Request): Promise<Response> {
  const name = new URL(request.url).searchParams.get('name') ?? '';
  const response = await fetchRoute('/own/[name]', { params: { name }, query: { asked: 'a b' } });
  return Response.json({ status: response.status, answer: await response.json() });
}

export async function POST(request: Request): Promise<Response> {
  const response = await fetchRoute('/own/moved', { method: 'POST', body: await request.text() });
  return Response.json({ status: response.status, answer: await response.json() });
}

export async function DELETE(): Promise<Response> {
  const response = await fetchRoute('/own/[name]', { params: { name: 'stranger' }, credentials: 'omit' });
  return Response.json({
    status: response.status,
    answer: await response.json(),
    path: new URL(response.url).pathname,
  });
}

// The same over the network, by the URL on which the server received the request.
export async function PUT(request: Request): Promise<Response> {
  const response = await fetch(new URL('far', request.url));
  return Response.json({ status: response.status, answer: await response.json() });
}
