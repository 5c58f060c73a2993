import { createHash } from 'node:crypto';

/** The number of bytes of the body and their SHA-256. */
export async function POST(request: Request): Promise<Response> {
  const bytes = new Uint8Array(await request.arrayBuffer());
  return Response.json({ length: bytes.length, hash: createHash('sha256').update(bytes).digest('hex') });
}

/** The same, read as a stream. */
export async function PUT(request: Request): Promise<Response> {
  const hash = createHash('sha256');
  let length = 0;
  for await (const chunk of request.body ?? []) {
    hash.update(chunk);
    length += chunk.length;
  }
  return Response.json({ length, hash: hash.digest('hex') });
}
