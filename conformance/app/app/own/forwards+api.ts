// Forwards its request to another route, over the network.
export async function POST(request: Request): Promise<Response> {
  return fetch(new Request(new URL('kept', request.url), request));
}

// Reads it, then forwards a copy that was made before.
export async function PUT(request: Request): Promise<Response> {
  const copy = request.clone();
  const text = await request.text();
  const response = await fetch(new URL('kept', request.url), {
    method: 'POST',
    headers: copy.headers,
    body: copy.body,
    duplex: 'half',
  } as RequestInit);
  return Response.json({ read: text, ...((await response.json()) as object) });
}
