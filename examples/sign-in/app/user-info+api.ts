import { fetchDiscoveryAsync, fetchUserInfoAsync, ResponseError } from 'appkit-auth-session/core';
import { StatusError } from 'appkit-server';
import type { UserInfo } from '../server/answers.ts';
import { sessions } from '../server/sessions.ts';
import { settings } from '../server/settings.ts';

/**
 * POST /user-info: calls an API on behalf of the user, with a fresh token, as any of your routes can. Here it is the
 * provider's own API.
 */
export const POST = sessions.withSession(async (_request, { accessToken }) => {
  if (accessToken === undefined) throw new StatusError(401, 'The access token has expired. Sign in again.');
  try {
    const claims = await fetchUserInfoAsync({ accessToken }, await fetchDiscoveryAsync(settings().issuer));
    const answer: UserInfo = { claims };
    return Response.json(answer);
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    console.error("The provider did not return the user's data.", error.code);
    throw new StatusError(502, 'The provider did not answer as expected.');
  }
});
