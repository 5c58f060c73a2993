import { StatusError } from 'appkit-server';
import { readProfile, refreshSession, signedOut } from '../server/provider.ts';
import { readSession } from '../server/session.ts';

/** POST /refresh: gets the next access token now. */
export async function POST(request: Request): Promise<Response> {
  const session = await readSession(request);
  if (!session) throw signedOut(request);
  if (session.tokens.refreshToken === undefined)
    throw new StatusError(
      409,
      'The provider has given no refresh token. Sign in again when the access token has expired.',
    );
  await refreshSession(session, request);
  const profile = await readProfile(session);
  if (!profile) throw signedOut(request);
  return Response.json(profile);
}
