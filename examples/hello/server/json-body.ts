import { StatusError } from 'appkit-server';

/** The JSON object that a client has sent. A StatusError becomes the answer. */
export async function readJsonObject(request: Request): Promise<Record<string, unknown>> {
  // A form on another site cannot send this type without asking first, so the check also stops forged requests.
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase();
  if (type !== 'application/json') throw new StatusError(415, 'Send application/json.');

  const body: unknown = await request.json().catch(() => undefined);
  if (typeof body !== 'object' || body === null || Array.isArray(body))
    throw new StatusError(400, 'The body is not a JSON object.');
  return body as Record<string, unknown>; // a JSON object has no other keys
}
