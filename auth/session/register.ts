/** Clients that register themselves: `appkit-auth-session/register`. */
import { processDynamicClientRegistrationResponse } from 'oauth4webapi';
import { endpointOf } from './endpoint.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { send } from './send.ts';
import type { SendOptions } from './send.ts';
import { readStandardAnswer } from './standard-answer.ts';

/** The metadata of a client, by the names of the standard (RFC 7591 section 2). A server may support more. */
export interface ClientMetadata {
  [name: string]: unknown;
  client_name?: string | undefined;
  grant_types?: string[] | undefined;
  redirect_uris?: string[] | undefined;
  response_types?: string[] | undefined;
  scope?: string | undefined;
  token_endpoint_auth_method?: string | undefined;
}

/** How a client is registered. */
export interface RegisterOptions extends SendOptions {
  /** The token that a server issues to those who may register. Default: none, for open registration. */
  initialAccessToken?: string | undefined;
}

/** A client that has been registered. */
export interface RegisteredClient {
  clientId: string;
  clientSecret?: string | undefined;
  /** In seconds since 1970; 0 is never. */
  clientSecretExpiresAt?: number | undefined;
  /** The server's entire answer, such as changed metadata. */
  rawResponse: Record<string, unknown>;
}

/**
 * Registers a client.
 *
 * @throws TokenError when the server answers with an `error`; ResponseError for another failure; TypeError without a
 *   `registrationEndpoint`.
 * @see RFC 7591 section 3
 */
export async function registerClientAsync(
  metadata: ClientMetadata,
  discovery: Pick<DiscoveryDocument, 'registrationEndpoint'>,
  { initialAccessToken, ...options }: RegisterOptions = {},
): Promise<RegisteredClient> {
  const headers = {
    'Content-Type': 'application/json',
    Accept: 'application/json',
    ...(initialAccessToken === undefined ? {} : { Authorization: `Bearer ${initialAccessToken}` }),
  };
  const outgoing = { method: 'POST', headers, body: () => JSON.stringify(metadata), endpoint: 'registrationEndpoint' };
  const answer = await send(endpointOf(discovery, 'registrationEndpoint'), outgoing, options);
  const registered = await readStandardAnswer(answer, {
    sent: { initialAccessToken: initialAccessToken ?? '' },
    status: 201,
    check: processDynamicClientRegistrationResponse,
  });
  return {
    clientId: registered.client_id,
    clientSecret: registered.client_secret as string | undefined,
    clientSecretExpiresAt: registered['client_secret_expires_at'] as number | undefined,
    rawResponse: registered,
  };
}
