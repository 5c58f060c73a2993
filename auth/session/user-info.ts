import { missing } from './coded-error.ts';
import { endpointOf } from './endpoint.ts';
import { claimsOf } from './id-token-claims.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { readJsonObject } from './read-answer.ts';
import { send } from './send.ts';
import type { Answer, SendOptions } from './send.ts';
import type { TokenResponse } from './token-response.ts';

/**
 * What a provider tells about a user.
 *
 * @deprecated Declare the claims that your provider returns.
 */
// oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
export type UserInfo = Record<string, any>;

/**
 * Fetches the provider's claims about the user.
 *
 * @param tokens – with an `idToken`, as the tokens of a sign-in with the scope `openid` have, the answer must be about the same
 *   user: its `sub` is compared.
 * @returns the claims, also from a signed answer, whose signature is not checked.
 * @throws ResponseError when the provider refuses the token, or does not answer with a JSON object about that user.
 * @see OpenID Connect Core 1.0 section 5.3, RFC 6750 section 2.1, RFC 9449 section 7.1
 */
export async function fetchUserInfoAsync(
  { accessToken, idToken }: Pick<TokenResponse, 'accessToken' | 'idToken'>,
  discovery: Pick<DiscoveryDocument, 'userInfoEndpoint'>,
  options: SendOptions = {},
  // oxlint-disable-next-line typescript/no-explicit-any -- the specification's type
): Promise<Record<string, any>> {
  if (typeof accessToken !== 'string' || accessToken === '') throw missing('accessToken', 'fetchUserInfoAsync');
  const headers = { Accept: 'application/json', Authorization: `${options.dpop ? 'DPoP' : 'Bearer'} ${accessToken}` };
  const outgoing = { method: 'GET', headers, accessToken, endpoint: 'userInfoEndpoint' };
  const answer = await send(endpointOf(discovery, 'userInfoEndpoint'), outgoing, options);
  const claims = signedClaims(answer) ?? (await readJsonObject(answer, { accessToken }));
  if (idToken !== undefined && !isOfUser(claims, idToken)) {
    const { unusable } = await import('./answer-fields.ts');
    throw unusable('The answer lacks the sub of the id_token', answer);
  }
  return claims;
}

// A client can be registered for signed claims. The connection replaces the signature check.
function signedClaims({ contentType, ok, text }: Answer): Record<string, unknown> | undefined {
  if (!ok || contentType !== 'application/jwt') return undefined;
  try {
    return claimsOf(text);
  } catch {
    return undefined;
  }
}

// OpenID Connect Core section 5.3.2: without this, another user's access token could be substituted.
function isOfUser(claims: Record<string, unknown>, idToken: string): boolean {
  const { sub } = claimsOf(idToken);
  return typeof sub === 'string' && claims['sub'] === sub;
}
