import { codedTypeError } from './coded-error.ts';
import type { DiscoveryDocument, Issuer, IssuerOrDiscovery, ProviderMetadata } from './provider-metadata.ts';
import { readJsonObject } from './read-answer.ts';
import { send } from './send.ts';
import type { Answer, SendOptions } from './send.ts';

/** How a discovery document is fetched. */
export interface DiscoveryOptions extends SendOptions {
  /**
   * Decides whether a document may name an issuer other than the requested one. Some providers have one
   * document for many issuers. Default: never, since any server that answers could then speak for any provider.
   */
  acceptIssuer?: ((issuer: unknown) => boolean) | undefined;
}

/**
 * Returns the URL of an issuer's discovery document.
 *
 * @see OpenID Connect Discovery 1.0 section 4
 */
export function issuerWithWellKnownUrl(issuer: Issuer): string {
  return `${String(issuer).replace(/\/$/, '')}/.well-known/openid-configuration`;
}

/**
 * Fetches the discovery document of an issuer.
 *
 * @throws ResponseError when it does not exist, or belongs to another issuer.
 * @see OpenID Connect Discovery 1.0 section 4.3
 */
export async function fetchDiscoveryAsync(issuer: Issuer, options: DiscoveryOptions = {}): Promise<DiscoveryDocument> {
  const url = issuerWithWellKnownUrl(issuer);
  const headers = { Accept: 'application/json' };
  const fetch = async (from: string): Promise<Answer> =>
    send(from, { method: 'GET', headers, endpoint: 'issuer' }, options);
  let answer = await fetch(url);
  if (!answer.ok) {
    const { fetchOther } = await import('./other-document.ts');
    answer = await fetchOther(answer, { issuer, url, fetch });
  }
  const metadata = await readJsonObject(answer);
  if (metadata['issuer'] !== issuer && !options.acceptIssuer?.(metadata['issuer'])) {
    const { otherIssuer } = await import('./other-issuer.ts');
    throw otherIssuer(issuer, metadata);
  }
  return toDiscoveryDocument(metadata as ProviderMetadata);
}

/**
 * Returns the discovery document, and fetches it if an issuer is given.
 *
 * @throws TypeError for what is neither; otherwise as {@link fetchDiscoveryAsync}.
 */
export async function resolveDiscoveryAsync(
  issuerOrDiscovery: IssuerOrDiscovery,
  options: DiscoveryOptions = {},
): Promise<DiscoveryDocument> {
  if (typeof issuerOrDiscovery === 'string' && issuerOrDiscovery !== '') {
    return fetchDiscoveryAsync(issuerOrDiscovery, options);
  }
  if (typeof issuerOrDiscovery === 'object' && issuerOrDiscovery !== null) return issuerOrDiscovery;
  throw codedTypeError(
    'ERR_AUTH_ARGUMENT',
    'A discovery document is resolved from an issuer, such as https://accounts.example, or from a document, and neither was given.',
  );
}

function toDiscoveryDocument(metadata: ProviderMetadata): DiscoveryDocument {
  return {
    discoveryDocument: metadata,
    authorizationEndpoint: metadata.authorization_endpoint,
    tokenEndpoint: metadata.token_endpoint,
    revocationEndpoint: metadata.revocation_endpoint,
    userInfoEndpoint: metadata.userinfo_endpoint,
    endSessionEndpoint: metadata.end_session_endpoint,
    registrationEndpoint: metadata.registration_endpoint,
  };
}
