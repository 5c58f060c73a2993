/** Pushed authorization requests: `appkit-auth-session/par`. */
import { processPushedAuthorizationResponse } from 'oauth4webapi';
import type { AuthRequest } from './auth-request.ts';
import { clientCredentials } from './client-credentials.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { withQuery } from './request-async.ts';
import { parseReturnParams } from './return-url.ts';
import type { SendOptions } from './send.ts';
import { extensionEndpoint, readStandardAnswer, serverOf } from './standard-answer.ts';
import { formHeaders, sendForm, sentIn } from './token-endpoint.ts';
import type { ClientAuthMethod } from './token-request-config.ts';

/** How a request is pushed. */
export interface PushOptions extends SendOptions {
  /** How the secret of the request is sent. Default: `client_secret_basic`. */
  clientAuthMethod?: ClientAuthMethod | undefined;
}

/** A request that has been pushed. */
export interface PushedAuthRequest {
  /** The URL that the user is sent to; it is the `url` of the request now. */
  url: string;
  /** How long it can be opened, in seconds. */
  expiresIn: number;
}

/**
 * Sends an authorization request to the server itself, so that the URL the user opens tells and lets change nothing. Call it
 * in place of {@link AuthRequest.makeAuthUrlAsync}, and before each prompt.
 *
 * @param discovery – its `discoveryDocument` names the `pushed_authorization_request_endpoint`.
 * @throws TokenError when the server answers with an `error`; ResponseError for another failure; TypeError without endpoints.
 * @see RFC 9126 section 2
 */
export async function pushAuthRequestAsync(
  request: AuthRequest,
  discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  { clientAuthMethod, ...options }: PushOptions = {},
): Promise<PushedAuthRequest> {
  const endpoint = extensionEndpoint(discovery, 'pushed_authorization_request_endpoint');
  const { params } = parseReturnParams(await request.makeAuthUrlAsync(discovery));
  const { clientId, clientSecret } = request;
  const client = { clientId, clientSecret, clientAuthMethod };
  const body = { ...params, ...clientCredentials(client).params };
  const form = { headers: formHeaders(client), body, clientSecret };
  const answer = await sendForm(form, endpoint, 'pushed_authorization_request_endpoint', options);
  const pushed = await readStandardAnswer(answer, {
    sent: sentIn(form),
    status: 201,
    check: (response) =>
      processPushedAuthorizationResponse(serverOf(discovery.discoveryDocument), { client_id: clientId }, response),
  });
  const query = new URLSearchParams({ client_id: clientId, request_uri: pushed.request_uri });
  // makeAuthUrlAsync has seen that there is one.
  request.url = withQuery(discovery.authorizationEndpoint ?? '', query.toString());
  return { url: request.url, expiresIn: pushed.expires_in };
}
