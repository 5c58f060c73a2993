/** Pushed authorization requests: `appkit-auth-session/par`. */
import { AuthRequest } from './auth-request.ts';
import type { AuthSessionResult } from './auth-session-result.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { PUSH_ENDPOINT, push } from './push-request.ts';
import type { PushOptions, PushResult } from './push-request.ts';
import { extensionEndpoint } from './standard-answer.ts';

export type { PushOptions, PushResult } from './push-request.ts';

/**
 * Sends an authorization request to the server itself, so that the URL that the user opens reveals nothing and cannot
 * be changed. Call it instead of {@link AuthRequest.makeAuthUrlAsync}, and before each prompt.
 *
 * @param discovery – its `discoveryDocument` names the `pushed_authorization_request_endpoint`.
 * @throws TokenError when the server answers with an `error`; ResponseError for another failure; TypeError without endpoints.
 * @see RFC 9126 section 2
 */
export async function pushAuthRequestAsync(
  request: AuthRequest,
  discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  options: PushOptions = {},
): Promise<PushResult> {
  extensionEndpoint(discovery, PUSH_ENDPOINT);
  return push(request, await request.makeAuthUrlAsync(discovery), discovery, options);
}

/**
 * An authorization request that is pushed, for hooks: `useLoadedAuthRequest(config, discovery, PushedAuthRequest)`. When its URL has
 * expired before the click, it is pushed again, and the popup opens after that.
 */
export class PushedAuthRequest extends AuthRequest {
  // In milliseconds. Slightly earlier than the real expiry, to leave time for opening it.
  #goodUntil = 0;

  /** Pushes the request. @throws as {@link pushAuthRequestAsync}. */
  override async makeAuthUrlAsync(
    discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  ): Promise<string> {
    const { allowInsecureRequests } = this;
    const { url, expiresIn } = await push(this, await super.makeAuthUrlAsync(discovery), discovery, {
      allowInsecureRequests,
    });
    this.#goodUntil = Date.now() + (expiresIn - 5) * 1000;
    return url;
  }

  override async promptAsync(...given: Parameters<AuthRequest['promptAsync']>): Promise<AuthSessionResult> {
    if (Date.now() > this.#goodUntil) this.url = null;
    return super.promptAsync(...given);
  }
}
