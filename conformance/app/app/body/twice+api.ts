export async function POST(request: Request): Promise<Response> {
  const first = await request.text();
  const used = request.bodyUsed;
  const second = await request.text().then(
    () => 'no error',
    (error: Error) => error.name,
  );
  return Response.json({ first, used, second });
}
