export async function POST(request: Request): Promise<Response> {
  return new Response(request.body);
}
