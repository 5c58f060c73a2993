export async function POST(request: Request): Promise<Response> {
  return Response.json({ text: await request.text(), bodyUsed: request.bodyUsed });
}
