export async function POST(request: Request): Promise<Response> {
  const clone = request.clone();
  const [original, copy] = await Promise.all([request.text(), clone.text()]);
  return Response.json({ original, copy, type: clone.headers.get('content-type') });
}
