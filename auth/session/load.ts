import { AuthRequest } from './auth-request.ts';
import type { AuthRequestConfig } from './auth-request-config.ts';
import { resolveDiscoveryAsync } from './discovery.ts';
import type { DiscoveryOptions } from './discovery.ts';
import type { IssuerOrDiscovery } from './provider-metadata.ts';

/**
 * Creates an authorization request with its URL, ready to be prompted.
 *
 * @throws as `fetchDiscoveryAsync`; TypeError for an invalid configuration.
 */
export async function loadAsync(
  config: AuthRequestConfig,
  issuerOrDiscovery: IssuerOrDiscovery,
  options: DiscoveryOptions = {},
): Promise<AuthRequest> {
  const request = new AuthRequest(config);
  await request.makeAuthUrlAsync(await resolveDiscoveryAsync(issuerOrDiscovery, options));
  return request;
}
