export async function POST(request: Request): Promise<Response> {
  const blob = await request.blob();
  return Response.json({ type: blob.type, size: blob.size, text: await blob.text() });
}
