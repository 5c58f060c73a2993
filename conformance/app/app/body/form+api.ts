export async function POST(request: Request): Promise<Response> {
  const fields: unknown[] = [];
  for (const [name, value] of await request.formData()) {
    if (typeof value === 'string') fields.push([name, value]);
    else fields.push([name, value.name, value.type, [...new Uint8Array(await value.arrayBuffer())]]);
  }
  return Response.json(fields);
}
