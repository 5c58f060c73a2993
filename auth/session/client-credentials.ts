import type { TokenRequestConfig } from './token-request-config.ts';

/** How a client says who it is: never in two ways at once (RFC 6749 section 2.3). */
export interface ClientCredentials {
  headers: Record<string, string>;
  params: Record<string, string>;
}

/**
 * Gives the header or parameters that say who the client is.
 *
 * An empty secret, which a client without one is given by some providers, is a Basic header with an empty password, and
 * `client_id` is in the body as well.
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
