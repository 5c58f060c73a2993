/** Takes any body. */
export async function POST(request: Request): Promise<Response> {
  return new Response(`taken: ${await request.text()}`);
}
