import { StatusError } from 'appkit-server';
import { notSignedIn, readProfile } from '../server/provider.ts';
import { readSession } from '../server/session.ts';

/**
 * GET /me: who is signed in. Changes nothing, because any website can send the browser here, and the cookie comes along.
 * So an access token that has expired stays: the answer says `expired`, and the page sends POST /refresh.
 */
export async function GET(request: Request): Promise<Response> {
  const session = await readSession(request);
  if (!session) throw notSignedIn();
  const profile = session.tokens.shouldRefresh() ? undefined : await readProfile(session);
  if (profile) return Response.json(profile);
  if (session.tokens.refreshToken === undefined) throw notSignedIn();
  throw new StatusError(401, {
    error: 'The access token has expired. POST /refresh gets the next one.',
    expired: true,
  });
}
