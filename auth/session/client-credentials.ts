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
  const { clientId, clientSecret, clientAuthMethod = 'client_secret_basic' } = config;
  const id = clientId === undefined ? {} : { client_id: clientId };
  if (clientSecret === undefined) return { headers: {}, params: id };
  if (clientAuthMethod === 'client_secret_post') return { headers: {}, params: { ...id, client_secret: clientSecret } };
  const pair = `${formEncode(clientId ?? '')}:${formEncode(clientSecret)}`;
  return { headers: { Authorization: `Basic ${btoa(pair)}` }, params: clientSecret === '' ? id : {} };
}

// RFC 6749 section 2.3.1 and appendix B: both are form-encoded first, which makes them ASCII as well.
function formEncode(value: string): string {
  return new URLSearchParams([['', value]]).toString().slice(1);
}
