import { describeError } from './error-descriptions.ts';
import { ResponseError } from './errors.ts';
import type { ResponseErrorConfig } from './errors.ts';

const descriptions: Record<string, string> = {
  // RFC 6749 section 5.2.
  invalid_client: 'The client is unknown or was not authenticated.',
  invalid_grant: 'The code or refresh token is invalid, expired, revoked, or for another client or redirect URI.',
  unsupported_grant_type: 'The authorization server does not know this grant type.',
  // RFC 7009 section 2.2.1.
  unsupported_token_type: 'The authorization server does not revoke tokens of this type.',
  // RFC 8628 section 3.5.
  authorization_pending: 'The user has not finished signing in.',
  slow_down: 'The device asks too often.',
  expired_token: 'The user took too long to sign in.',
  // RFC 9449 sections 5 and 8.
  invalid_dpop_proof: 'The DPoP proof is invalid.',
  use_dpop_nonce: 'The authorization server wants its nonce in the DPoP proof.',
};

/** The token or revocation endpoint has answered with an error. */
export class TokenError extends ResponseError {
  override name = 'TokenError';

  /** @param text – what is wrong, if the authorization server does not say it. Default: ours for a code of the standard. */
  constructor(params: ResponseErrorConfig, text?: string) {
    const { error } = params;
    super(params, text, Object.hasOwn(descriptions, error) ? descriptions[error] : describeError(error));
  }
}
