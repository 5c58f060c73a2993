import * as oauth from 'oauth4webapi';
import { claimsOf, invalidIdToken } from './id-token-claims.ts';
import type { ProviderMetadata } from './provider-metadata.ts';
import { assertOk } from './read-answer.ts';
import { send } from './send.ts';
import type { SendOptions } from './send.ts';

/** What an id_token is compared with. */
export interface IdTokenExpectation {
  clientId: string;
  metadata: ProviderMetadata & { issuer: string };
  /** That of the authorization request. Not compared when it is not known, as after a refresh. */
  nonce?: string | undefined;
}

/**
 * Checks the claims of an id_token that came from the token endpoint: `iss`, `aud`, `azp`, `exp`, `iat`, `nonce`. The connection
 * to that endpoint stands for the signature.
 *
 * @returns the claims.
 * @throws ResponseError with code `invalid_id_token`.
 * @see OpenID Connect Core 1.0 sections 3.1.3.7 and 12.2
 */
export async function checkIdToken(idToken: string, expected: IdTokenExpectation): Promise<Record<string, unknown>> {
  const { response, as, client } = toAnswer(idToken, expected);
  try {
    const result =
      expected.nonce === undefined
        ? await oauth.processRefreshTokenResponse(as, client, response)
        : await oauth.processAuthorizationCodeResponse(as, client, response, { expectedNonce: expected.nonce });
    return { ...oauth.getValidatedIdTokenClaims(result) };
  } catch (error) {
    throw invalidIdToken(error);
  }
}

/**
 * Checks an id_token that came in a URL: its signature with the provider's keys, then its claims.
 *
 * @throws ResponseError with code `invalid_id_token`.
 * @see OpenID Connect Core 1.0 section 3.2.2.11
 */
export async function checkSignedIdToken(
  idToken: string,
  expected: IdTokenExpectation,
  options: SendOptions = {},
): Promise<Record<string, unknown>> {
  const claims = await checkIdToken(idToken, expected);
  const { response, as, client } = toAnswer(idToken, expected);
  try {
    // It remembers the id_token of this answer, which the next call takes.
    await oauth.processRefreshTokenResponse(as, client, response);
    await oauth.validateApplicationLevelSignature(as, response, {
      [oauth.customFetch]: (url, { headers }) => fetchKeys(url, headers, options),
      // What is insecure is known there.
      [oauth.allowInsecureRequests]: true,
    });
    return claims;
  } catch (error) {
    throw invalidIdToken(error);
  }
}

/**
 * Asserts that the id_token of a refresh is of the user who has signed in, by the claims that both must have alike.
 *
 * @throws ResponseError with code `invalid_id_token`.
 * @see OpenID Connect Core 1.0 section 12.2
 */
export function assertSameUser(idToken: string, previous: string): void {
  const [now, before] = [claimsOf(idToken), claimsOf(previous)];
  const differs = (name: string): boolean => asText(now[name]) !== asText(before[name]);
  // The nonce may be left out.
  const names = ['iss', 'sub', 'aud', 'azp', ...(now['nonce'] === undefined ? [] : ['nonce'])];
  const wrong = names.filter(differs);
  if (wrong.length === 0) return;
  throw invalidIdToken(new Error(`it differs from the one of the sign-in in ${wrong.join(', ')}`));
}

// One audience is written as a text or as a list.
function asText(claim: unknown): string {
  return JSON.stringify([claim].flat().toSorted());
}

// oauth4webapi checks id_tokens as parts of token answers.
function toAnswer(
  idToken: string,
  { clientId, metadata }: IdTokenExpectation,
): { response: Response; as: oauth.AuthorizationServer; client: oauth.Client } {
  const body = { access_token: 'checked elsewhere', token_type: 'bearer', id_token: idToken };
  const client: oauth.Client = { client_id: clientId };
  return { response: Response.json(body), as: metadata as oauth.AuthorizationServer, client };
}

// With the limits that every request has.
async function fetchKeys(url: string, headers: Record<string, string>, options: SendOptions): Promise<Response> {
  const answer = await send(url, { method: 'GET', headers, endpoint: 'jwks_uri' }, options);
  assertOk(answer, {});
  return new Response(answer.text, { headers: { 'content-type': answer.contentType } });
}
