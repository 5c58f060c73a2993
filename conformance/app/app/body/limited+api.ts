import { limitBody } from 'appkit-server/limit-body';

const MAX_BYTES = 1000;

/** The number of bytes of the body. */
export async function POST(request: Request): Promise<Response> {
  const bytes = await limitBody(request, MAX_BYTES).arrayBuffer();
  return Response.json({ length: bytes.byteLength });
}

/** The same, read as a stream. */
export async function PUT(request: Request): Promise<Response> {
  let length = 0;
  for await (const chunk of limitBody(request, MAX_BYTES).body ?? []) length += chunk.length;
  return Response.json({ length });
}

/** The length of a form field. */
export async function PATCH(request: Request): Promise<Response> {
  const form = await limitBody(request, MAX_BYTES).formData();
  return Response.json({ length: String(form.get('field')).length });
}
