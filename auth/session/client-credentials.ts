import type { ProviderMetadata } from './provider-metadata.ts';
import type { TokenRequestConfig } from './token-request-config.ts';

/** How a client authenticates: never in two ways at once (RFC 6749 section 2.3). */
export interface ClientCredentials {
  headers: Record<string, string>;
  params: Record<string, string>;
}

/**
 * Returns the header or parameters that identify the client.
 *
 * An empty secret, which some providers assign to clients without one, becomes a Basic header with an empty password,
 * with `client_id` also in the body.
 */
export function clientCredentials(config: Partial<TokenRequestConfig>): ClientCredentials {
  const { clientId, clientSecret, clientAuthMethod } = config;
  const id = clientId === undefined ? {} : { client_id: clientId };
  if (clientSecret === undefined) return { headers: {}, params: id };
  if (clientAuthMethod === 'client_secret_post') return { headers: {}, params: { ...id, client_secret: clientSecret } };
  const pair = `${formEncode(clientId ?? '')}:${formEncode(clientSecret)}`;
  return { headers: { Authorization: `Basic ${btoa(pair)}` }, params: clientSecret === '' ? id : {} };
}

/**
 * Returns the config with the way to send the secret that the provider's metadata asks for, unless the config says one: Apple accepts
 * `client_secret_post` alone.
 *
 * @param endpoint – whose methods count. If the metadata has none for it, those of the token endpoint count, as Apple means it, and not the
 *   default of the standard, which is `client_secret_basic`.
 * @see RFC 8414 section 2
 */
export function withAuthMethod<T extends Partial<TokenRequestConfig>>(
  config: T,
  metadata: ProviderMetadata | undefined,
  endpoint: 'introspection' | 'revocation' | 'token' = 'token',
): T {
  if (config.clientAuthMethod !== undefined) return config;
  const methods =
    metadata?.[`${endpoint}_endpoint_auth_methods_supported`] ?? metadata?.token_endpoint_auth_methods_supported;
  const isPostOnly =
    Array.isArray(methods) && methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return isPostOnly ? { ...config, clientAuthMethod: 'client_secret_post' } : config;
}

// RFC 6749 section 2.3.1 and appendix B: both are form-encoded first, which makes them ASCII as well.
function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
