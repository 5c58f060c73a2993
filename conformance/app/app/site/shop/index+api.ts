export function GET(): Response {
  return new Response('the route');
}

export async function POST(request: Request): Promise<Response> {
  return Response.json({ posted: await request.text() });
}
