export async function POST(request: Request): Promise<Response> {
  const form = await request.formData();
  return Response.json({ fields: [...form.keys()], polluted: 'polluted' in {} });
}
