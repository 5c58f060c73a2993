import * as oauth from 'oauth4webapi';
import { claimsOf, headerOf, invalidIdToken } from './id-token-claims.ts';
import { isOfIssuer } from './issuer.ts';
import type { ProviderMetadata } from './provider-metadata.ts';
import { assertOk } from './read-answer.ts';
import { send } from './send.ts';
import type { SendOptions } from './send.ts';
import { assertHash } from './token-hash.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';

/** The values an id_token is compared with. */
export interface IdTokenExpectation {
  clientId: string;
  /** The provider's metadata. Without its issuer, only the checks that do not need one are made. */
  metadata: ProviderMetadata | undefined;
  /** The issuer, if the metadata covers many. */
  issuer?: string | undefined;
  /** The nonce of the authorization request. Not compared when it is unknown, as after a refresh. */
  nonce?: string | undefined;
  /** The `max_age` of the authorization request, in seconds. */
  maxAge?: number | undefined;
  /** The access token that came with it. */
  accessToken?: string | undefined;
  /** The code that came with it. */
  code?: string | undefined;
  /** The state that came with it. */
  state?: string | undefined;
  /** How far the provider's clock may be from this one. */
  clockToleranceSeconds?: number | undefined;
}

/** The values an id_token in a URL is compared with, and how the keys are fetched. */
export type UrlIdTokenExpectation = IdTokenExpectation & SendOptions;

/** How long ago a signed text may have expired, by default. */
export const CLOCK_TOLERANCE_SECONDS = 30;
/**
 * How far in the future the times of a signed text may be, by default: that proves nothing bad, unlike an old one, and the clocks of many devices are slow by
 * minutes.
 */
export const FUTURE_TOLERANCE_SECONDS = 300;

/**
 * Checks the claims of an id_token that came from the token endpoint: `iss`, `aud`, `azp`, `exp`, `iat`, `nbf`, `nonce`, `sub`,
 * `auth_time`, `at_hash`. The connection to that endpoint replaces the signature check.
 *
 * @returns the claims.
 * @throws ResponseError with code `invalid_id_token`.
 * @see OpenID Connect Core 1.0 sections 3.1.3.7, 3.1.3.8 and 12.2
 */
export async function checkIdToken(idToken: string, expected: IdTokenExpectation): Promise<Record<string, unknown>> {
  return (await checkClaims(idToken, expected)).claims;
}

/**
 * Checks an id_token that came in a URL: its claims as {@link checkIdToken}, that it belongs to the code and access token there,
 * and its signature with the provider's keys.
 *
 * @throws ResponseError with code `invalid_id_token`.
 * @see OpenID Connect Core 1.0 sections 3.2.2.9, 3.2.2.11, 3.3.2.10
 */
export async function checkUrlIdToken(idToken: string, expected: UrlIdTokenExpectation): Promise<void> {
  const { metadata, accessToken, code } = expected;
  if (!metadata?.issuer || !metadata.jwks_uri) {
    throw new Error('The id_token cannot be checked: the discovery document names no issuer and keys.');
  }
  const { as, claims, response } = await checkClaims(idToken, expected);
  try {
    if (accessToken !== undefined) assertPresent('at_hash', claims);
    if (code !== undefined) assertPresent('c_hash', claims);
    await oauth.validateApplicationLevelSignature(as, response, {
      [oauth.customFetch]: (url, { headers }) => fetchKeys(url, headers, expected),
      // What is insecure is known there.
      [oauth.allowInsecureRequests]: true,
    });
  } catch (error) {
    throw invalidIdToken(error);
  }
}

/**
 * Asserts that two id_tokens belong to the same user, by the claims that must be equal in both.
 *
 * @throws ResponseError with code `invalid_id_token`.
 * @see OpenID Connect Core 1.0 sections 3.3.3.6 and 12.2
 */
export function assertSameUser(idToken: string, previous: string): void {
  const [now, before] = [claimsOf(idToken), claimsOf(previous)];
  const differs = (name: string): boolean => asText(now[name]) !== asText(before[name]);
  // The nonce may be missing.
  const names = ['iss', 'sub', 'aud', 'azp', ...(now['nonce'] === undefined ? [] : ['nonce'])];
  const wrong = names.filter(differs);
  if (wrong.length === 0) return;
  throw invalidIdToken(new Error(`it differs from the one of the sign-in in ${wrong.join(', ')}`));
}

// A single audience is a string or a list.
function asText(claim: unknown): string {
  return JSON.stringify([claim].flat().toSorted());
}

function assertPresent(name: string, claims: Record<string, unknown>): void {
  if (claims[name] === undefined) throw new Error(`it has no ${name}, which binds it to the rest of the answer`);
}

interface CheckedClaims {
  as: oauth.AuthorizationServer;
  claims: Record<string, unknown>;
  response: Response;
}

async function checkClaims(idToken: string, expected: IdTokenExpectation): Promise<CheckedClaims> {
  const { clientId, clockToleranceSeconds, maxAge, metadata } = expected;
  const futureTolerance = clockToleranceSeconds ?? FUTURE_TOLERANCE_SECONDS;
  try {
    const [unchecked, header] = [claimsOf(idToken), headerOf(idToken)];
    const as = toServer(metadata, {
      iss: expected.issuer ?? unchecked['iss'],
      tid: unchecked['tid'],
      alg: header['alg'],
    });
    // oauth4webapi checks id_tokens as parts of token answers.
    const parts = { access_token: 'checked elsewhere', token_type: 'bearer', id_token: idToken };
    // Neither React Native nor Safari before 17 has `Response.json`.
    const response = new Response(JSON.stringify(parts), { headers: { 'content-type': 'application/json' } });
    const client: oauth.Client = { client_id: clientId, [oauth.clockTolerance]: futureTolerance };
    const own = unchecked['nonce'];
    const expectedNonce: string | typeof oauth.expectNoNonce =
      expected.nonce ?? (typeof own === 'string' ? own : oauth.expectNoNonce);
    const result = await oauth.processAuthorizationCodeResponse(as, client, response, {
      expectedNonce,
      requireIdToken: true,
      ...(maxAge === undefined ? {} : { maxAge }),
    });
    const claims = { ...oauth.getValidatedIdTokenClaims(result) };
    const now = getCurrentTimeInSeconds();
    const earliest = now - (clockToleranceSeconds ?? CLOCK_TOLERANCE_SECONDS);
    assertClaims(claims, { clientId, earliest, latest: now + futureTolerance, maxAge });
    await assertHash('at_hash', claims, { of: expected.accessToken, alg: header['alg'] });
    await assertHash('c_hash', claims, { of: expected.code, alg: header['alg'] });
    await assertHash('s_hash', claims, { of: expected.state, alg: header['alg'] });
    return { as, claims, response };
  } catch (error) {
    throw invalidIdToken(error);
  }
}

function toServer(
  metadata: ProviderMetadata | undefined,
  { iss, tid, alg }: { iss: unknown; tid: unknown; alg: unknown },
): oauth.AuthorizationServer {
  const issuer = metadata?.issuer;
  if (issuer !== undefined) {
    const isTenant = typeof iss === 'string' && isOfIssuer(iss, issuer, tid);
    return { ...metadata, issuer: isTenant ? iss : issuer } as oauth.AuthorizationServer;
  }
  // Issuer and algorithm are as the token says, but it must be signed.
  if (typeof alg !== 'string' || alg.toLowerCase() === 'none')
    throw new Error('it has no algorithm by which it was signed');
  return { issuer: String(iss), id_token_signing_alg_values_supported: [alg] };
}

// The checks that oauth4webapi leaves to its caller, and those of the past, for which it has one tolerance with those of the future.
function assertClaims(
  claims: Record<string, unknown>,
  {
    clientId,
    earliest,
    latest,
    maxAge,
  }: { clientId: string; earliest: number; latest: number; maxAge: number | undefined },
): void {
  const { auth_time: signedIn = 0, azp = clientId, exp, iat, sub } = claims;
  if (Number(exp) <= earliest) throw new Error('it has expired');
  if (maxAge !== undefined && Number(signedIn) + maxAge < earliest) throw new Error('its auth_time is too long ago');
  if (Number(iat) > latest) throw new Error('its iat is in the future');
  if (Number(signedIn) > latest) throw new Error('its auth_time is in the future');
  if (azp !== clientId) throw new Error('its azp is another client');
  if (sub === '') throw new Error('its sub is empty');
}

/** Fetches the keys of a provider, with the limits that every request has. */
export async function fetchKeys(url: string, headers: Record<string, string>, options: SendOptions): Promise<Response> {
  const answer = await send(url, { method: 'GET', headers, endpoint: 'jwks_uri' }, options);
  await assertOk(answer, {});
  return new Response(answer.text, { headers: { 'content-type': answer.contentType } });
}
