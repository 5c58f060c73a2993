/** Merges JSON into an object, and reports whether the process is unchanged. */
export async function POST(request: Request): Promise<Response> {
  const sent: unknown = await request.json();
  const merged = { ...(sent as object) };
  return Response.json({ keys: Object.keys(merged), polluted: 'polluted' in {} });
}
