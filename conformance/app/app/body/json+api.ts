/** The specification's example: the parsed result of request.json(). */
export async function POST(request: Request): Promise<Response> {
  try {
    return Response.json({ received: await request.json() });
  } catch (error) {
    return Response.json({ failed: (error as Error).name }, { status: 422 });
  }
}
