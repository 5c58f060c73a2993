/** Signed answers of the authorization endpoint: `appkit-auth-session/jarm`. */
import * as oauth from 'oauth4webapi';
import { abortReason } from './abort-reason.ts';
import type { AuthRequest } from './auth-request.ts';
import type { CompletedAuthSessionResult } from './auth-session-result.ts';
import { refusal } from './check-answer.ts';
import { codedTypeError } from './coded-error.ts';
import { getCurrentTimeInSeconds } from './current-time.ts';
import { CLOCK_TOLERANCE_SECONDS, FUTURE_TOLERANCE_SECONDS, fetchKeys } from './id-token.ts';
import { claimsOf } from './id-token-claims.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { parseReturnParams } from './return-url.ts';
import type { SendOptions } from './send.ts';
import { signedUrls } from './signed-urls.ts';

/**
 * Reads a return URL with an answer signed by the provider, as {@link AuthRequest.parseReturnUrlAsync} does for a
 * request with `extraParams: { response_mode: 'jwt' }`. Use this function for a request that requires a signed answer
 * in another way: its signature, `iss`, `aud` and `exp` are checked, and then what {@link
 * AuthRequest.parseReturnUrlAsync} checks.
 *
 * @param discovery – its `discoveryDocument` names the issuer and its keys.
 * @returns the result. An answer without the required signature is an `error` with the code `invalid_response`, and
 * does not use up
 *   the request.
 * @see JWT Secured Authorization Response Mode for OAuth 2.0 (JARM) section 2.4
 */
export async function parseSignedAnswerAsync(
  request: AuthRequest,
  url: string,
  discovery: Pick<DiscoveryDocument, 'discoveryDocument'>,
  options: SendOptions = {},
): Promise<CompletedAuthSessionResult> {
  try {
    const params = await signedParams(request.clientId, url, discovery, options);
    // The URL in the form of an unsigned answer.
    const read = `${url.replace(/[?#].*/s, '')}?${params}`;
    signedUrls.set(request, read);
    return await request.parseReturnUrlAsync(read, options);
  } catch (error) {
    if (options.signal?.aborted) throw abortReason(options.signal);
    const refused = refusal(
      'invalid_response',
      `The answer is not signed as it must be: ${(error as Error).message}`,
      {},
    );
    refused.cause = error;
    const event = Object.freeze({ type: 'redirect', url, timestamp: Date.now() } as const);
    const none = { authentication: null, params: {}, event, url: request.url ?? url };
    return { ...none, type: 'error', error: refused, errorCode: refused.code };
  }
}

/** The unchecked parameters of a signed answer. */
async function signedParams(
  clientId: string,
  url: string,
  { discoveryDocument: metadata }: Pick<DiscoveryDocument, 'discoveryDocument'>,
  options: SendOptions,
): Promise<URLSearchParams> {
  if (!metadata?.issuer) {
    throw codedTypeError('ERR_AUTH_ARGUMENT', 'There is no discoveryDocument with the issuer that signs.');
  }
  const { response = '' } = parseReturnParams(url).params;
  const { clockToleranceSeconds: tolerance } = options;
  const client: oauth.Client = {
    client_id: clientId,
    [oauth.clockTolerance]: tolerance ?? FUTURE_TOLERANCE_SECONDS,
  };
  const params = await oauth
    .validateJwtAuthResponse(
      metadata as oauth.AuthorizationServer,
      client,
      new URLSearchParams({ response }),
      // It is compared afterwards, with the rest.
      oauth.skipStateCheck,
      {
        [oauth.customFetch]: (keys, { headers }) => fetchKeys(keys, headers, options),
        // What is insecure is known there.
        [oauth.allowInsecureRequests]: true,
      },
    )
    .catch((error: unknown) => {
      // A refusal that is signed as well.
      if (error instanceof oauth.AuthorizationResponseError) return error.cause;
      throw error;
    });
  // oauth4webapi has one tolerance for the past and the future.
  const earliest = getCurrentTimeInSeconds() - (tolerance ?? CLOCK_TOLERANCE_SECONDS);
  if (Number(claimsOf(response)['exp']) <= earliest) throw new Error('it has expired');
  return params;
}
