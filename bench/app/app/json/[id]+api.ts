export async function GET(_request: Request, { id }: { id: string }): Promise<Response> {
  return Response.json({ id, ok: true });
}
