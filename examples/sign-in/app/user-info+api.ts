import { fetchDiscoveryAsync, fetchUserInfoAsync, ResponseError } from 'appkit-auth-session/core';
import { StatusError } from 'appkit-server';
import type { UserInfo } from '../server/answers.ts';
import { sessions } from '../server/sessions.ts';
import { settings } from '../server/settings.ts';

/**
 * POST /user-info: calls an API in the name of the user, as any route of yours may, with a token that is fresh. Here it is the
 * provider's own.
 */
export const POST = sessions.withSession(async (_request, { accessToken }) => {
  if (accessToken === undefined) throw new StatusError(401, 'The access token has expired. Sign in again.');
  try {
    const claims = await fetchUserInfoAsync({ accessToken }, await fetchDiscoveryAsync(settings().issuer));
    const answer: UserInfo = { claims };
    return Response.json(answer);
  } catch (error) {
    if (!(error instanceof ResponseError)) throw error;
    console.error('The provider has not told about the user.', error.code);
    throw new StatusError(502, 'The provider has not answered as it should.');
  }
});
