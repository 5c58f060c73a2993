import { readProfile, refreshSession, signedOut } from '../server/provider.ts';
import { readSession } from '../server/session.ts';

/** GET /me: who is signed in. Refreshes the access token when it is about to expire. */
export async function GET(request: Request): Promise<Response> {
  const session = await readSession(request);
  if (!session) throw signedOut(request);
  if (session.tokens.shouldRefresh()) await refreshSession(session, request);
  return Response.json(await readProfile(session, request));
}
