import { StatusError } from 'appkit-server';
import { type Grant, readProfile, signedOut, startSession } from '../server/provider.ts';

/** POST /token with { "code", "codeVerifier", "nonce" }: ends a sign-in. The tokens go into the session, not to the page. */
export async function POST(request: Request): Promise<Response> {
  const session = await startSession(await readGrant(request), request);
  const profile = await readProfile(session);
  if (!profile) throw signedOut(request);
  return Response.json(profile);
}

async function readGrant(request: Request): Promise<Grant> {
  const body = (await request.json().catch(() => null)) as Record<string, unknown> | null; // checked below
  const { code, codeVerifier, nonce } = body ?? {};
  // Without the nonce the id_token could be that of another sign-in.
  if (![code, codeVerifier, nonce].every((value) => typeof value === 'string' && value !== ''))
    throw new StatusError(400, 'Send JSON with code, codeVerifier and nonce.');
  return { code, codeVerifier, nonce } as Grant;
}
