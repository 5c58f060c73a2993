export async function POST(request: Request): Promise<Response> {
  return Response.json({ posted: await request.text() });
}
