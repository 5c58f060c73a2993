/** Signed authorization requests, for servers: `appkit-auth-session/jar`. */
import { issueRequestObject } from 'oauth4webapi';
import type { AuthRequest } from './auth-request.ts';
import { importClientKey } from './client-key.ts';
import type { ClientKey } from './client-key.ts';
import { codedTypeError } from './coded-error.ts';
import type { DiscoveryDocument } from './provider-metadata.ts';
import { withQuery } from './request-async.ts';
import { parseReturnParams } from './return-url.ts';
import { assertServer } from './server-only.ts';

/** The key to sign a request with. */
export interface SignRequestOptions {
  /** The private key, whose public key the provider knows. */
  key: ClientKey;
}

/**
 * Signs an authorization request, so that nothing in the URL that the user opens can be changed. Call it instead of
 * {@link AuthRequest.makeAuthUrlAsync}, and before each prompt.
 *
 * @param discovery – its `discoveryDocument` names the issuer, the audience of the signature.
 * @returns the URL that the user is sent to; it is the `url` of the request now.
 * @throws TypeError with code `ERR_AUTH_PLATFORM` in a browser and in React Native, with `ERR_AUTH_ARGUMENT` for a key that cannot sign or
 *   without an issuer.
 * @see RFC 9101 section 4
 */
export async function signAuthRequestAsync(
  request: AuthRequest,
  discovery: Pick<DiscoveryDocument, 'authorizationEndpoint' | 'discoveryDocument'>,
  { key }: SignRequestOptions,
): Promise<string> {
  assertServer('A private key');
  const issuer = discovery.discoveryDocument?.issuer;
  if (!issuer)
    throw codedTypeError(
      'ERR_AUTH_ARGUMENT',
      'The discoveryDocument has no issuer, which is the audience of a signed request.',
    );
  const { params } = parseReturnParams(await request.makeAuthUrlAsync(discovery));
  const kid = 'kid' in key ? key.kid : undefined;
  const signer = { key: await importClientKey(key), ...(typeof kid === 'string' ? { kid } : {}) };
  const client_id = request.clientId;
  const signed = await issueRequestObject({ issuer }, { client_id }, params, signer);
  // makeAuthUrlAsync has seen that there is one.
  const query = new URLSearchParams({ client_id, request: signed });
  request.url = withQuery(discovery.authorizationEndpoint ?? '', query.toString());
  return request.url;
}
