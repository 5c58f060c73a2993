import { processPushedAuthorizationResponse } from 'oauth4webapi';
import type { AuthRequest } from './auth-request.ts';
import { clientCredentials, withAuthMethod } from './client-credentials.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { withQuery } from './request-async.ts';
import { parseReturnParams } from './return-url.ts';
import type { SendOptions } from './send.ts';
import { extensionEndpoint, readStandardAnswer, serverOf } from './standard-answer.ts';
import { formHeaders, sendForm, sentIn } from './token-endpoint.ts';
import type { ClientAuthMethod } from './token-request-config.ts';

/** Where the discovery document names the endpoint. */
export const PUSH_ENDPOINT = 'pushed_authorization_request_endpoint';

/** How a request is pushed. */
export interface PushOptions extends SendOptions {
  /** How the secret of the request is sent. Default: `client_secret_basic`, or `client_secret_post` if the provider's metadata has only that. */
  clientAuthMethod?: ClientAuthMethod | undefined;
}

/** A request that has been pushed. */
export interface PushResult {
  /** The URL that the user is sent to; it is the `url` of the request now. */
  url: string;
  /** How long it can be opened, in seconds. */
  expiresIn: number;
}

/** Pushes the parameters of a request's URL, which may be signed (RFC 9126 section 3). */
export async function push(
  request: AuthRequest,
  whole: string,
  discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  { clientAuthMethod, ...options }: PushOptions,
): Promise<PushResult> {
  const endpoint = extensionEndpoint(discovery, PUSH_ENDPOINT);
  const { params } = parseReturnParams(whole);
  const { clientId, clientSecret } = request;
  const client = withAuthMethod({ clientId, clientSecret, clientAuthMethod }, discovery.discoveryDocument);
  const body = { ...params, ...clientCredentials(client).params };
  const form = { headers: formHeaders(client), body, clientSecret };
  const answer = await sendForm(form, endpoint, PUSH_ENDPOINT, options);
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
