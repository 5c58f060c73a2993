import { fetchRoute } from 'appkit-router/fetch';

// Calls a route that has a contract, and reports its response.
export async function POST(request: Request): Promise<Response> {
  const body: object = await request.json();
  const asked = await fetchRoute('/contracts/[id]', { params: { id: '7' }, method: 'POST', body });
  return Response.json({ status: asked.status, answer: await asked.json() });
}

/** Sends text. */
export async function PUT(request: Request): Promise<Response> {
  const asked = await fetchRoute('/contracts/text', { method: 'POST', body: await request.text() });
  return Response.json({ status: asked.status, answer: await asked.json() });
}
