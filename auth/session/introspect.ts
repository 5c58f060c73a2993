/** Checks whether a token is valid, for servers that receive one: `appkit-auth-session/introspect`. */
import { processIntrospectionResponse } from 'oauth4webapi';
import type { IntrospectionResponse } from 'oauth4webapi';
import { withAuthMethod } from './client-credentials.ts';
import { missing } from './coded-error.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import type { SendOptions } from './send.ts';
import { extensionEndpoint, readStandardAnswer, serverOf } from './standard-answer.ts';
import { formAbout, sendForm, sentIn } from './token-endpoint.ts';
import type { RevokeTokenRequestConfig } from './token-request-config.ts';

/** The token to check. The client is the server that checks it. */
export type IntrospectConfig = RevokeTokenRequestConfig & { clientId: string };

/**
 * Asks the authorization server whether a token can be used, and what for.
 *
 * @param discovery – its `discoveryDocument` names the `introspection_endpoint`.
 * @returns the members by their names in the standard. The others only count if `active` is true.
 * @throws TokenError when the server answers with an `error`; ResponseError for another failure; TypeError without token or
 *   endpoint.
 * @see RFC 7662 section 2
 */
export async function introspectAsync(
  config: IntrospectConfig,
  discovery: Pick<DiscoveryDocument, 'discoveryDocument'>,
  options: SendOptions = {},
): Promise<IntrospectionResponse> {
  const endpoint = extensionEndpoint(discovery, 'introspection_endpoint');
  if (!config.token) throw missing('token', 'An introspection');
  const form = formAbout(withAuthMethod(config, discovery.discoveryDocument, 'introspection'));
  const answer = await sendForm(form, endpoint, 'introspection_endpoint', options);
  return readStandardAnswer(answer, {
    sent: sentIn(form),
    status: 200,
    check: (response) =>
      processIntrospectionResponse(serverOf(discovery.discoveryDocument), { client_id: config.clientId }, response),
  });
}
