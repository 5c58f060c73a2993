import type { DiscoveryDocument } from './provider-metadata.ts';
import type { SendOptions } from './send.ts';
import type {
  AccessTokenRequestConfig,
  RefreshTokenRequestConfig,
  RevokeTokenRequestConfig,
} from './token-request-config.ts';
import { AccessTokenRequest, RefreshTokenRequest, RevokeTokenRequest } from './token-requests.ts';
import type { TokenResponse } from './token-response.ts';

/**
 * Exchanges an authorization code for tokens.
 *
 * @param config – `redirectUri` must equal the one in the authorization request, `codeVerifier` belongs to its challenge.
 * @throws TokenError when the server answers with an `error`; ResponseError for another failure; TypeError without code
 *   or redirect URI.
 * @see RFC 6749 section 4.1.3
 */
export async function exchangeCodeAsync(
  config: AccessTokenRequestConfig,
  discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
  options: SendOptions = {},
): Promise<TokenResponse> {
  return new AccessTokenRequest(config).performAsync(discovery, options);
}

/**
 * Exchanges a refresh token for new tokens.
 *
 * @param config – with the `idToken` of the sign-in, an id_token of another user is refused.
 * @throws as {@link exchangeCodeAsync}; TypeError without a refresh token.
 * @see RFC 6749 section 6, OpenID Connect Core 1.0 section 12.2
 */
export async function refreshAsync(
  config: RefreshTokenRequestConfig,
  discovery: Pick<DiscoveryDocument, 'tokenEndpoint' | 'discoveryDocument'>,
  options: SendOptions = {},
): Promise<TokenResponse> {
  return new RefreshTokenRequest(config).performAsync(discovery, options);
}

/**
 * Revokes a token, which can then no longer be used.
 *
 * @returns `true`.
 * @throws TokenError or ResponseError when the server has not revoked it; TypeError without a `revocationEndpoint`.
 * @see RFC 7009
 */
export async function revokeAsync(
  config: RevokeTokenRequestConfig,
  discovery: Pick<DiscoveryDocument, 'discoveryDocument' | 'revocationEndpoint'>,
  options: SendOptions = {},
): Promise<boolean> {
  return new RevokeTokenRequest(config).performAsync(discovery, options);
}
