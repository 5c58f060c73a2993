import { StatusError } from 'appkit-server';
import { limitBody } from 'appkit-server/limit-body';
import { signUpload } from '../server/bucket.ts';

const MAX_BYTES = 5_000_000_000;
const TYPES = ['image/jpeg', 'image/png', 'application/pdf', 'video/mp4'];

/** Answers with a URL to which the browser can send one file of exactly this type and size. */
export async function POST(request: Request): Promise<Response> {
  const { type, bytes } = (await limitBody(request, 1000).json()) as { type?: unknown; bytes?: unknown };
  if (typeof type !== 'string' || !TYPES.includes(type)) throw new StatusError(415, `Send one of ${TYPES.join(', ')}.`);
  if (typeof bytes !== 'number' || !Number.isInteger(bytes) || bytes < 1)
    throw new StatusError(400, 'Give the size in bytes.');
  if (bytes > MAX_BYTES) throw new StatusError(413, `A file may have ${MAX_BYTES} bytes.`);
  return Response.json(await signUpload({ type, bytes }), { status: 201 });
}
