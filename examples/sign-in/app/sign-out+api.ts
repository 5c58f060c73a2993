import { StatusError } from 'appkit-server';
import { revokeTokens } from '../server/provider.ts';
import { endSession, readSession } from '../server/session.ts';

/** POST /sign-out: ends the session of this app. The page ends that of the provider, which is in the user's browser. */
export async function POST(request: Request): Promise<Response> {
  // In the answer in any case: the user is signed out here, whatever the provider says.
  endSession(request);
  const session = await readSession(request);
  if (session)
    await revokeTokens(session).catch((error: unknown) => {
      console.error('The tokens of a user who signed out could not be revoked.', error);
      throw new StatusError(502, 'You are signed out here, but the provider could not be told.');
    });
  return new Response(null, { status: 204 });
}
